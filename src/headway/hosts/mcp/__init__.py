"""The Model Context Protocol: a proxy that watches the calls of any client, and tools that an agent can ask.

`messages.py` reads JSON-RPC messages, `transit.py` says what the proxy does with each of them, and `proxy.py` has the
process and the pipes of the server (`headway mcp-proxy`).

`server.py` has the tools (`headway mcp`), `this_session.py` finds the session that is meant, and `answers.py` says what
is stored about it.
"""
