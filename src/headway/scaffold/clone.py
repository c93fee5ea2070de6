"""Files for a clone of Headway: the new module, its test, and a line in each table that must list it."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from headway.detectors import built_in
from headway.readers import readers
from headway.scaffold.names import Name, NewError
from headway.scaffold.new_files import NewFiles, filled

_DETECTOR_IMPORTS = """\
from headway.core.detector import Detector, Findings, state
from headway.core.finding import Severity
from headway.core.session import Session
from headway.core.step import Step"""

_READER_IMPORTS = """\
from collections.abc import Iterator
from typing import Any

import msgspec

from headway.core.events import AgentSpoke, Event, RunStarted, ToolCalled, ToolReturned, UserSpoke
from headway.sources import Head, Source"""

_PROVOCATION = '    "{0.module}": lambda d: [call("WebFetch", {{"url": "x"}}, "Error: 503", failed=True)] * d.limit,\n'
_NEIGHBOURS = '    "{0.dashed}": [(AUDIT_LOG, None), (CHAT, "openai-chat")],\n'
_COUNTER = '    "{0.dashed}": count_{0.module},\n'
_BEGINNING = '    "{0.module}": (b\'"{0.module}_version"\',),\n'
FORMAT_ROW = "| `{0.dashed}` | what it is, in a few words | where its files are |\n"
_SAMPLE_ROW = "| `{0.dashed}/session.jsonl` | written by hand; put a real recording in its place | ours |\n"


def is_clone(folder: Path) -> bool:
    """Whether a folder is a clone of Headway."""
    return (folder / "src" / "headway" / "detectors" / "step").is_dir()


def planned(kind: str, name: Name, root: Path) -> NewFiles:
    """The files of a new detector, reader or adapter in a clone."""
    if not Path(__file__).resolve().is_relative_to(root.resolve()):
        raise NewError(
            f"{root} is a clone of Headway, but this command belongs to another installation. Run "
            f"`make .venv/ready` there, and then `.venv/bin/headway new {kind} {name.module}`."
        )
    makers: dict[str, Callable[[Name, Path], NewFiles]] = {
        "detector": _detector,
        "reader": _reader,
        "adapter": _adapter,
    }
    return makers[kind](name, root)


def _detector(name: Name, root: Path) -> NewFiles:
    source = root / "src" / "headway" / "detectors"
    if taken := sorted(source.glob(f"*/{name.module}.py")):
        raise NewError(f"there is a detector {name.module} already: {taken[0].relative_to(root)}. Choose another name.")
    table = "tests/provocations.py"
    return NewFiles(
        root=root,
        new={
            f"src/headway/detectors/step/{name.module}.py": filled(
                "detector.py.txt", name, imports=_DETECTOR_IMPORTS, findings="Findings"
            ),
            f"tests/detectors/step/test_{name.module}.py": filled("detector_test_clone.py.txt", name),
        },
        changed={table: _sorted_in(_text(root / table), "PROVOCATIONS", _PROVOCATION.format(name))},
        next_steps=(
            "Describe your pattern in the four lines of the docstring, then look for it in `on_step`.",
            "Change the test, and the line in tests/provocations.py that makes the detector fire.",
            "`make data docs` brings what is made from the code up to date; `make check` runs everything that CI runs.",
            "Its findings are only recorded while its severity is low. Raise it when recordings show that it is right.",
        ),
    )


def _reader(name: Name, root: Path) -> NewFiles:
    if name.dashed in readers():
        raise NewError(f"there is a reader {name.dashed} already. Choose another name.")
    beginnings, counters, neighbours, page, samples = (
        "src/headway/sources/head.py",
        "bench/count.py",
        "tests/readers/test_neighbours.py",
        "docs/recordings.md",
        "tests/readers/samples/README.md",
    )
    return NewFiles(
        root=root,
        new={
            f"src/headway/readers/{name.module}.py": reader_as_written(name),
            f"tests/readers/test_{name.module}.py": filled("reader_test_clone.py.txt", name),
            f"tests/readers/samples/{name.dashed}/session.jsonl": filled("reader_sample.jsonl.txt", name),
        },
        changed={
            beginnings: _sorted_in(_text(root / beginnings), "ONE_PROGRAM", _BEGINNING.format(name)),
            counters: _with_counter(root / counters, name),
            neighbours: _sorted_in(_text(root / neighbours), "LIKE", _NEIGHBOURS.format(name)),
            page: _last_row(root / page, FORMAT_ROW.format(name)),
            samples: _last_row(root / samples, _SAMPLE_ROW.format(name)),
        },
        next_steps=(
            f"Put a short real recording into tests/readers/samples/{name.dashed}/, and say in the README.md of "
            "tests/readers/samples where it is from.",
            "Make `recognises` look for what only your format has, and `read` yield an event for each record.",
            f"In bench/count.py, make `count_{name.module}` count your recordings without the reader; a test "
            "compares this with a scan.",
            f"In tests/readers/test_neighbours.py, give {name.dashed} two files of other formats that look similar.",
            "Say in docs/recordings.md what it reads and where the files are.",
            "In src/headway/sources/head.py, name words of which each of your recordings has one at its "
            "beginning: the reader is loaded only for files with such a word.",
            "`make check && make fuzz` runs everything that CI runs, and reads damaged recordings.",
        ),
    )


def reader_as_written(name: Name) -> str:
    """The code of a new reader, before it is changed."""
    return filled("reader.py.txt", name, imports=_READER_IMPORTS)


def _adapter(name: Name, root: Path) -> NewFiles:
    place = f"headway.hosts.frameworks.{name.module}"
    return NewFiles(
        root=root,
        new={
            f"src/headway/hosts/frameworks/{name.module}.py": filled("adapter.py.txt", name),
            f"tests/hosts/test_{name.module}.py": filled("adapter_test.py.txt", name, place=place),
        },
        next_steps=(
            "Call the methods of `Watch` from the framework's hooks; langchain.py and its test are a model.",
            'Above the framework\'s imports, write `require("EXTRA", "DISTRIBUTION", "1.0", "2")`: tested versions.',
            "From then on the tests ask for the rest: an extra in pyproject.toml, an example, and a measured cost.",
            "CONTRIBUTING.md lists them under “Add a framework adapter”. `make check` runs everything that CI runs.",
        ),
    )


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def _with_counter(path: Path, name: Name) -> str:
    """The text of `bench/count.py` with a function that counts the sample, in front of the table that names it."""
    before, table, after = _text(path).partition("COUNTERS: ")
    counter = filled("reader_counter.py.txt", name)
    return _sorted_in(before + counter + table + after, "COUNTERS", _COUNTER.format(name))


def _sorted_in(text: str, table: str, line: str) -> str:
    """The text of a Python file with a line in one of its tables, which is sorted by its keys."""
    lines = text.splitlines(keepends=True)
    begin = next(number for number, one in enumerate(lines) if one.startswith(table))
    place = next(
        number
        for number in range(begin + 1, len(lines))
        if lines[number].startswith("}") or (lines[number].startswith('    "') and lines[number] > line)
    )
    return "".join([*lines[:place], line, *lines[place:]])


def _last_row(path: Path, row: str) -> str:
    """The text of a page with one more row at the end of its first table."""
    lines = _text(path).splitlines(keepends=True)
    begin = next(number for number, one in enumerate(lines) if one.startswith("|"))
    place = next((number for number in range(begin, len(lines)) if not lines[number].startswith("|")), len(lines))
    return "".join([*lines[:place], row, *lines[place:]])


def regenerated_files(kind: str, root: Path) -> list[str]:
    """Regenerate the files that are made from the code; returns the changed ones."""
    if kind != "detector" or not is_clone(root):
        return []
    from headway.reports.detectors import as_markdown, describe  # only now: it loads all detectors, the new one too

    page = root / "docs" / "detectors.md"
    data = [path for ending in ("*_data.py", "*.json") for path in sorted((root / "src").rglob(ending))]
    before = {path: path.read_bytes() for path in (*data, page)}
    subprocess.run([sys.executable, "dev/make_data.py"], cwd=root, check=True)
    page.write_text(as_markdown([describe(one) for one in built_in().values()]) + "\n", encoding="utf-8")
    return [path.relative_to(root).as_posix() for path, was in before.items() if path.read_bytes() != was]
