"""The names of the five documents that Headway began as ("seeds"), and what exists only to answer to them.

Headway itself asks nothing of this: `session` adds queries to the session of a Monitor, `correspondence` adds messages
to the loop's tracker. `docs/development/seeds.md` maps every name of the documents to its place.
"""
