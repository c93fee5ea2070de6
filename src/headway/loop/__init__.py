"""Runs an agent in rounds, assesses each round and selects the best one.

`runner.py` makes one move after the other; `moves.py` decides them from the state, which follows from the recorded
facts alone (`facts.py`, `journal.py`, `state.py`), so a loop that was killed can be resumed. `tracker.py` assesses
rounds with a `Monitor`, and runs nothing. Of the other packages, only `cli` imports this one.
"""
