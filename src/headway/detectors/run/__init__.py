"""Detectors of the run scale: should the agent go on at all?"""
