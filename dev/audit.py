"""Are there known holes in what Headway depends on? `make audit`.

pip-audit, in an environment of its own, asks a public database about every package in .venv. Where no database can be
reached, that is said, and nothing is claimed.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
OWN = ROOT / ".audit"
PROGRAM = OWN / ("Scripts" if os.name == "nt" else "bin")


def main() -> None:
    if not (PROGRAM / "pip-audit").exists():
        subprocess.run([sys.executable, "-m", "venv", OWN], check=True)
        installed = run(
            PROGRAM / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "pip-audit"
        )
        if installed.returncode:
            leave(f"pip-audit cannot be installed here: {last_line(installed.stderr)}")
    asked = run(PROGRAM / "pip-audit", "--format", "json", "--progress-spinner", "off", *packages())
    try:
        found = json.loads(asked.stdout)["dependencies"]
    except (ValueError, KeyError):
        leave(f"no database of known holes can be reached from here: {last_line(asked.stderr)}")
    if all("skip_reason" in one for one in found):
        leave(f"the database that can be reached from here knows none of the {len(found)} packages")
    sys.exit(report(found))


def packages() -> list[str]:
    """Where the packages of .venv lie; Headway itself is in no index."""
    folders = [*(ROOT / ".venv").glob("lib/python*/site-packages"), *(ROOT / ".venv").glob("Lib/site-packages")]
    return [word for folder in folders for word in ("--path", str(folder))]


def report(found: list[dict]) -> int:
    """Print what is known; 1 if there is a hole."""
    asked = [one for one in found if "skip_reason" not in one]
    holes = [(one, hole) for one in asked for hole in one["vulns"]]
    for one, hole in holes:
        fixed = ", ".join(hole["fix_versions"]) or "no release yet"
        print(f"{one['name']} {one['version']}: {hole['id']} (fixed in {fixed})")
    for one in found:
        if "skip_reason" in one:
            print(f"{one['name']}: not asked ({one['skip_reason']})")
    print(f"{len(asked)} packages were looked up, {len(holes)} known holes were found")
    return int(bool(holes))


def run(*command: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, capture_output=True, text=True, check=False)


def last_line(text: str) -> str:
    return next(reversed(text.strip().splitlines()), "no message")[:300]


def leave(why: str) -> None:
    print(f"Nothing was audited: {why}")
    sys.exit(0)


if __name__ == "__main__":
    main()
