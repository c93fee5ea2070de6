"""What a round is worth: pure functions from measurements to scores, verdicts and the best round."""
