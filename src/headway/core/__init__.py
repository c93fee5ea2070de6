"""Events in, findings out: the pure core of Headway. Start reading at `engine.py`.

A session (`session.py` and its parts) is the memory of one agent in one run; only `apply.py`, `apply_calls.py`
and `notes.py` change it. `detector.py` is what all detectors inherit from, `watch.py` creates those of one session, and
`ledger.py` records what they found. There is no clock, file, network or randomness here. Every package above may import
this one, which itself imports only `tools` and `rolling`.
"""
