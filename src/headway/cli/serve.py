"""`headway serve`: the service for hooks and the dashboard."""

import sqlite3
import sys
from pathlib import Path

import click

from headway.cli.output import tell
from headway.setup.command import SERVICE_PORT
from headway.setup.service_unit import unit_of, write_unit
from headway.setup.settings_file import SetupError


@click.command()
@click.option("--open", "opens", is_flag=True, help="Open the dashboard in a browser.")
@click.option("--detach", is_flag=True, help="Run in the background, and return when it answers.")
@click.option("--install", "installs", is_flag=True, help="Write the file that starts it at your login.")
@click.option("--port", type=click.IntRange(0, 65535), default=SERVICE_PORT, show_default=True,
              help="Port for HTTP; 0 chooses a free one.")  # fmt: skip
@click.option("--bind", metavar="ADDRESS", default="127.0.0.1", show_default=True,
              help="Listen on another address. Needs --token-file, --tls-cert and --tls-key.")  # fmt: skip
@click.option("--token-file", type=click.Path(path_type=Path), help="Use the token in this file.")
@click.option("--tls-cert", type=click.Path(path_type=Path), help="Certificate, for https.")
@click.option("--tls-key", type=click.Path(path_type=Path), help="Key of the certificate.")
@click.option("--name", "names", multiple=True, help="Another name or address under which it is reached, with --bind.")
@click.option("--upstream", metavar="URL", help="Send findings to this OTLP endpoint: http://collector:4318.")
def command(
    opens: bool,
    detach: bool,
    installs: bool,
    port: int,
    bind: str,
    token_file: Path | None,
    tls_cert: Path | None,
    tls_key: Path | None,
    names: tuple[str, ...],
    upstream: str | None,
) -> int:
    """Run the service: faster hooks, and a dashboard of all live sessions.

    Hooks reach it through a socket in the state folder (`headway install claude-code --via socket`). The dashboard is a
    web page on this machine, which needs a token that only you can read. Without the service, hooks work as before; it
    can be started and stopped at any time. It also receives OpenTelemetry (OTLP over HTTP, /v1/traces and /v1/logs).

    \b
      headway serve --open                 start, and show the dashboard
      headway serve --detach               start in the background
      headway serve --install              start at every login

    Needs the extra `serve`: pip install 'headway-agents[serve]'.

    Exit codes: 0 ended, or started in the background; 2 it cannot be started; 130 interrupted.
    """
    try:
        from headway.serve.detach import started_apart
        from headway.serve.run import Place, RunningError, StartError, serve, socket_path
        from headway.serve.token import TokenError, own_token, read_token
    except ImportError as error:
        raise click.ClickException(f"{error}; run: pip install 'headway-agents[serve]'") from error

    def ready(url: str, token: str) -> None:
        tell(f"Headway is running at {url}")
        if socket_path() is None:
            tell("  There is no socket for hooks: its path would be too long. Set HEADWAY_STATE_DIR to a shorter one.")
        if opens:
            click.launch(f"{url}/#token={token}")

    place = Place(bind, port, token_file, tls_cert, tls_key, upstream, names)
    try:
        place.check()
        if installs:
            _install(place.arguments())
        elif detach:
            url, token, process = started_apart(place)
            ready(url, token)
            tell(f"  Stop it: {_ending(process)}")
        else:
            serve(place, ready)
    except RunningError as running:
        if not (opens and running.url):
            raise click.ClickException(str(running)) from running
        ready(running.url, own_token() if token_file is None else read_token(token_file))
    except (StartError, TokenError, SetupError, sqlite3.Error, OSError) as error:
        raise click.ClickException(str(error)) from error
    return 0


def _ending(process: int) -> str:
    return f"taskkill /F /PID {process}" if sys.platform == "win32" else f"kill {process}"


def _install(arguments: tuple[str, ...]) -> None:
    unit = unit_of(arguments)
    is_new = write_unit(unit)
    tell(f"{unit.path} {'was written' if is_new else 'already existed'}. Nothing was started.")
    tell(f"  Start it now and at every login: {unit.enable}")
    tell(f"  Stop it and remove the file: {unit.disable}")
    tell("  Let an agent use it: headway install claude-code --via socket")
