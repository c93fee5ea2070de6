"""Send notices to a person: to the desktop, a webhook, Slack or ntfy.

    send_due(notify)      send everything that is due; how many were sent
    user_notify()         the settings for that, from the user's own file and environment

`headway serve` calls this from time to time. The hook never does: it only records what is due (`store/notices.py`), so
that no agent waits for a network, and without the service nothing is sent.
"""

import json
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from html import escape
from pathlib import Path, PurePath
from typing import Any

from headway.config.find import find_settings
from headway.config.settings import Notify, SettingsError
from headway.snapshots.git import find_program
from headway.store.faults import note_fault
from headway.store.notices import Notice, claim, give_back
from headway.store.sessions import SessionStore

PATIENCE = 5.0
"""Seconds to wait for an address or a program."""
LONGEST = 500
"""Characters of a message that are sent."""
_TITLES = {
    "stop": "stopped",
    "escalate": "asks you about a call",
    "would_stop": "goes in circles; the mode enforce would stop it",
    "needs_you": "needs you",
    "budget_80": "has used 80 % of a limit",
    "budget_100": "has reached a limit",
}
_URGENT = ("stop", "escalate", "needs_you", "budget_100")

Sender = Callable[[Notice], None]


def user_notify() -> Notify:
    """The user's settings for notifications; none if the settings have a mistake."""
    try:
        return find_settings(folder=Path(Path.home().anchor)).settings.notify
    except (SettingsError, OSError) as error:
        note_fault("settings of notifications", error)
        return Notify()


def send_due(notify: Notify, now: float | None = None) -> int:
    """Send everything that is due, unless these are quiet hours; returns how many notifications were sent."""
    now = time.time() if now is None else now
    if not notify.is_on or is_quiet(notify.quiet, now):
        return 0
    store, sent = SessionStore(), 0
    try:
        store.prepare()
        for notice in claim(store.connection, tuple(notify.on), now):
            if _sent(notice, notify):
                sent += 1
            else:
                give_back(store.connection, notice)
    finally:
        store.close()
    return sent


def is_quiet(quiet: str | None, now: float) -> bool:
    """Whether a time lies in the quiet hours, such as 22:00-07:00, in local time."""
    if quiet is None:
        return False
    local = time.localtime(now)
    minute = local.tm_hour * 60 + local.tm_min
    begins, ends = (int(one.partition(":")[0]) * 60 + int(one.partition(":")[2]) for one in quiet.split("-"))
    return begins <= minute < ends if begins <= ends else minute >= begins or minute < ends


def _sent(notice: Notice, notify: Notify) -> bool:
    """Send a notice in all configured ways and log failures; returns whether at least one way worked."""
    worked = False
    for name, send in _senders(notify):
        try:
            send(notice)
        except (OSError, ValueError, subprocess.SubprocessError) as error:
            note_fault(f"notification over {name}", _without_address(error))
        else:
            worked = True
    return worked


def _without_address(error: Exception) -> OSError:
    """The kind of the error, without its text, which may quote a secret address."""
    return OSError(f"{type(error).__name__} {getattr(error, 'code', '')}".strip())


def _senders(notify: Notify) -> Iterator[tuple[str, Sender]]:
    if notify.desktop:
        yield "the desktop", _to_desktop
    if (webhook := notify.webhook) is not None:
        yield "the webhook", lambda notice: _post(webhook, _as_data(notice))
    if (slack := notify.slack) is not None:
        yield "Slack", lambda notice: _post(slack, {"text": f"*{_slack(title(notice))}*\n{_slack(text(notice))}"})
    if (ntfy := notify.ntfy) is not None:
        yield "ntfy", lambda notice: _post(*_for_ntfy(ntfy, notice))


def title(notice: Notice) -> str:
    """The title: which agent, and what happened."""
    where = f" in {PurePath(notice.cwd).name}" if PurePath(notice.cwd).name else ""
    return f"{notice.host}{where} {_TITLES[notice.kind]}"


def text(notice: Notice) -> str:
    """What was seen, and which session it is."""
    which = f"{notice.prompt[:80]} ({notice.session[:8]})" if notice.prompt else f"session {notice.session[:8]}"
    return f"{notice.message[:LONGEST]} [{which}]"


def _as_data(notice: Notice) -> dict[str, Any]:
    told = {"kind": notice.kind, "title": title(notice), "message": notice.message[:LONGEST], "at": notice.at}
    return {"version": 1, **told, "agent": notice.host, "session": notice.session, "prompt": notice.prompt}


def _for_ntfy(address: str, notice: Notice) -> tuple[str, dict[str, Any]]:
    """The server of ntfy takes JSON at its root, where texts need not be ASCII as in its headers."""
    root, _, topic = address.rstrip("/").rpartition("/")
    priority = 4 if notice.kind in _URGENT else 3
    return root, {"topic": topic, "title": title(notice), "message": text(notice), "priority": priority}


def _slack(words: str) -> str:
    """Text escaped for Slack, so that it contains no links and no mentions."""
    return words.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _post(address: str, data: dict[str, Any]) -> None:
    headers = {"Content-Type": "application/json", "User-Agent": "headway"}
    request = urllib.request.Request(address, json.dumps(data).encode(), headers)  # noqa: S310 (checked in settings)
    with urllib.request.urlopen(request, timeout=PATIENCE):  # noqa: S310
        pass


def _to_desktop(notice: Notice) -> None:
    """Texts are passed as arguments and never as part of a script."""
    if sys.platform == "darwin":
        show = "display notification (item 2 of argv) with title (item 1 of argv)"
        command = ["osascript", "-e", "on run argv", "-e", show, "-e", "end run", "--"]
    else:
        command = ["notify-send", "--app-name=Headway", "--"]
    program = find_program(command[0])
    if program is None:
        raise OSError(f"{command[0]} is not installed")
    shown = text(notice) if sys.platform == "darwin" else escape(text(notice), quote=False)
    subprocess.run(  # noqa: S603
        [program, *command[1:], title(notice), shown], timeout=PATIENCE, check=True, capture_output=True
    )
