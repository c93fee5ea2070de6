"""One file for each agent framework: it passes calls to a Monitor, and decisions to the model.

An adapter uses `conversations` (a `conversation` with a Monitor for each agent), `handoffs` (between these agents),
`requirement` (is the framework installed in a supported version?) and `harmless` (our faults never reach it).
Adapters never import each other.
"""
