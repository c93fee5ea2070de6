"""Detectors on the round scale: did this round move the work forward, or break it?

They look at each round of a work loop after it was scored: `on_iteration` gets it. Users read "round" where the code
says "iteration". They read the session, and yield findings; the policy decides whether a round is rolled back. They
never import each other, and a monitor loads them only if there are rounds.
"""
