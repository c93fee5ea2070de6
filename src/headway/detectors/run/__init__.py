"""Detectors on the run scale: should the run continue at all?

They compare a run with its limits: calls, explorations, time, money, silence. Most of them watch only a run whose
limit is set, by the user or by the profile of the task. They yield findings; whether a run ends is decided in
`policy`. They never import each other, and a monitor loads them only if its events and its limits need them.
"""
