"""Plans for projects whose tests only a Makefile describes."""

import re
from pathlib import Path

from headway.probes.probe import Plan
from headway.probes.project.look import text_of

_TEST_TARGET = re.compile(r"^test\s*:(?!=)", re.MULTILINE)


def plans(folder: Path) -> list[Plan]:
    """`make test`, if there is such a target."""
    if any(_TEST_TARGET.search(text_of(folder / name)) for name in ("Makefile", "makefile", "GNUmakefile")):
        return [Plan(name="tests", probe="printed_tests", command=("make", "test"))]
    return []
