"""Detectors on the step scale: is the agent going in circles?

They look at calls with their results, and some at messages. One file has one pattern: `exact_cycle.py`, `ExactCycle`,
`exact_cycle`. They read the session, and yield findings; they never act, and never import each other. The folder is
the registry, and a monitor loads from it only what its events need.
"""
