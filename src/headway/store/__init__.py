"""Headway's files on disk."""
