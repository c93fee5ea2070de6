"""Shapes that several recorded formats share: JSON documents and lines, messages, conversations, traces."""
