"""Write docs/frameworks.md from the examples beside this file, which the tests run.

    python examples/frameworks/page.py > docs/frameworks.md

An example begins with a docstring: a title, then what to know. Of its code, the line that imports Headway and the
first line that uses it come first on the page.
"""

import ast
import re
import tomllib
from pathlib import Path
from textwrap import dedent

HERE = Path(__file__).parent
EXTRAS = tomllib.loads((HERE.parent.parent / "pyproject.toml").read_text())["project"]["optional-dependencies"]
FIRST = ["with_guard", "with_opentelemetry"]

HEAD = """\
# Two lines in your framework

*Written by `make docs` from the examples in [examples/frameworks](../examples/frameworks), which the tests run.*

The same everywhere: calls and results are watched as they happen. A **nudge** reaches the model with its next input,
a **refused** call is answered with the reason in place of a result, and a **stop** ends the run in the framework's
own way, with the reason for whoever started it: ``Stopped by Headway (exact_cycle): The command `ls` gave the same
result 3 times in a row.`` An agent that gets somewhere is left alone to the byte. [When that happens](policy.md) is
the same as in every other place Headway lives. No adapter can ask a person about a call or keep an agent from ending
its turn: where `policy.attended` would ask somebody, the run is stopped.

Every adapter takes what `Monitor` takes (`task=`, `model=`, `settings={…}`, …) and `on_decision=`, a function that is
told each decision. Each conversation, and each agent in it, is watched apart; the 256 that spoke last are remembered.
Tokens and money that the framework reports count against `global.max_tokens` and `global.max_cost_usd`. A fault of
ours is logged to the logger `headway` and never reaches the framework. [What it costs](frameworks-cost.md) is a tenth
of a millisecond to half a one for each call.

Your framework is not on this page? `headway new adapter NAME` writes an adapter into your project, with a test. It has
a method for each moment that Headway has to know of; call them from your framework's hooks.
"""


def page() -> str:
    """The whole page."""
    examples = sorted(HERE.glob("with_*.py"), key=lambda path: (path.stem not in FIRST, path.stem))
    sections = [section(path) for path in examples]
    contents = "\n".join(f"- [{title}](#{anchor(title)})" for title, _ in sections)
    return "\n".join([HEAD, contents, *(text for _, text in sections)])


def section(path: Path) -> tuple[str, str]:
    """One example: its title, and its part of the page."""
    source = path.read_text()
    title, notes = ast.get_docstring(ast.parse(source)).split("\n", 1)
    code = source[source.index('"""', 3) + 3 :].strip()
    parts = [f"\n## {title}\n", install(path), fenced(two_lines(code)), notes.strip(), "", fenced(code)]
    return title, "\n".join(parts)


def two_lines(code: str) -> str:
    """The import of Headway, and the first line that uses what it brings."""
    lines = code.splitlines()
    where = next(n for n, line in enumerate(lines) if line.startswith("from headway"))
    names = [name.strip() for name in lines[where].partition(" import ")[2].split(",")]
    uses = [line for line in lines[where + 1 :] if any(f"{name}(" in line for name in names)]
    block = lines[lines.index(uses[0]) : lines.index(uses[0]) + 1 + uses[0].endswith(":")]
    if made := re.fullmatch(r"\s*(\w+) = \w+\(.*\)", uses[0]):
        then = next(line for line in lines if f"{made[1]}." in line and not line.startswith("from"))
        block = [uses[0].strip(), then.strip()]
    code = dedent("\n".join(block)).removeprefix("return ")
    return f"{lines[where]}\n\n{code}"


def install(path: Path) -> str:
    """How to get what the example needs."""
    extra = path.stem.removeprefix("with_").replace("_", "-")
    return f"`pip install 'headway-agents[{extra}]'`\n" if extra in EXTRAS else "`pip install headway-agents`\n"


def fenced(code: str) -> str:
    """A block of Python."""
    return f"```python\n{code}\n```\n"


def anchor(title: str) -> str:
    """What GitHub makes of a heading."""
    return "".join(c for c in title.lower().replace(" ", "-") if c.isalnum() or c == "-")


if __name__ == "__main__":
    print(page())
