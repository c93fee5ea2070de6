"""Runs one trial: starts a program offline with our hooks, and checks whether it calls them."""

import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from headway.setup.check import Check, Result
from headway.setup.installed import Installed
from headway.setup.live.copies import copy_settings
from headway.setup.live.scripted_model import ScriptedModel
from headway.setup.live.start import Start
from headway.setup.live.wire import ScriptedCall
from headway.setup.settings_file import SetupError
from headway.store.overview import list_sessions

PATIENCE = 180.0
"""Seconds after which a program is killed; most take two to ten."""
_OURSELVES = "127.0.0.1,localhost,::1"


def try_live(seen: Installed, here: Path) -> Check:
    """Whether the program itself calls the hook, in a temporary home and project, without a real model."""
    agent = seen.agent
    program = shutil.which(agent.program)
    if program is None:
        return _check(seen, "note", f"`{agent.program}` is not on your PATH, so it could not be started")
    plugin = seen.plugin.files if seen.plugin else {}
    if seen.plugin and not plugin and not seen.places:
        text = f"`{agent.program}` was not started, because {seen.plugin.name} is not known to be Headway's plugin"
        return _check(seen, "note", text, seen.plugin.fix)
    if not plugin and not any(line in agent.own_lines(path) for line, path in seen.lines.items()):
        return _check(
            seen, "note", f"`{agent.program}` was not started, because a different Headway wrote its settings"
        )
    with tempfile.TemporaryDirectory(prefix="headway-live-", ignore_cleanup_errors=True) as folder:
        start = agent.start(plugin, trusted=not any(map(agent.obstacles, seen.places)))
        if start is None:
            return _check(seen, "note", f"Headway does not know how to start {agent.title} without its model")
        if machine := [path for path in start.machine if Path(path).exists()]:
            text = f"not started: {machine[0]} applies to every start and might select the real model"
            return _check(seen, "note", text)
        with ScriptedModel(ScriptedCall(start.tool, start.call)) as model:
            try:
                ended = _run(program, start, seen, Path(folder), model.url, here)
            except (OSError, SetupError) as error:
                return _check(seen, "note", f"`{agent.program}` could not be started: {error}")
        return _verdict(seen, model.asked, ended, Path(folder))


def _verdict(seen: Installed, asked: int, ended: str, folder: Path) -> Check:
    agent, database = seen.agent, folder / "state" / "sessions.db"
    sessions = list_sessions(path=str(database)) if database.exists() else []
    if any(session.host == agent.name and session.steps for session in sessions):
        return _check(seen, "ok", f"`{agent.program}` was started with a scripted model, and called the hook")
    if asked < 2:  # the result of the command did not reach the model
        text = f"`{agent.program}` was started with a scripted model, but ran no command ({ended})"
        return _check(seen, "note", text)
    called = "did not report the result to the hook" if sessions else "did not call the hook"
    text = f"`{agent.program}` was started with a scripted model, ran a command, and {called}"
    update = f"if {agent.title} is older than {agent.oldest}, update {agent.title}; otherwise " if agent.oldest else ""
    return _check(seen, "problem", text, f"{update}headway install {agent.name}; {agent.next_step}".rstrip("; "))


def _run(program: str, start: Start, seen: Installed, folder: Path, url: str, here: Path) -> str:
    """Start the program in its own folders; returns how it ended."""
    home, project = folder / "home", folder / "project"
    for one in (home, project, folder / "tmp"):
        one.mkdir()
    known = {"{url}": url, "{home}": str(home), "{project}": str(project)}
    copy_settings(seen, {name: _filled(content, known) for name, content in start.files.items()}, home, project, here)
    environment = {
        "PATH": os.environ.get("PATH", os.defpath), "HOME": str(home), "TMPDIR": str(folder / "tmp"), "TERM": "dumb",
        "LANG": "C.UTF-8", "HEADWAY_STATE_DIR": str(folder / "state"), "NO_PROXY": _OURSELVES, "no_proxy": _OURSELVES,
        **dict.fromkeys(("HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy", "ALL_PROXY"), url),
        **{name: str(_filled(value, known)) for name, value in start.environment.items()},
    }  # fmt: skip
    arguments = [str(_filled(word, known)) for word in start.arguments]
    process = subprocess.Popen(  # noqa: S603 (the agent's own program, with our arguments)
        [program, *arguments], cwd=project, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, text=True, errors="replace", start_new_session=True,
    )  # fmt: skip
    try:
        output, _ = process.communicate(timeout=PATIENCE)
        last = output.strip().splitlines()[-1:] or [""]
        return f"exit code {process.returncode}{': ' + last[0][:200] if last[0] else ''}"
    except subprocess.TimeoutExpired:
        return f"it took more than {PATIENCE:.0f} seconds"
    finally:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def _filled(content: object, known: Mapping[str, str]) -> object:
    """The text or data with its placeholders replaced."""
    if isinstance(content, str):
        for place, value in known.items():
            content = content.replace(place, value)
        return content
    return {name: _filled(value, known) for name, value in content.items()} if isinstance(content, dict) else content


def _check(seen: Installed, result: Result, text: str, fix: str = "") -> Check:
    return Check(about=seen.agent.name, result=result, text=text, fix=fix)
