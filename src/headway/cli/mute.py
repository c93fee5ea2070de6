"""`headway mute`: ignore the findings of a detector in this project, or turn Headway off for one session."""

import time
from pathlib import Path

import click

from headway.cli.detector_list import all_detectors
from headway.cli.live_sessions import in_words, live_session
from headway.cli.options import duration
from headway.config.renames import current_id
from headway.config.settings import nearest
from headway.hosts.hook.orders import answers, leave_alone, mute, unmute
from headway.policy import LIMITS
from headway.policy.reasons import REASONS
from headway.reports.text import plain
from headway.store.answers import MUTE, Answer

AT_THE_END = ("claim_contradicted", "failed_change")
"""Reasons that are not detectors and can be muted too."""


@click.command()
@click.argument("names", nargs=-1, metavar="[DETECTOR|SESSION]…")
@click.option("--for", "seconds", metavar="TIME", callback=duration, help="How long: 1d, 12h. The default is for good.")
@click.option("--undo", is_flag=True, help="Unmute it.")
def command(names: tuple[str, ...], seconds: float | None, undo: bool) -> int:
    """Mute a detector in the project of this folder, or a live session.

    A muted detector still records what it finds, but the agent gets no nudge about it, and no call is refused because
    of it. Another detector may still refuse the same call; `headway allow` lets it repeat. A muted session is left
    alone until it ends, as with `headway off`. Without a name, this lists the detectors that are muted and the calls
    that are allowed in this project. Limits that you set cannot be muted.

    \b
      headway mute exact_cycle --for 1d
      headway mute exact_cycle
      headway mute exact_cycle --undo
      headway mute 3f2a91c0
      headway mute

    Exit codes: 0 done; 2 no such detector or session, or the session has ended.
    """
    if not names:
        for line in _listed(answers(str(Path.cwd()))):
            click.echo(line)
    for name in names:
        _mute(name, seconds, undo)
    return 0


def _mute(name: str, seconds: float | None, undo: bool) -> None:
    detector, known = current_id(name), [*all_detectors(), *AT_THE_END]
    if detector in LIMITS:
        raise click.ClickException(f"{detector} is about a limit that you set; change the limit instead")
    if detector in known:
        click.echo(_mute_detector(detector, seconds, undo))
        return
    if detector in REASONS:
        raise click.ClickException(f"{detector} is not a detector, so it cannot be muted: `headway explain {detector}`")
    if seconds is not None:
        told = f"no detector {name!r}{nearest(name, known)}"
        raise click.UsageError(f"--for is for detectors (a session is muted until it ends); {told}")
    try:
        sessions = live_session(name)
    except click.ClickException as error:
        told = f"no detector {name!r}{nearest(name, known)}"
        raise click.ClickException(f"{told} It could also be a session, but {error.message}") from error
    for one in sessions:
        leave_alone(one, not undo)
        click.echo(f"{in_words(one)}: Headway is {'on again' if undo else 'off until it ends'}")


def _mute_detector(detector: str, seconds: float | None, undo: bool) -> str:
    here = str(Path.cwd())
    if undo:
        return f"{detector} is {'no longer muted' if unmute(here, detector) else 'not muted'} in this project"
    project = mute(here, detector, seconds)
    return f"{detector} is muted in {project} {_how_long(seconds)}; undo: headway mute {detector} --undo"


def _how_long(seconds: float | None) -> str:
    if seconds is None:
        return "for good"
    return f"until {time.strftime('%Y-%m-%d %H:%M', time.localtime(time.time() + seconds))}"


def _listed(found: list[Answer]) -> list[str]:
    if not found:
        return ["nothing is muted or allowed in this project"]
    now = time.time()
    return [
        f"{'muted' if one.kind == MUTE else 'may repeat'}: {plain(one.about)} "
        f"{_how_long(None if one.until is None else one.until - now)}"
        for one in found
    ]
