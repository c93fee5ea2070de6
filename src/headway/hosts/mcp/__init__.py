"""The Model Context Protocol: a proxy that watches the calls of any client, and tools that an agent can call.

`messages.py` reads JSON-RPC messages, `transit.py` decides what the proxy does with each of them, and `proxy.py` runs
the server and its pipes (`headway mcp-proxy`).

`server.py` has the tools (`headway mcp`), `this_session.py` finds the session that is meant, and `answers.py` reports
what is stored about it.
"""
