"""Record the spans of real instrumentations, each in an environment of its own, with a model that plays a script.

    python -m tests.telemetry.capture [NAME…]

The environments are kept in .frameworks/. Each program of `programs/` runs twice: it looks up seven customers, or one
of them seven times. If contents can be left out, it runs a third time without them.
"""

import gzip
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.hosts.environments import built
from tests.telemetry.replayed import INSTRUMENTATIONS, SPANS

HERE = Path(__file__).parent
ASKED = "import sys, importlib.metadata as m\nprint(*(f'{name}=={m.version(name)}' for name in sys.argv[1:]))"


def main(chosen: list[str]) -> int:
    """Record the chosen ones, or all."""
    if unknown := [name for name in chosen if name not in INSTRUMENTATIONS]:
        print(f"unknown: {', '.join(unknown)}; expected: {', '.join(INSTRUMENTATIONS)}", file=sys.stderr)
        return 2
    for name in chosen or INSTRUMENTATIONS:
        capture(name)
    return 0


def capture(name: str) -> None:
    """Record one instrumentation."""
    about = INSTRUMENTATIONS[name]
    program = about.get("program", name).replace("-", "_")
    command, versions = (
        in_node(name, program, about["npm"]) if "npm" in about else in_python(name, program, about["packages"])
    )
    on, off = about.get("options", {}), about.get("off", {})
    for run in ("honest", "loop", *(["bare"] if on or off else [])):
        with tempfile.TemporaryDirectory() as home:
            file = Path(home) / "spans.jsonl"
            environment = {**os.environ, "HOME": home, "CREWAI_DISABLE_TELEMETRY": "true"}
            environment |= off if run == "bare" else on
            subprocess.run([*command, run, file], check=True, cwd=home, env=environment)
            keep(name, run, versions, file.read_text())
        print(f"{name} {run}: {versions}", flush=True)


def in_python(name: str, program: str, packages: list[str]) -> tuple[list[object], str]:
    """How to run a program in Python, and the versions it runs with."""
    python = built(f"telemetry-{name}", ["opentelemetry-sdk", *packages])
    names = [re.split(r"[\[<>=]", package)[0] for package in packages]
    told = subprocess.run([python, "-c", ASKED, *names], check=True, capture_output=True, text=True)
    return [python, HERE / "record.py", HERE / "programs" / f"{program}.py"], told.stdout.strip()


def in_node(name: str, program: str, packages: list[str]) -> tuple[list[object], str]:
    """How to run a program in Node, and the versions it runs with."""
    folder = HERE.parent.parent / ".frameworks" / f"telemetry-{name}"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "package.json").write_text('{"private": true}')
    subprocess.run(["npm", "install", "--silent", "--no-audit", "--no-fund", *packages], check=True, cwd=folder)
    told = json.loads((folder / "package.json").read_text())["dependencies"]
    versions = [f"{package}=={version.lstrip('^')}" for package, version in told.items()]
    return ["node", HERE / "programs" / f"{program}.mjs", folder], " ".join(versions)


def keep(name: str, run: str, versions: str, spans: str) -> None:
    """Write the spans, with the versions that made them and without paths of this machine."""
    for folder in (HERE.parent.parent, sys.base_prefix):
        spans = spans.replace(f"{folder}/", "")
    first, rest = spans.split("\n", 1)
    told = f'{first[:-1]}, "made_with": "{versions}"}}\n{rest}'
    SPANS.mkdir(exist_ok=True)
    (SPANS / f"{name}.{run}.jsonl.gz").write_bytes(gzip.compress(told.encode(), mtime=0))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
