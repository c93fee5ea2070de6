"""One file for each agent framework: how its calls reach a Monitor, and how a decision reaches its model.

An adapter uses `conversations` (a `conversation` with a Monitor for each agent), `handoffs` (between these agents),
`requirement` (is the framework there, and in a version we know?) and `harmless` (our faults never reach the framework).
Adapters never import each other.
"""
