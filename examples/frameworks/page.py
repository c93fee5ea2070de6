"""Write docs/frameworks.md from the examples beside this file, which the tests run.

    python examples/frameworks/page.py > docs/frameworks.md

An example begins with a docstring: a title, then what to know. Of its code, the line that imports Headway and the
first line that uses it come first on the page.
"""

import ast
import re
import sys
import tomllib
from pathlib import Path
from textwrap import dedent

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
TYPESCRIPT = "Vercel AI SDK and Mastra, in TypeScript"
FIRST = ["with_guard", "with_opentelemetry"]

HEAD = """\
# Two lines in your framework

*Written by `make docs` from the examples in [examples/frameworks](../examples/frameworks), which the tests run.*

All adapters work the same way: they watch calls and results as they happen. A **nudge** reaches the model with its next
input, a **refused** call gets the reason instead of a result, and a **stop** ends the run in the framework's own way,
with the reason for its caller: ``Stopped by Headway (exact_cycle): The command `ls` gave the same result 3 times in a
row.`` Nothing changes for an agent that makes progress. [The rules](policy.md) are the same everywhere. With
`policy.attended`, LangGraph (if there is a checkpointer), the OpenAI Agents SDK and Google ADK ask a person about the
call in their own way; everywhere else the run is stopped. No adapter keeps an agent from ending its turn.
With `settings={"policy": {"mode": "nudge"}}` the model only gets nudges; with `observe` it gets nothing. `on_decision`
gets every decision in every mode.

In every adapter the class is called `Headway`. It accepts the arguments of `Monitor` (`task=`, `model=`,
`settings={…}`, …), the limits `max_tokens=`, `max_cost_usd=` and `max_seconds=`, and what a [server](#servers) needs:
`on_decision=` and `store=`. Each conversation, and each agent in it, is watched separately; the 256 most recent ones
are remembered. If a framework reports tokens but no cost, `max_cost_usd` counts them at [list prices](how-to/cost.md);
if the price of the model is not known, the log says once that the limit cannot be enforced. Where a stop is an
exception, it is an instance of `headway.RunStopped`. A fault in Headway is logged to the logger `headway` and never
reaches the framework. A watched call takes [0.1 to 0.6 ms longer](frameworks-cost.md).

Agents in TypeScript (Vercel AI SDK, Mastra, loops written by hand) are watched through the local service, in the same
way: see [the guide](how-to/typescript.md).

If your framework is not on this page, `headway new adapter NAME` writes an adapter with a test into your project. It
has a method for each event that Headway needs; call them from the hooks of your framework. The
[API](api.md#for-adapters) lists what these methods can use.

## Servers

`on_decision=` is a function that is called with each decision, the conversation and the agent:

```python
from headway import guard


def on_decision(decision, conversation, agent):
    print(conversation, decision.action, decision.reason)


with guard(on_decision=on_decision, conversation="thread-7", max_tokens=1_000) as watch:
    watch.used(tokens_in=900, tokens_out=90)
# thread-7 stop spend
```

If several processes work on one conversation, or each turn is a new process, give them a store. Then they decide like
one: at the same step, and within one budget.

| store | for |
|---|---|
| `SQLiteStore("headway.db")` from `headway.hosts.stores.sqlite` | processes on one machine |
| `RedisStore("redis://host")` from `headway.hosts.stores.redis`, with the extra `redis` | several machines |
| `store="checkpointer"` (LangChain), `store="session"` (Google ADK) | wherever the framework keeps its own state |
| `save_state()` and `load_state()` (AutoGen) | the same, saved with the team |
| any class with the two methods of `headway.hosts.stores.Store` | your own database |

A store has a state for each conversation and agent: the calls, fingerprints of their results, counts and findings. The
outputs of tools are left out, and secrets are masked. If two processes report an event at the same time, one waits for
the other. A conversation must have the same name in all of them: the thread, the session, or what you pass as
`conversation`. If the store cannot be reached, that is logged, and the agent continues without Headway.
"""


def page() -> str:
    """The whole page."""
    examples = sorted(HERE.glob("with_*.py"), key=lambda path: (path.stem not in FIRST, path.stem))
    sections = [section(path) for path in examples]
    contents = "\n".join(f"- [{title}](#{anchor(title)})" for title, _ in sections)
    contents += f"\n- [{TYPESCRIPT}](how-to/typescript.md)"
    return "\n".join([HEAD, contents, *(text for _, text in sections)])


def section(path: Path) -> tuple[str, str]:
    """One example: its title, and its part of the page."""
    source = path.read_text()
    title, notes = ast.get_docstring(ast.parse(source)).split("\n", 1)
    code = source[source.index('"""', 3) + 3 :].strip()
    parts = [f"\n## {title}\n", install(path), fenced(two_lines(code)), notes.strip(), "", fenced(code)]
    if path.stem == "with_opentelemetry":
        parts.append(instrumentations())
    return title, "\n".join(parts)


def instrumentations() -> str:
    """What was found in the spans of real instrumentations, which are kept with the tests."""
    sys.path.insert(0, str(ROOT))
    from tests.telemetry.table import table

    return table()


def two_lines(code: str) -> str:
    """The import of Headway, and the first line that uses what it brings."""
    lines = code.splitlines()
    where = next(n for n, line in enumerate(lines) if line.startswith("from headway.") or "guard" in line)
    names = [name.strip() for name in lines[where].partition(" import ")[2].split(",")]
    uses = [line for line in lines[where + 1 :] if any(f"{name}(" in line for name in names)]
    block = lines[lines.index(uses[0]) : lines.index(uses[0]) + 1 + uses[0].endswith(":")]
    if made := re.fullmatch(r"\s*(\w+) = \w+\(.*\)", uses[0]):
        named = re.compile(rf"\b{made[1]}[.\]]")  # its method is called, or it is in a list
        then = next(line for line in lines if named.search(line) and not line.startswith("from"))
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
