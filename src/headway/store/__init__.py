"""Headway's files on disk.

`sessions.py` stores live sessions between two calls of a hook, in a database whose tables `migrations/` creates;
`loop_files.py` knows the files of a loop, and `answers.py` stores what a person has said about a project. `place.py`
says where all this is. Hosts, loops, the service and commands call it. A hook does so at every event, so the modules
that it needs import little.
"""
