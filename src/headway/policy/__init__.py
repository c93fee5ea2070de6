"""The only place that decides."""
