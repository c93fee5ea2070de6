"""An MCP server of the official SDK, with a tool that never says anything new and one that always does."""

from itertools import count

from mcp.server import MCPServer

server = MCPServer("counting", log_level="ERROR")
calls = count(1)


@server.tool(structured_output=False)  # Claude Code shows a model nothing but the structured part, if there is one
def look(path: str) -> str:
    """Say the same, always."""
    return f"nothing new in {path}"


@server.tool()
def number() -> int:
    """Count the calls."""
    return next(calls)


server.run()
