"""`headway meaning`: how Headway interprets a tool call or a shell command."""

import re

import click
import msgspec

from headway.cli.options import settings_found


@click.command()
@click.argument("tool")
@click.argument("args", required=False)
def command(tool: str, args: str | None) -> None:
    """Show how Headway interprets a tool call.

    ARGS are the call's arguments as a JSON object; any other text is read as a shell command. TOOL alone is read as a
    shell command if it contains a space.

    \b
      headway meaning Read '{"file_path": "src/auth.py", "offset": 100, "limit": 50}'
      headway meaning Bash 'cd src && sed -n 1,80p auth.py'
      headway meaning 'pytest -q | tail -5'
    """
    if args is None and " " in tool:
        tool, args = "bash", tool
    meaning = settings_found().vocabulary().meaning(tool, _arguments(args))
    shown = {name: value for name, value in msgspec.structs.asdict(meaning).items() if value not in (None, (), False)}
    click.echo(msgspec.json.format(msgspec.json.encode(shown), indent=2).decode())


def _arguments(args: str | None) -> dict[str, object]:
    if not args:
        return {}
    if not _OBJECT.match(args):
        return {"command": args}
    try:
        return msgspec.json.decode(args, type=dict[str, object])
    except msgspec.MsgspecError as error:
        raise click.ClickException(f"ARGS is not a JSON object: {error}") from error


_OBJECT = re.compile(r"\s*\{(?!\s+[^\s\"}])")
"""A brace as JSON has it; a shell has a space and a command behind it."""
