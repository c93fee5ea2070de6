"""`headway mcp-proxy`: watch the tool calls between an MCP client and its server."""

import os
import sys

import click
import msgspec

from headway.cli.options import duration, settings_found, with_settings
from headway.hosts.abilities import MODES


@click.command(context_settings={"allow_interspersed_args": False})
@click.argument("server_command", nargs=-1, required=True, type=click.UNPROCESSED, metavar="[--] COMMAND…")
@click.option("--mode", type=click.Choice(MODES), help="What Headway does by itself. The default is enforce.")
@click.option(
    "--new-turn-after",
    metavar="TIME",
    default="5m",
    show_default=True,
    callback=duration,
    help="A pause after which the next call begins a new turn: 5m, 1h.",
)
@with_settings
def command(
    server_command: tuple[str, ...], mode: str | None, new_turn_after: float, overrides: tuple[str, ...]
) -> int:
    """Watch and refuse tool calls between any MCP client and a server.

    COMMAND starts an MCP server that communicates over standard input and output. Write this command into the client's
    configuration in place of the server's own. Messages are passed on byte by byte. If the agent repeats a call and
    gets equal results, one text is added to the result. If it continues, the call is refused: the client gets a result
    with `isError` and the reason, and the server does not see the call. After a few refusals, all calls are refused.

    MCP does not report the user's messages. So a new turn, which resets counts and lifts refusals, begins when no call
    came for some time (--new-turn-after), and when the client connects again.

    The modes are those of `headway install`; the setting `policy.mode` outranks the option.

    \b
      headway mcp-proxy -- uvx mcp-server-fetch
      headway mcp-proxy --mode nudge -- npx -y @modelcontextprotocol/server-filesystem .

    Exit codes: that of the server, or 128 plus the number of the signal that ended it; 2 it cannot be started.
    """
    from headway.hosts.mcp.proxy import run_proxy, standard_pipes
    from headway.hosts.mcp.transit import Transit

    settings = settings_found(overrides)
    if settings.policy.mode is None and mode is not None:
        policy = msgspec.structs.replace(settings.policy, mode=mode)
        settings = msgspec.structs.replace(settings, policy=policy)
    try:
        code = run_proxy(server_command, Transit(new_turn_after, settings=settings), *standard_pipes())
    except OSError as error:
        why = f"{server_command[0]}: {error.strerror}; expected a command that starts an MCP server"
        raise click.ClickException(why) from error
    sys.stderr.flush()
    os._exit(code)  # a thread may still wait for the client
