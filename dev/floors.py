"""Run the tests with the oldest packages that pyproject.toml allows: `make test-floors`.

The lower bounds of what Headway needs at run time, and of its extras that have tests here, are installed into an
environment of their own, `.floors`. What only the tests need stays as new as it is.
"""

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parent.parent
OWN = ROOT / ".floors"
PYTHON = OWN / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
EXTRAS = ("yaml", "zstd", "loop")
FLOOR = re.compile(r"([A-Za-z0-9_.-]+)>=([0-9.]+)")


def main() -> None:
    constraints = OWN / "floors.txt"
    floors = "\n".join(f"{name}=={version}" for name, version in lower_bounds()) + "\n"
    if not constraints.exists() or constraints.read_text() != floors:
        subprocess.run([sys.executable, "-m", "venv", "--clear", OWN], check=True)
        (OWN / "wanted.txt").write_text(floors)
        install = [PYTHON, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-c", OWN / "wanted.txt"]
        subprocess.run([*install, "-e", f"{ROOT}[dev]"], check=True)
        (OWN / "wanted.txt").rename(constraints)
    print("lower bounds:", ", ".join(floors.split()), flush=True)
    sys.exit(subprocess.run([PYTHON, "-m", "pytest", *sys.argv[1:]], cwd=ROOT, check=False).returncode)


def lower_bounds() -> list[tuple[str, str]]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = project["optional-dependencies"]
    wanted = [*project["dependencies"], *(one for extra in EXTRAS for one in extras[extra])]
    found = [FLOOR.match(one) for one in wanted]
    return [(match[1], match[2]) for match in found if match]


if __name__ == "__main__":
    main()
