"""Files for another project: a module in its package, a test, and the entry point of the plug-in."""

import re
import tomllib
from pathlib import Path
from typing import Any

from headway.detectors import scales_by_id
from headway.scaffold.names import Name, NewError
from headway.scaffold.new_files import NewFiles, filled

_DETECTOR_IMPORTS = """\
from collections.abc import Iterable

from headway import Detector, Finding, Session, Severity, Step, state"""

_READER_IMPORTS = """\
from collections.abc import Iterator
from typing import Any

import msgspec
from headway import AgentSpoke, Event, RunStarted, ToolCalled, ToolReturned, UserSpoke
from headway.sources import Head, Source"""

_NOT_PACKAGES = {"tests", "test", "docs", "examples", "scripts", "build", "dist"}


def planned(kind: str, name: Name, root: Path) -> NewFiles:
    """The files of a new detector, reader or adapter in the project whose `pyproject.toml` is in `root`."""
    settings = root / "pyproject.toml"
    described = _described(settings)
    folder = _package(root, described["name"])
    package = ".".join(folder.relative_to(root / "src" if (root / "src") in folder.parents else root).parts)
    module = (folder / f"{name.module}.py").relative_to(root).as_posix()
    test = f"tests/test_{name.module}.py"
    if kind == "adapter":
        return NewFiles(
            root=root,
            new={
                module: filled("adapter.py.txt", name),
                test: filled("adapter_test.py.txt", name, place=f"{package}.{name.module}"),
            },
            next_steps=(
                "Call the methods of `Watch` from your framework's hooks.",
                f"Use it in your program: `from {package}.{name.module} import Watch`.",
                "Your project needs Headway: `uv add headway-agents`.",
            ),
        )
    group, key = f"headway.{kind}s", name.module if kind == "detector" else name.dashed
    _refuse_taken(kind, name, described, group, key)
    entry = f'{key} = "{package}.{name.module}:{name.type}"'
    new = (
        {
            module: filled("detector.py.txt", name, imports=_DETECTOR_IMPORTS, findings="Iterable[Finding]"),
            test: filled("detector_test_project.py.txt", name, package=package),
        }
        if kind == "detector"
        else {
            module: filled("reader.py.txt", name, imports=_READER_IMPORTS),
            test: filled("reader_test_project.py.txt", name, package=package),
            f"tests/{name.module}.jsonl": filled("reader_sample.jsonl.txt", name),
        }
    )
    return NewFiles(
        root=root,
        new=new,
        changed={"pyproject.toml": _with_entry(settings.read_bytes().decode(), group, entry)},
        next_steps=(*_STEPS[kind], *_INSTALL, f"`{_SHOW[kind].format(name)}` then shows it."),
    )


_STEPS = {
    "detector": ("Describe your pattern in the docstring, look for it in `on_step`, and change the test.",),
    "reader": (
        "Put a recording of your own in place of the sample beside the test.",
        "Make `recognises` look for what only your format has, and `read` yield an event for each record.",
    ),
}
_INSTALL = (
    "Install your project beside Headway: `uv pip install -e . headway-agents pytest`. Then `pytest` runs the test.",
    "Where Headway is a tool of its own: `uv tool install headway-agents --with-editable .`",
)
_SHOW = {"detector": "headway explain {0.module}", "reader": "headway scan --reader {0.dashed} FILE"}


def _described(settings: Path) -> dict[str, Any]:
    """The table `[project]` of a project."""
    try:
        project = tomllib.loads(settings.read_text(encoding="utf-8")).get("project")
    except tomllib.TOMLDecodeError as error:
        raise NewError(f"{settings} cannot be read: {error}") from error
    if not isinstance(project, dict) or not isinstance(project.get("name"), str):
        raise NewError(f"{settings} has no table [project] with a name; plug-ins are registered there.")
    return project


def _package(root: Path, project: str) -> Path:
    """The folder of a project's package: the one with the project's name, or the only one."""
    found = [
        file.parent
        for place in (root / "src", root)
        for file in sorted(place.glob("*/__init__.py"))
        if file.parent.name.isidentifier() and file.parent.name not in _NOT_PACKAGES
    ]
    wanted = re.sub(r"\W+", "_", project).lower()
    named = [folder for folder in found if folder.name.lower() == wanted]
    if named or len(found) == 1:
        return (named or found)[0]
    several = f"There are several packages: {', '.join(folder.name for folder in found)}. " if found else ""
    raise NewError(f"{several}Headway looks for the package {root / 'src' / wanted} (with an __init__.py). Create it.")


def _refuse_taken(kind: str, name: Name, project: dict[str, Any], group: str, key: str) -> None:
    if kind == "detector" and name.module in scales_by_id():
        raise NewError(f"Headway has a detector {name.module} of its own. Choose another name.")
    if kind == "reader" and _is_a_reader(name):
        raise NewError(f"Headway has a reader {name.dashed} of its own. Choose another name.")
    if key in project.get("entry-points", {}).get(group, {}):
        raise NewError(f"pyproject.toml has an entry point {key} in {group} already. Choose another name.")


def _is_a_reader(name: Name) -> bool:
    from headway.readers import readers  # loads all formats

    return name.dashed in readers()


def _with_entry(text: str, group: str, entry: str) -> str:
    """A `pyproject.toml` with one more entry point; everything else stays as it is."""
    table = re.search(rf"""^\[project\.entry-points\.["']{re.escape(group)}["']\].*\n""", text, re.MULTILINE)
    end = "\r\n" if "\r\n" in text else "\n"
    if table:
        added = f"{text[: table.end()]}{entry}{end}{text[table.end() :]}"
    else:
        added = f'{text.rstrip()}{end}{end}[project.entry-points."{group}"]{end}{entry}{end}'
    try:
        tomllib.loads(added)
    except tomllib.TOMLDecodeError as error:
        raise NewError(
            f"pyproject.toml has entry points in another form ({error}). Add this one there by hand, and call again: "
            f"{group}: {entry}"
        ) from error
    return added
