"""The table of instrumentations in docs/frameworks.md, from the recorded spans."""

from typing import Any

from tests.telemetry.replayed import INSTRUMENTATIONS, live, recorded, scanned

HEAD = """\
### What instrumentations record

`make telemetry` records the spans of these instrumentations with a model that plays a script: it looks up seven
customers, or the same customer seven times. The spans are then replayed through the span processor and read by
`headway scan`. Without the option, Headway finds no loop, and says once in the log (in `scan`, on standard error)
what to set.

| instrumentation | recorded with | loop found live / in `scan` | honest run left alone | set |
|---|---|---|---|---|"""


def table() -> str:
    """The heading, the table, and what it sums up to."""
    rows = [row(name, about) for name, about in INSTRUMENTATIONS.items()]
    return "\n".join([HEAD, *sorted(rows, key=str.lower), ""])


def row(name: str, about: dict[str, Any]) -> str:
    """One instrumentation."""
    made_with = recorded(name, "loop")[0]["made_with"].split()
    wanted = [package.split("[")[0].split(">")[0] for package in about.get("packages", ["ai"])[:2]]
    versions = [one.replace("==", " ") for one in made_with if one.split("==")[0] in wanted]
    found = " / ".join(is_true("nudge" in watch(name, "loop")) for watch in (live, scanned))
    if "npm" in about:
        found = f"not in Python / {is_true('nudge' in scanned(name, 'loop'))}"  # the span processor is for Python
    alone = is_true(not live(name, "honest") and not scanned(name, "honest"))
    needed = "<br>".join(f"`{option}={value}`" for option, value in about.get("options", {}).items())
    return f"| {about['title']} | {', '.join(versions)} | {found} | {alone} | {needed or 'nothing'} |"


def is_true(value: bool) -> str:
    """In words."""
    return "yes" if value else "no"
