"""The test result that a tool's output shows: `tests_seen` in `seen.py`.

One file for each family of test runners, listed in `runners`; `clip` finds the part of an output that can hold a
result, `result` is what a recogniser answers with.
"""
