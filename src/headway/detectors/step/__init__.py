"""Detectors on the step scale: is the agent going in circles?"""
