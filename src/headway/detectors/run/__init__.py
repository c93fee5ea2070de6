"""Detectors on the run scale: should the run continue at all?"""
