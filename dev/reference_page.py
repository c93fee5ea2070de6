"""Write docs/development/reference.md from the classes that detectors and readers are given: `make docs`.

python dev/reference_page.py > docs/development/reference.md
"""

import ast
import inspect
import textwrap
from itertools import pairwise

from headway.core.call import Call
from headway.core.detector import HOOKS, Detector
from headway.core.files import FileRecord, Files
from headway.core.iteration import FileChanges, Iteration
from headway.core.parts import Turn
from headway.core.repeats import Changes
from headway.core.session import Session
from headway.core.step import Step
from headway.core.testing import TestHistory, TestLog
from headway.sources import Head, Source
from headway.tools.kinds import KINDS
from headway.tools.meaning import Meaning
from headway.tools.tests_seen import TestsSeen

HEAD = f"""\
# What a detector or a reader can ask

*Written by `make docs` from the code; do not edit by hand.*

[Write a detector](../how-to/write-a-detector.md) and [write a reader](../how-to/write-a-reader.md) show how it is done;
`headway new detector NAME` and `headway new reader NAME` write the files. This page lists the objects that they get.
What an adapter of a framework can use is in the [API](../api.md#for-adapters).

Four things hold everywhere:

- **Counts include the current step.** In `on_step`, the step is in the session already: the third failure in a row
  finds `session.consecutive_errors == 3`, and `session.steps[-1]` is `step`.
- **Steps and calls are numbered from 1.** Where the number of a step is asked for (`last_…`), 0 means "never".
- **`None` means unknown.** It is never 0, and nothing is concluded from it.
- **Everything is bounded.** Lists hold the latest part of a run; `session.window_size` and its neighbours set how much
  ([settings](../settings.md#session)). Totals count the whole run.

Only read: a detector that changes the session or a step changes what others see, and the tests fail.

## A detector

Hooks, all optional: {", ".join(f"`{hook}`" for hook in HOOKS)}. [Add a detector](add-a-detector.md#the-hooks) says when
each is called.

### What is the same for all detectors of a class

Write these without an annotation (`confidence = 0.9`): an annotated field is a setting.

{{class_variables}}

### settings_error

`settings_error(sizes)` says why a detector could never fire, or would always fire, with its settings; None means that
they are fine. It is asked before the run begins. A detector that looks for `limit` of something among the last `window`
steps has to check two things: `limit` must not be larger than `window`, and the session must keep that many steps.
`headway.core.limits.window_error` checks both ([example](add-a-detector.md#the-detector)).

If the user has set a value that does not fit, the error is shown and nothing runs. If only the session was made small,
the detector is left out, and `headway config` says why. A test tries settings at random: each has to be refused, or
must still let the detector fire. Without a window there is nothing to check, and the method can be left out.

## Kinds of calls

`step.kind` is one of {", ".join(f"`{kind}`" for kind in sorted(KINDS))}.
It says what a call *does*, whatever the agent calls its tool. `headway meaning Edit '{{{{"file_path": "a.py"}}}}'`
shows how a call is read.
"""

PARTS: list[tuple[str, str, list[tuple[type, str]]]] = [
    (
        "A step",
        "`on_step` gets a step: a call with its result.",
        [(Step, ""), (Call, "`step.call`, and in `session.calls`"), (Meaning, "`step.meaning`")],
    ),
    ("Tests that a step ran", "`step.tests` is None where the output says nothing about tests.", [(TestsSeen, "")]),
    (
        "The session",
        "All hooks but `on_user_turn` get the session: the memory of one agent in one run.",
        [
            (Session, ""),
            (Turn, "`session.turn`"),
            (Changes, "`session.changes`"),
            (Files, "`session.files`"),
            (FileRecord, "`session.file_of(step)`, or None"),
            (TestLog, "`session.tests`"),
            (TestHistory, "`session.tests.of(step.call)`, or None"),
        ],
    ),
    (
        "A round",
        "`on_iteration` gets a round of a work loop, which has been measured and scored.\n"
        "What `iteration.measured` can hold is on the page about [rounds](../rounds.md).",
        [(Iteration, ""), (FileChanges, "`iteration.changes`, or None")],
    ),
    (
        "A recording",
        "`recognises` gets a head, `read` a source.",
        [(Head, "the beginning of a recording"), (Source, "the whole of it")],
    ),
]
NOT_FOR_AUTHORS = {"apply", "clock", "glance", "open", "outline", "touched"}
"""Methods that the engine calls, and no detector or reader."""


