"""Write docs/settings.md from the classes that check settings: `make docs`.

python dev/settings_page.py > docs/settings.md
"""

import types
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec

from headway.config.profiles import packaged
from headway.config.settings import Forward, Global, Loop, ModelOverride, Notify, TaskType
from headway.core.detector import Detector
from headway.core.limits import Limits, Sizes
from headway.policy import Ladder
from headway.reports.detectors import _docs_in_source as docs_in_source

HEAD = """\
# Settings

*Written by `make docs` from the code; do not edit by hand.*

`headway config` lists every setting with its value on your machine and its source. An unknown key is rejected with the
closest match.

## Where settings are read from

Later sources override earlier ones:

1. Headway's own defaults, then the profile of the task type, then the override for the model.
2. Your file: `~/.config/headway/config.toml` on Linux, `~/Library/Application Support/headway/config.toml` on macOS,
   `%APPDATA%\\headway\\config.toml` on Windows.
3. The project's file, in the current folder or the nearest parent that has one: `headway.toml`, `headway.yaml`, or
   `pyproject.toml` with the table `[tool.headway]`.
4. Environment variables: `HEADWAY_POLICY__COOL_DOWN=5` sets `policy.cool_down`.
5. The command line: `--set policy.cool_down=5`.

`Monitor()` and `guard()` in your own program read no files and no environment variables. Pass `settings={...}`, or
`settings=Settings.find()` to use the sources above.

```toml
[policy]
attended = true

[detectors.exact_cycle]
limit = 4

[global]
max_cost_usd = 5.0
```
"""

PARTS: list[tuple[str, type, str]] = [
    ("policy", Ladder, "When Headway nudges, blocks and stops ([the rules](policy.md))."),
    ("global", Global, "Limits of a run, independent of its task. There is no limit unless you set one."),
    ("loop", Loop, "How [`headway loop`](loop.md) works. Options on the command line override these."),
    (
        "forward",
        Forward,
        "Sending events to other machines. A project's file cannot set this.",
    ),
    ("session", Sizes, "How much of a run Headway remembers."),
    (
        "notify",
        Notify,
        "How `headway serve` notifies you ([how to](how-to/watch-an-agent.md#be-notified)). Only in your own file, in "
        "environment variables or on the command line; a project's file must not have it.",
    ),
]
TABLES: list[tuple[str, str, type, str]] = [
    (
        "task_types",
        "task_types.NAME",
        TaskType,
        'Limits for one type of task. They apply to runs with this task type, as in `Monitor(task="edit")`. '
        f"Headway comes with {', '.join(f'`{name}`' for name in packaged().task_types)} "
        "([their values](policy.md#limits-of-a-task)); you can add your own.",
    ),
    (
        "model_overrides",
        'model_overrides."PATTERN"',
        ModelOverride,
        "Settings for some models. PATTERN is the name of a model, with `*` as a wildcard, such as `gpt*`; the first "
        "match is used. "
        f"Headway comes with {', '.join(f'`{name}`' for name in packaged().model_overrides)}.",
    ),
]
TAIL = """\
## tools

`[tools.NAME]`

What your own tools do, so that Headway can interpret their calls. `headway meaning NAME '{"argument": 1}'` shows the
interpretation of a call.

```toml
[tools.my_grep]
kind = "search"
query = "needle"    # the argument with the search term
```
"""


def page() -> str:
    """The whole page."""
    sections = [section(name, name, kind, about) for name, kind, about in PARTS]
    sections += [section(*table) for table in TABLES]
    return "\n".join([HEAD, *sections, detectors(), TAIL]).rstrip() + "\n"


def section(title: str, table: str, kind: type, about: str) -> str:
    """One table of the settings file."""
    docs = {**docs_in_source(Limits), **docs_in_source(kind)}
    rows = [row(name, get_type_hints(kind)[name], getattr(kind(), name), docs[name]) for name in kind.__struct_fields__]
    return "\n".join([f"## {title}\n", f"`[{table}]`\n", f"{about}\n", *head(), *rows, ""])


def detectors() -> str:
    """What all detectors have in common; the rest has a page of its own."""
    hints, docs = get_type_hints(Detector), docs_in_source(Detector)
    rows = [
        row(name, hints[name], "its own" if name == "severity" else getattr(Detector, name), docs[name])
        for name in ("enabled", "severity", "advisory")
    ]
    about = "Every detector has these, and most have fields of their own ([all detectors](detectors.md))."
    return "\n".join(["## detectors\n", "`[detectors.ID]`\n", f"{about}\n", *head(), *rows, ""])


def head() -> list[str]:
    return ["| setting | type | default | meaning |", "|---|---|---|---|"]


def row(name: str, kind: Any, default: Any, doc: str) -> str:
    return f"| `{name}` | {type_name(kind)} | {shown(default)} | {doc} |"


def shown(value: Any) -> str:
    if value is None or value == {}:
        return "–"
    return "its own" if value == "its own" else f"`{msgspec.json.encode(value).decode()}`"


NAMES = {int: "number", float: "number", bool: "true or false", str: "text"}


def type_name(kind: Any) -> str:
    """What a person writes there."""
    if get_origin(kind) in (types.UnionType, Union):
        return " or ".join(type_name(one) for one in get_args(kind) if one is not types.NoneType)
    if get_origin(kind) is Literal:
        return " or ".join(f'`"{one}"`' for one in get_args(kind))
    if get_origin(kind) is tuple:
        return f"list of {'numbers' if get_args(kind)[0] is int else 'texts'}"
    if get_origin(kind) is dict:
        return "table"
    if hasattr(kind, "__members__"):
        return " or ".join(f'`"{one}"`' for one in kind)
    return "whole number" if kind is int else NAMES[kind]


if __name__ == "__main__":
    print(page(), end="")
