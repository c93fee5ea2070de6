"""Finds the tools of a project and plans how to run them: one file for each language."""
