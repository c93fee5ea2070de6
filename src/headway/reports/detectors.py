"""What a detector looks for, told from its own docstring and fields."""

import ast
import inspect
import sys
import textwrap
from functools import cache
from itertools import pairwise
from typing import Any

import msgspec

from headway.core.detector import Detector
from headway.detectors import built_in
from headway.policy.reasons import Reason

HEADINGS = ("Why it matters", "Fires", "Clears", "Blind to")


class Setting(msgspec.Struct, frozen=True):
    """One field a user may set."""

    name: str
    type: str
    default: Any
    doc: str


class Description(msgspec.Struct, frozen=True):
    """One detector, explained."""

    id: str
    scale: str
    severity: str
    title: str
    sections: dict[str, str]
    settings: tuple[Setting, ...]


def describe(kind: type[Detector]) -> Description:
    """Explain a detector; its docstring may stand at the head of its class or of its file."""
    module = sys.modules.get(kind.__module__)
    docs = [inspect.cleandoc(doc) for doc in (kind.__doc__, getattr(module, "__doc__", None)) if doc]
    doc = next((doc for doc in docs if f"{HEADINGS[0]}:" in doc), docs[0] if docs else kind.id)
    title, _, rest = doc.partition("\n")
    docstrings = _field_docs(kind)
    types = {name: kind for base in reversed(kind.__mro__) for name, kind in inspect.get_annotations(base).items()}
    return Description(
        id=kind.id,
        scale=_scale(kind),
        severity=str(kind.severity),
        title=title.strip(),
        sections=_sections(rest),
        settings=tuple(
            Setting(name, _type_name(types[name]), getattr(kind, name), docstrings.get(name, ""))
            for name in kind.setting_names()
        ),
    )


def describe_reason(id: str, reason: Reason) -> Description:
    """Explain a reason that is no detector."""
    sections = {"When": reason.when, "Clears": reason.clears}
    return Description(id=id, scale="", severity="", title=reason.title, sections=sections, settings=())


@cache
def title_of(detector: str) -> str:
    """What a detector looks for, in a sentence; empty for one of another package."""
    kind = built_in().get(detector)
    return describe(kind).title if kind else ""


def as_markdown(descriptions: list[Description]) -> str:
    """A page about all detectors."""
    lines = ["# Detectors", "", "Written by `make docs` from the detectors' own docstrings.", ""]
    for scale in dict.fromkeys(description.scale for description in descriptions):
        for one in (d for d in descriptions if d.scale == scale):
            lines += [f"## {one.id}", "", f"{one.title} *({scale} scale, {one.severity})*", ""]
            lines += [f"- **{heading}:** {text}" for heading, text in one.sections.items()]
            lines += ["", "| setting | default | meaning |", "|---|---|---|"]
            lines += [f"| `{s.name}` | `{_shown(s.default)}` | {s.doc} |" for s in one.settings]
            lines.append("")
    return "\n".join(lines)


def _shown(value: object) -> str:
    return msgspec.json.encode(value).decode()


def _scale(kind: type[Detector]) -> str:
    parts = kind.__module__.split(".")
    return parts[2] if parts[:2] == ["headway", "detectors"] else "your own"


def _sections(text: str) -> dict[str, str]:
    sections: dict[str, str] = {}
    current = ""
    for line in text.splitlines():
        heading, colon, rest = line.partition(":")
        if colon and heading in HEADINGS:
            current, line = heading, rest
        if current:
            sections[current] = f"{sections.get(current, '')} {line.strip()}".strip()
    return sections


def _field_docs(kind: type[Detector]) -> dict[str, str]:
    """The docstrings under the fields, those of the base class included."""
    found: dict[str, str] = {}
    parts: list[type] = [part for part in kind.__mro__ if issubclass(part, Detector)]
    for part in reversed(parts):
        found.update(_docs_in_source(part))
    return found


@cache
def _docs_in_source(kind: type) -> dict[str, str]:
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(kind)))
    except (OSError, TypeError, SyntaxError):  # no source at hand, as in an interactive session
        return {}
    body = tree.body[0].body if isinstance(tree.body[0], ast.ClassDef) else []
    return {
        field.target.id: " ".join(str(doc.value.value).split())
        for field, doc in pairwise(body)
        if isinstance(field, ast.AnnAssign)
        and isinstance(field.target, ast.Name)
        and isinstance(doc, ast.Expr)
        and isinstance(doc.value, ast.Constant)
    }


def _type_name(kind: Any) -> str:
    return kind if isinstance(kind, str) else getattr(kind, "__name__", str(kind))
