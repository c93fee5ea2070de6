"""Scores rounds: pure functions from measurements to scores, verdicts and the best round.

`round.py` scores a round that has ended, with `progress.py`, `quality.py` and `verdict.py`; `best.py` selects the
best round; `assessment.py` has the structs of an assessed round and loop. What was not measured has no weight in a
score. Every package above may import this one. `Monitor` does so only if there are rounds.
"""
