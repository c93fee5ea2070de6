"""`headway mcp`: tools that an agent can ask about its own session."""

import click


@click.command()
@click.option("--agent", "program", metavar="NAME", default="", help="Answer about sessions of this agent only: codex.")
def command(program: str) -> int:
    """Answer an agent's questions about its own session; agents run this as an MCP server.

    The tools are am_i_stuck, what_have_i_tried and what_changed_since. They report what the hook has recorded, so the
    hook must be installed too. The session is the one that runs in the folder in which this is started.

    \b
      headway install claude-code --mcp         add this to Claude Code
      headway install codex --mcp               add this to Codex

    Needs the extra `mcp`: pip install 'headway-agents[mcp]'.

    Exit codes: 0 the agent ended the connection; 2 a package is missing.
    """
    try:
        from headway.hosts.mcp.server import server_for
    except ImportError as error:
        raise click.ClickException(f"{error}; run: pip install 'headway-agents[mcp]'") from error
    server_for(program).run()
    return 0
