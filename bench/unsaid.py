"""What could be said at the end of a turn and is not, because runs with it fail no more often, or nobody can tell.

Each is one question about the steps of a run and its final message; `bench/lift.py` counts how often such runs fail.
"""

from collections.abc import Callable, Sequence
from functools import partial

from headway.core.step import Step
from headway.policy.final_message import read_final_message
from headway.rolling.lazy import regex

_SOME_TESTS = regex(r"(?:^|\s)-k\s|::|--lf\b|--last-failed|(?:^|\s)-x\b|--maxfail|--bail|\s-run\s|-Dtest=|--filter")
_ONE_FILE = regex(r"\btests?/\S|test_\w+\.py|_test\.(?:py|go)|\w+Test\.java|\.(?:test|spec)\.[jt]s")
_CODE = regex(r"\.(?:py|js|ts|java|c|cc|cpp|h|go|rs|rb|sh)$")
_OWN = regex(r"^/tmp/|(?:^|/)(?:repro|reproduce|debug|scratch|tmp|temp|verify|demo|test)[^/]*$")
_TEST_FILE = regex(r"(?:^|/)tests?/|(?:^|/)test_[^/]*$|_test\.[a-z]+$")
REMOVES = ("rm ", "rmdir ", "git ", "unlink ", "find ")
_SWALLOWED = regex(r"except[^\n:]*:\s*\\?n?\s*pass\b|\|\| true\b|# type: ignore|# noqa|--no-verify|eslint-disable")


def changes(steps: Sequence[Step]) -> list[tuple[int, str]]:
    """Step and path of each file that was changed, and not taken away."""
    changed = [step for step in steps if step.changed and not (step.meaning.command or "").startswith(REMOVES)]
    return [(step.number, path) for step in changed for path in step.meaning.paths or filter(None, (step.path,))]


def _tests(steps: Sequence[Step]) -> list[Step]:
    return [step for step in steps if step.tests is not None]


def _ran(steps: Sequence[Step]) -> list[Step]:
    return [step for step in steps if step.kind in ("run", "test", "build") or step.meaning.runs]


def _last_code_change(steps: Sequence[Step]) -> int:
    return max((number for number, path in changes(steps) if _CODE.search(path) and not _OWN.search(path)), default=0)


def _in_part(steps: Sequence[Step]) -> bool:
    tests = _tests(steps)
    return bool(tests) and _SOME_TESTS.search(tests[-1].meaning.command or "") is not None


def _one_file(steps: Sequence[Step]) -> bool:
    tests = _tests(steps)
    return bool(tests) and _ONE_FILE.search(tests[-1].meaning.command or "") is not None


def _no_test(steps: Sequence[Step]) -> bool:
    last = _tests(steps)[-1:]
    return any(step.tests and not (step.tests.passed or step.tests.failed) for step in last)


def _changed_after(steps: Sequence[Step], looks: Sequence[Step]) -> bool:
    return bool(looks) and looks[-1].number < _last_code_change(steps)


def _given_up(steps: Sequence[Step], step: Step) -> bool:
    later = {path for at, path in changes(steps) if at > step.number}
    return step.failed and step.kind == "edit" and step.path not in later


UNSAID: dict[str, Callable[[Sequence[Step]], bool]] = {
    "only some tests were run last (`-k`, `::`, `--lf`, `-x`)": _in_part,
    "the tests of one file or folder were run last": _one_file,
    "no test ran in the last test run": _no_test,
    "code was changed after the last test run": lambda steps: _changed_after(steps, _tests(steps)),
    "code was changed after the last program that ran": lambda steps: _changed_after(steps, _ran(steps)),
    "nothing was ever run": lambda steps: not _ran(steps),
    "existing tests were edited": lambda steps: any(
        step.changed and step.kind == "edit" and _TEST_FILE.search(step.path or "") for step in steps
    ),
    "an edit swallows errors (`except: pass`, `# noqa`, `--no-verify` …)": lambda steps: any(
        step.changed and _SWALLOWED.search(str(step.params)) for step in steps
    ),
    "an edit failed and its file was not changed afterwards": lambda steps: any(map(partial(_given_up, steps), steps)),
}  # fmt: skip


def unsaid(steps: Sequence[Step], text: str) -> set[str]:
    """Which of these are true of a run whose final message reports success."""
    said = read_final_message(text) if text else None
    if said is None or said.admits or not said.claims:
        return set()
    return {what for what, is_so in UNSAID.items() if is_so(steps)}
