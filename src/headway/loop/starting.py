"""Starts a new loop, or resumes one."""

import itertools
import re
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

from headway.config.settings import Settings
from headway.loop import facts
from headway.loop.clock import Clock
from headway.loop.journal import JOURNAL, Journal, JournalError
from headway.loop.lock import make_own_folder, project_lock
from headway.loop.measuring import JUDGED, plans_for
from headway.loop.open_loop import OpenLoop
from headway.loop.programs import UsageError, check_command_line, check_program, check_text
from headway.loop.prompt import prompt_now
from headway.loop.protected import with_protected
from headway.loop.result_branch import branch_exists, is_branch_name
from headway.loop.round_snapshots import RoundSnapshots
from headway.loop.runner import Runner
from headway.loop.screen import Screen
from headway.loop.spec import LoopSpec
from headway.loop.state import LoopState
from headway.loop.tracker import TrackerError
from headway.probes.propose import LOOKED_FOR
from headway.snapshots import head_of
from headway.store.loop_files import LOOP, LoopFiles, StorageError, loops

LOOPS = Path(".headway") / "loops"
LAST = "last"
"""Stands for the most recent loop."""


@contextmanager
def start_loop(
    spec: LoopSpec, settings: Settings, folder: Path, screen: Screen, *, loop_id: str | None = None,
    agrees: Callable[[str], bool] | None = None,
) -> Iterator[Runner]:  # fmt: skip
    """Check and record a new loop, and hold the project's lock."""
    clock, snapshots = Clock(), RoundSnapshots(folder, loop_id or "")
    if loop_id and (_files(folder, loop_id).folder / JOURNAL).exists():
        raise UsageError(f"loop {loop_id} already exists; continue it with: headway loop --resume {loop_id}")
    _check(spec, folder, snapshots)
    settings = with_protected(settings.for_a_monitor, folder, snapshots.repository)
    prompt, _ = prompt_now(spec, folder)
    with ExitStack() as stack:
        name_holder = stack.enter_context(project_lock(snapshots.repository or folder, loop_id or "a new one"))
        _check_measurable(spec, folder)
        loop_id = snapshots.loop_id = _reserve_name(loop_id, spec, folder, snapshots)
        name_holder(loop_id)
        files = _files(folder, loop_id)
        journal = stack.enter_context(closing(Journal(files.folder)))
        make_own_folder(folder)
        started = facts.Started(
            at=clock.now(), loop_id=loop_id, folder=str(folder), spec=spec, settings=settings, prompt=prompt,
            format=facts.FORMAT,
        )  # fmt: skip
        journal.append(started)
        yield Runner(OpenLoop(LoopState(started), journal, files, snapshots, screen, clock), agrees=agrees)


@contextmanager
def resume_loop(
    loop_id: str, folder: Path, screen: Screen, changed: Callable[[LoopSpec], LoopSpec],
    agrees: Callable[[str], bool] | None = None,
) -> Iterator[Runner]:  # fmt: skip
    """Resume a loop where its journal ends, perhaps with other limits."""
    loop_id = _last_one(folder / LOOPS) if loop_id == LAST else loop_id
    files = _files(folder, loop_id)
    if not files.folder.is_dir():
        raise UsageError(f"no loop {loop_id} in {folder / LOOPS}{_those_there(folder / LOOPS)}")
    clock, snapshots = Clock(), RoundSnapshots(folder, loop_id)
    with project_lock(snapshots.repository or folder, loop_id), closing(Journal(files.folder)) as journal:
        state = _state(journal)
        if Path(state.folder) != folder:
            raise UsageError(f"the loop {loop_id} belongs to {state.folder}; continue it there")
        spec = changed(state.spec)
        _check(spec, folder, snapshots, resuming=True)
        prompt_now(spec, folder, state.prompt)
        snapshots.load_refs(state)
        runner = Runner(OpenLoop(state, journal, files, snapshots, screen, clock), agrees=agrees)
        runner.loop.note(facts.Resumed(at=clock.now(), spec=spec))
        runner.catch_up()
        yield runner


def _state(journal: Journal) -> LoopState:
    """The state of a loop. If its journal cannot be read, the error says what to do."""
    try:
        return LoopState.of(journal.read())
    except (JournalError, TrackerError, LookupError) as error:
        why = error if isinstance(error, JournalError) else f"{journal.path}: facts are missing in the middle of it"
        name = journal.path.parent.name
        raise JournalError(
            f"{why}.\nWithout its journal the loop cannot continue. Its rounds still exist: `headway report {name}` "
            f"shows them, `headway rollback {name} ROUND` restores one, and a new loop can start from it"
        ) from error


