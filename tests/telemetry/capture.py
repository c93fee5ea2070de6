"""Record the spans of real instrumentations, each in an environment of its own, with a model that plays a script.

    python -m tests.telemetry.capture [NAME…]

The environments are kept in .frameworks/. Each program of `programs/` runs twice: it looks up seven customers, or one
of them seven times; where contents are recorded only on demand, a third time without the option.
"""

import gzip
import os
import re
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

from tests.hosts.environments import built

HERE = Path(__file__).parent
INSTRUMENTATIONS = tomllib.loads((HERE / "instrumentations.toml").read_text())
SPANS = HERE / "spans"
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
    python = built(f"telemetry-{name}", ["opentelemetry-sdk", *about["packages"]])
    options = about.get("options", {})
    for run in ("honest", "loop", *(["bare"] if options else [])):
        with tempfile.TemporaryDirectory() as home:
            file = Path(home) / "spans.jsonl"
            command = [python, HERE / "record.py", HERE / "programs" / f"{name.replace('-', '_')}.py", run, file]
            environment = {**os.environ, "HOME": home, "CREWAI_DISABLE_TELEMETRY": "true"}
            subprocess.run(command, check=True, cwd=home, env=environment | (options if run != "bare" else {}))
            versions = subprocess.run(
                [python, "-c", ASKED, *(re.split(r"[\[<>=]", package)[0] for package in about["packages"])],
                check=True, capture_output=True, text=True,
            )  # fmt: skip
            keep(name, run, versions.stdout.strip(), file.read_text())
            print(f"{name} {run}: {versions.stdout.strip()}", flush=True)


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
