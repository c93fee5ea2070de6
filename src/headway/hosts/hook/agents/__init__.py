"""One file for each agent program: how its hook events are read and how Headway's answer is written.

`hosts/hook/recognise.py` picks the file by the name on the hook's command line. A host is imported only when it is
needed, because a hook starts at every event.
"""
