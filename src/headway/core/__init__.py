"""Events in, findings out: the pure heart of Headway. Start reading at `engine.py`."""
