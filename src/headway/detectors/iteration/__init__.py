"""Detectors on the round scale: did this round move the work forward, or break it?"""
