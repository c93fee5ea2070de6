"""Where Headway lives: agent programs (`hook/`) and frameworks (`frameworks/`). One file each; import the one you use.

A host translates. It declares what it can do (`abilities.py`), and `delivery.py` makes the most of each decision.
"""
