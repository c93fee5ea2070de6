"""Reports about runs and loops as text, JSON, Markdown and HTML.

They put into words what scans, loops and live sessions found: also as JUnit, SARIF and ATIF. They read no recording
and decide nothing. `words.py` and `tables.py` format numbers the same way everywhere, and `privacy.py` masks what is
shared. Commands, the service, loops, studies and hosts call them.
"""