def _files(folder: Path, loop_id: str) -> LoopFiles:
    try:
        return LoopFiles(folder / LOOPS, loop_id)
    except ValueError as error:
        raise UsageError(str(error)) from error


def _check(spec: LoopSpec, folder: Path, snapshots: RoundSnapshots, *, resuming: bool = False) -> None:
    """Check everything now that could otherwise fail hours later."""
    for what, text in _texts(spec, folder):
        check_text(what, text)
    for command in filter(None, (spec.command, spec.then)):
        check_program(command[0], folder)
    for option, line in (("--test", spec.test), ("--until", spec.until)):
        check_command_line(option, line or "true", folder)
    if snapshots.repository is None and spec.rollback != "never":
        raise UsageError(
            "git is needed to save the files of each round; install it, or turn off rollbacks with --rollback never"
        )
    if spec.branch and (snapshots.repository is None or snapshots.repository.private):
        raise UsageError(f"--branch {spec.branch} needs a git repository, and {folder} is not one")
    if spec.branch and snapshots.repository and not head_of(snapshots.repository):
        raise UsageError(f"--branch {spec.branch} needs a commit to start from, and there is none yet")
    if spec.branch and snapshots.repository and not is_branch_name(snapshots.repository, spec.branch):
        raise UsageError(f"--branch {spec.branch}: git does not allow this branch name")
    if spec.branch and snapshots.repository and not resuming and branch_exists(snapshots.repository, spec.branch):
        raise UsageError(f"branch {spec.branch} already exists; choose another name for the result")


def _check_measurable(spec: LoopSpec, folder: Path) -> None:
    """Refuse a loop that measures nothing, because its rounds cannot be judged. `--no-tests` allows it."""
    if not spec.no_tests and not any(plan.name in JUDGED for plan in plans_for(folder, spec)):
        needed = "; ".join(f"for {name}: {LOOKED_FOR[name]}" for name in JUDGED)
        raise UsageError(
            "nothing can be measured here, so rounds cannot be judged. Pass your test command with --test CMD, or run "
            f"without tests: --no-tests. Looked for, {needed}"
        )


def _texts(spec: LoopSpec, folder: Path) -> Iterator[tuple[str, str]]:
    """All texts that go into the journal or to a program, each with the name of its option."""
    yield "the name of this folder", str(folder)
    yield from (("the agent's command", word) for word in spec.command)
    yield from (("--then", word) for word in spec.then)
    for name in ("task", "prompt", "test", "until", "branch", "transcript"):
        if value := getattr(spec, name):
            yield f"--{name}", value


def _reserve_name(wanted: str | None, spec: LoopSpec, folder: Path, snapshots: RoundSnapshots) -> str:
    """The loop's name, which no other loop of the repository may have, since both would share their snapshots."""
    names = [wanted] if wanted else _new_names(spec)
    for name in names:
        snapshots.loop_id = name
        if not (folder / LOOPS / name / JOURNAL).exists() and snapshots.claim_name(folder):
            return name
    raise UsageError(
        f"loop {wanted} already exists in this repository, perhaps in another worktree; choose another name, "
        f"or delete it: headway forget {wanted}"
    )


def _new_names(spec: LoopSpec) -> Iterator[str]:
    """Names made of the task's first words and the time."""
    words = re.findall(r"[a-z0-9]+", (spec.task or Path(spec.prompt or "").stem).lower())[:3]
    name = "-".join([*words, time.strftime("%m%d-%H%M%S")])[:60]
    yield name
    yield from (f"{name}-{number}" for number in itertools.count(2))


def _last_one(root: Path) -> str:
    found = [path for path in root.glob(f"*/{JOURNAL}") if path.is_file()] or [*root.glob(f"*/{LOOP}")]
    if not found:
        raise UsageError(f"no loop to resume in {root}")
    return max(found, key=lambda path: path.stat().st_mtime_ns).parent.name


def _those_there(root: Path) -> str:
    try:
        known = loops(root)
    except StorageError:
        known = []
    return f"; the loops are: {', '.join(known[-5:])}" if known else ""