def page() -> str:
    """The whole page."""
    about_classes = table(rows(Detector, fields_of_class=True))
    parts = [HEAD.format(class_variables=about_classes)]
    for title, about, kinds in PARTS:
        parts.append(f"## {title}\n\n{about}\n")
        parts += [section(kind, where) for kind, where in kinds]
    return "\n".join(parts).rstrip() + "\n"


def section(kind: type, where: str) -> str:
    """One class."""
    about = (inspect.getdoc(kind) or "").split("\n\n")[0].replace("\n", " ")
    found = f"{where[0].upper()}{where[1:]}. " if where and not where.startswith("`") else f"{where}. " if where else ""
    return f"### {kind.__name__}\n\n{found}{about}\n\n{table(rows(kind))}\n"


def table(found: list[tuple[str, str, str]]) -> str:
    shown = [f"| `{name}` | {kind} | {doc} |" for name, kind, doc in found]
    return "\n".join(["| name | type | meaning |", "|---|---|---|", *shown])


def rows(kind: type, *, fields_of_class: bool = False) -> list[tuple[str, str, str]]:
    """Name, type and meaning of all that has a docstring: what has none is not for authors."""
    bases = [base for base in kind.__mro__ if base.__module__.startswith("headway.")]
    return [row for base in reversed(bases) for row in own_rows(base, fields_of_class)]


def own_rows(kind: type, fields_of_class: bool) -> list[tuple[str, str, str]]:
    body = ast.parse(textwrap.dedent(inspect.getsource(kind))).body[0].body
    found = [field(node, after, fields_of_class) for node, after in pairwise([*body, ast.Pass()])]
    if not fields_of_class:
        functions = [node for node in body if isinstance(node, ast.FunctionDef)]
        found += [row for node in functions if node.name == "__init__" for row in attributes(node)]
        found += [method(node, kind) for node in functions]
    return [row for row in found if row is not None and row[2]]


def field(node: ast.stmt, after: ast.stmt, of_class: bool) -> tuple[str, str, str] | None:
    """An annotated field with the docstring underneath."""
    if not isinstance(node, ast.AnnAssign) or not isinstance(node.target, ast.Name) or node.target.id.startswith("_"):
        return None
    kind = ast.unparse(node.annotation)
    if kind.startswith("ClassVar") is not of_class or (of_class and node.target.id in ("id", "hooks")):
        return None
    return (
        node.target.id,
        type_name(kind.removeprefix("ClassVar[").removesuffix("]") if of_class else kind),
        text(after),
    )


def attributes(init: ast.FunctionDef) -> list[tuple[str, str, str]]:
    """What `__init__` sets and explains."""
    found = []
    for node, after in pairwise([*init.body, ast.Pass()]):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Attribute) and text(after):
            kind = type(node.value.value).__name__ if isinstance(node.value, ast.Constant) else "str"
            found.append((node.targets[0].attr, f"`{kind}`", text(after)))
    return found


def method(node: ast.FunctionDef, kind: type) -> tuple[str, str, str] | None:
    """A property, or a method that answers a question."""
    decorators = {ast.unparse(one) for one in node.decorator_list}
    if node.name.startswith("_") or node.name in NOT_FOR_AUTHORS or decorators & {"classmethod", "overload"}:
        return None
    answer = ast.unparse(node.returns) if node.returns else ""
    is_property = not inspect.isfunction(inspect.getattr_static(kind, node.name))
    if answer in ("", "None") and node.name != "skip":
        return None
    arguments = "" if is_property else f"({', '.join(one.arg for one in node.args.args[1:])})"
    doc = (ast.get_docstring(node) or "").split("\n\n")[0].replace("\n", " ")
    return f"{node.name}{arguments}", type_name(answer), doc


def text(node: ast.stmt) -> str:
    """A docstring that stands alone."""
    is_text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
    return " ".join(node.value.value.split()) if is_text else ""


def type_name(kind: str) -> str:
    shown = kind.replace("'", "").replace("|", "\\|")
    return f"`{shown}`" if shown != "None" else ""


if __name__ == "__main__":
    print(page(), end="")
