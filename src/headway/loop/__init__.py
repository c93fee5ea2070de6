"""Runs an agent in rounds, assesses each round and selects the best one."""
