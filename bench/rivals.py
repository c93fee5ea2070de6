"""Other watchers' own test cases (`tests/rival_cases`), judged by us, and what Headway says about them.

    python bench/rivals.py [--wrong]

*Agrees* is with what the suite expects, *right* is with our judgement: where the two differ, the case says why. A loop
counts as told at the length that its suite plays, and in the end when it goes on three times as long (at least thirty
rounds). Cases about compactions and repeated prompts stand in a line of their own. With `--wrong`, the cases that are
judged wrong are listed.
"""

import argparse
import sys
from collections.abc import Iterable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))
from tests.rival_cases import Case
from tests.rival_cases.suites import CASES, is_told

LATER = "compactions, repeated prompts"
HEAD = ("suite", "cases", "agrees", "right", "loops told", "in the end", "honest left alone")


def is_right(case: Case, verdict: str) -> bool:
    """Whether what is said at the suite's length fits a verdict."""
    return is_told(case) is (verdict == "loop")


def row(name: str, cases: list[Case]) -> list[str]:
    loops = [case for case in cases if case.judged == "loop"]
    honest = [case for case in cases if case.judged == "honest"]
    return [
        name,
        str(len(cases)),
        str(sum(is_right(case, case.expected) for case in cases)),
        str(sum(is_right(case, case.judged) for case in cases)),
        share(is_told(case) for case in loops),
        share(is_told(case, continued=True) for case in loops),
        share(not is_told(case) for case in honest),
    ]


def share(answers: Iterable[bool]) -> str:
    found = list(answers)
    return f"{sum(found)} of {len(found)}" if found else "–"


def wrong(case: Case) -> str:
    """What is wrong about a case; empty if nothing is."""
    if is_right(case, case.judged):
        return ""
    if case.judged == "honest":
        return "spoken to"
    return "told late" if is_told(case, continued=True) else "never told"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--wrong", action="store_true", help="list the cases that are judged wrong")
    wants_list = parser.parse_args().wrong
    now = [case for case in CASES if not case.comes_later]
    suites = {case.suite: [other for other in now if other.suite == case.suite] for case in now}
    groups = {**suites, "all": now, LATER: [case for case in CASES if case.comes_later]}
    print(f"| {' | '.join(HEAD)} |\n|{'---|' * len(HEAD)}")
    for name, cases in groups.items():
        print(f"| {' | '.join(row(name, cases))} |")
    for case in CASES if wants_list else []:
        if verdict := wrong(case):
            print(f"{verdict}: {case.suite}: {case.what} ({case.why})")


if __name__ == "__main__":
    main()
