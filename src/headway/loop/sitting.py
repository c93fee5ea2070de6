"""A sitting: from `headway loop` to its end, whether it begins a loop or takes one up again."""

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
from headway.loop.lock import only_loop_in, own_folder
from headway.loop.measuring import JUDGED, plans_for
from headway.loop.programs import UsageError, check_command_line, check_program, check_text
from headway.loop.prompt import prompt_now
from headway.loop.protected import with_protected
from headway.loop.round_snapshots import RoundSnapshots, branch_exists, is_branch_name
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
"""Instead of a loop's name: the one that worked last."""


@contextmanager
def start_loop(
    order: LoopSpec, settings: Settings, folder: Path, screen: Screen, *, loop_id: str | None = None,
    agrees: Callable[[str], bool] | None = None,
) -> Iterator[Runner]:  # fmt: skip
    """A new loop, checked and written down, alone in its project."""
    clock, keeping = Clock(), RoundSnapshots(folder, loop_id or "")
    if loop_id and (_files(folder, loop_id).folder / JOURNAL).exists():
        raise UsageError(f"loop {loop_id} already exists; continue it with: headway loop --resume {loop_id}")
    _check(order, folder, keeping)
    settings = with_protected(settings.for_a_monitor, folder, keeping.repository)
    prompt, _ = prompt_now(order, folder)
    with ExitStack() as stack:
        name_holder = stack.enter_context(only_loop_in(keeping.repository or folder, loop_id or "a new one"))
        _check_measurable(order, folder)
        loop_id = keeping.loop_id = _claimed_name(loop_id, order, folder, keeping)
        name_holder(loop_id)
        files = _files(folder, loop_id)
        journal = stack.enter_context(closing(Journal(files.folder)))
        own_folder(folder)
        started = facts.Started(
            at=clock.now(), loop_id=loop_id, folder=str(folder), order=order, settings=settings, prompt=prompt,
            format=facts.FORMAT,
        )  # fmt: skip
        journal.append(started)
        yield Runner(LoopState(started), journal, files, keeping, screen, clock, agrees=agrees)


@contextmanager
def resume_loop(
    loop_id: str, folder: Path, screen: Screen, changed: Callable[[LoopSpec], LoopSpec],
    agrees: Callable[[str], bool] | None = None,
) -> Iterator[Runner]:  # fmt: skip
    """A loop that goes on where its journal ends, perhaps with other limits."""
    loop_id = _last_one(folder / LOOPS) if loop_id == LAST else loop_id
    files = _files(folder, loop_id)
    if not files.folder.is_dir():
        raise UsageError(f"no loop {loop_id} in {folder / LOOPS}{_those_there(folder / LOOPS)}")
    clock, keeping = Clock(), RoundSnapshots(folder, loop_id)
    with only_loop_in(keeping.repository or folder, loop_id), closing(Journal(files.folder)) as journal:
        course = _course(journal)
        if Path(course.folder) != folder:
            raise UsageError(f"the loop {loop_id} belongs to {course.folder}; continue it there")
        order = changed(course.order)
        _check(order, folder, keeping, resuming=True)
        prompt_now(order, folder, course.prompt)
        keeping.recall(course)
        runner = Runner(course, journal, files, keeping, screen, clock, agrees=agrees)
        runner.note(facts.Resumed(at=clock.now(), order=order))
        runner.catch_up()
        yield runner


def _course(journal: Journal) -> LoopState:
    """Where a loop stands, or what can be done if its journal does not tell."""
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


def _check(order: LoopSpec, folder: Path, keeping: RoundSnapshots, *, resuming: bool = False) -> None:
    """Find out now what would otherwise go wrong in the middle of the night."""
    for what, text in _texts(order, folder):
        check_text(what, text)
    for command in filter(None, (order.command, order.then)):
        check_program(command[0], folder)
    for option, line in (("--test", order.test), ("--until", order.until)):
        check_command_line(option, line or "true", folder)
    if keeping.repository is None and order.rollback != "never":
        raise UsageError(
            "git is needed to save the files of each round; install it, or turn off rollbacks with --rollback never"
        )
    if order.branch and (keeping.repository is None or keeping.repository.private):
        raise UsageError(f"--branch {order.branch} needs a git repository, and {folder} is not one")
    if order.branch and keeping.repository and not head_of(keeping.repository):
        raise UsageError(f"--branch {order.branch} needs a commit to start from, and there is none yet")
    if order.branch and keeping.repository and not is_branch_name(keeping.repository, order.branch):
        raise UsageError(f"--branch {order.branch}: git does not allow this branch name")
    if order.branch and keeping.repository and not resuming and branch_exists(keeping.repository, order.branch):
        raise UsageError(f"branch {order.branch} already exists; choose another name for the result")


def _check_measurable(order: LoopSpec, folder: Path) -> None:
    """Rounds that nothing is measured of cannot be judged: that has to be wanted."""
    if not order.no_tests and not any(plan.name in JUDGED for plan in plans_for(folder, order)):
        needed = "; ".join(f"for {name}: {LOOKED_FOR[name]}" for name in JUDGED)
        raise UsageError(
            "nothing can be measured here, so rounds cannot be judged. Pass your test command with --test CMD, or run "
            f"without tests: --no-tests. Looked for, {needed}"
        )


def _texts(order: LoopSpec, folder: Path) -> Iterator[tuple[str, str]]:
    """All texts that go into the journal or to a program, each with what a person calls it."""
    yield "the name of this folder", str(folder)
    yield from (("the agent's command", word) for word in order.command)
    yield from (("--then", word) for word in order.then)
    for name in ("task", "prompt", "test", "until", "branch", "transcript"):
        if value := getattr(order, name):
            yield f"--{name}", value


def _claimed_name(wanted: str | None, order: LoopSpec, folder: Path, keeping: RoundSnapshots) -> str:
    """The loop's name, which no other loop of the repository has: its rounds would be kept in the same place."""
    names = [wanted] if wanted else _new_names(order)
    for name in names:
        keeping.loop_id = name
        if not (folder / LOOPS / name / JOURNAL).exists() and keeping.claim_name(folder):
            return name
    raise UsageError(
        f"loop {wanted} already exists in this repository, perhaps in another worktree; choose another name, "
        f"or delete it: headway forget {wanted}"
    )


def _new_names(order: LoopSpec) -> Iterator[str]:
    """Names made of the task's first words and the time."""
    words = re.findall(r"[a-z0-9]+", (order.task or Path(order.prompt or "").stem).lower())[:3]
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
