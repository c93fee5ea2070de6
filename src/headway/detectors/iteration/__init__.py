"""Detectors of the iteration scale: did this round move the work, or break it?"""
