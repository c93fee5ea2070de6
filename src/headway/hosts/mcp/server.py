"""`headway mcp`: an MCP server with tools that answer an agent's questions about its own session."""

import sqlite3
from collections.abc import Callable

from mcp.server import MCPServer

from headway import __version__
from headway.hosts.mcp import answers
from headway.hosts.mcp.this_session import Asked, NoSessionError, find_session

ABOUT = (
    "Headway watches this session for loops. Ask it when you repeat yourself, when nothing works, or when you no "
    "longer know what you did before your context was compacted. It only reports what it has recorded, and changes "
    "nothing."
)


def server_for(program: str) -> MCPServer:
    """The server for the sessions of one agent program; of all programs if it is empty."""
    server = MCPServer("headway", instructions=ABOUT, version=__version__, log_level="ERROR")

    @server.tool(structured_output=False)
    def am_i_stuck(session: str = "") -> str:
        """Say whether Headway sees a loop in this session: open findings, the latest decision, and what clears them.

        `session` is only needed if several sessions run in this folder: the beginning of an id.
        """
        return _answer(program, session, answers.am_i_stuck)

    @server.tool(structured_output=False)
    def what_have_i_tried(session: str = "") -> str:
        """List the commands and edits of this session with their results, counted, the most repeated first."""
        return _answer(program, session, answers.what_have_i_tried)

    @server.tool(structured_output=False)
    def what_changed_since(since: str = answers.SINCE_USER, session: str = "") -> str:
        """List the edits since "user" (the user's last message), "test" (the last test run) or a step number."""
        return _answer(program, session, lambda asked: answers.what_changed_since(asked, since))

    return server


def _answer(program: str, session: str, say: Callable[[Asked], str]) -> str:
    try:
        return say(find_session(program, session.strip()))
    except NoSessionError as error:
        return str(error)
    except sqlite3.Error as error:
        return f"Headway cannot read its database: {error}. The user can run `headway doctor` for details."
