"""The engine that `--engine` chooses."""

import click

from headway.study.engines import Engine
from headway.study.pool import cores


def engine_for(name: str | None, address: str | None, workers: int | None) -> Engine:
    """The requested engine."""
    if name == "ray":
        from headway.study.engines.ray import RayEngine  # an extra, and slow to start

        try:
            return RayEngine(address, workers)
        except ImportError as error:
            raise click.ClickException("--engine ray needs Ray: pip install 'headway-agents[ray]'") from error
        except (OSError, ValueError) as error:  # nothing answers there, or it is not an address
            raise click.ClickException(f"no Ray cluster at {address}: {error}") from error
    from headway.study.engines.local import LocalEngine

    return LocalEngine(workers or cores())
