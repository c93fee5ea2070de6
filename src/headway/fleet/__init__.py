"""Many machines: agents' events come through Kafka, and each session has its Monitor in one of several instances.

`forward.py` sends the queued events of this machine to Kafka. `application.py` reads them there, `sessions.py` feeds
them to one Monitor for each session, and `topics.py` says what is written where. The state of each session is in the
store of Quix Streams. Only `cli` imports this; the modules that use Kafka need the extra `fleet`.
"""
