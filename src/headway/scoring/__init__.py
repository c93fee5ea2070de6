"""Scores rounds: pure functions from measurements to scores, verdicts and the best round."""
