"""Shapes that several recorded formats share: JSON documents and lines, messages, conversations, traces.

`message.py` and `conversation.py` interpret messages, `trace.py` and `vocabularies.py` spans, and `otlp.py` the
requests that spans arrive in. What only one program writes belongs in `readers`, which use this package most. The
service and some adapters interpret live spans and messages with it, and `study` reads its rows of events.
"""
