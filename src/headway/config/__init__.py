"""Settings: what can be set, and where values come from.

`settings.py` has all settings and checks them; `find.py` reads them from files, the environment and the command line;
`profiles.py` has those for task types and models; `assemble.py` creates the detectors of a monitor. Commands and
hooks look for settings. `Monitor()` does not: it reads no files of the user, and no environment.
"""
