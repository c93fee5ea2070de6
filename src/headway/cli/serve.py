"""`headway serve`: the service for hooks and the dashboard."""

import sqlite3
from pathlib import Path

import click

from headway.cli.output import tell


@click.command()
@click.option("--open", "opens", is_flag=True, help="Open the dashboard in a browser.")
@click.option("--port", type=click.IntRange(0, 65535), default=4319, show_default=True,
              help="Port for HTTP; 0 chooses a free one.")  # fmt: skip
@click.option("--bind", metavar="ADDRESS", default="127.0.0.1", show_default=True,
              help="Listen on another address. Needs --token-file, --tls-cert and --tls-key.")  # fmt: skip
@click.option("--token-file", type=click.Path(path_type=Path), help="Use the token in this file.")
@click.option("--tls-cert", type=click.Path(path_type=Path), help="Certificate, for https.")
@click.option("--tls-key", type=click.Path(path_type=Path), help="Key of the certificate.")
def command(
    opens: bool, port: int, bind: str, token_file: Path | None, tls_cert: Path | None, tls_key: Path | None
) -> int:
    """Run the service: faster hooks, and a dashboard of all live sessions.

    Hooks reach it through a socket in the state folder (`headway install claude-code --via socket`). The dashboard is a
    web page on this machine, which needs a token that only you can read. Without the service, hooks work as before; it
    can be started and ended at any time.

    \b
      headway serve --open                 start, and show the dashboard

    Needs the packages of the extra `serve`: pip install 'headway-agents[serve]'.

    Exit codes: 0 ended; 2 it cannot be started; 130 interrupted.
    """
    try:
        from headway.serve.run import Place, StartError, serve
        from headway.serve.token import TokenError
    except ImportError as error:
        raise click.ClickException(f"{error}; run: pip install 'headway-agents[serve]'") from error

    def ready(url: str, token: str) -> None:
        tell(f"Headway serves {url}")
        if opens:
            click.launch(f"{url}/#token={token}")

    try:
        serve(Place(bind, port, token_file, tls_cert, tls_key), ready)
    except (StartError, TokenError, sqlite3.Error, OSError) as error:
        raise click.ClickException(str(error)) from error
    return 0
