"""Detectors of the step scale: is the agent going round in circles?"""
