"""One file for each agent framework: how its calls reach a Monitor, and how a decision reaches its model.

An adapter uses `conversation` (one Monitor for each agent of a conversation), `requirement` (is the framework there,
and in a version we know?) and `harmless` (our faults never reach the framework). Adapters never import each other.
"""
