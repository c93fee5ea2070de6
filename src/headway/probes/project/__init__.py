"""Finds the tools of a project and plans how to run them: one file for each language.

Each looks at the project's files (`look.py`) and returns plans: which command would measure what, and which probe
reads its result. Nothing of the project is run here. Only `probes/propose.py` imports this, and all others ask that
module.
"""
