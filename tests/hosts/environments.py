"""Run each framework's tests in an environment of its own, because frameworks clash.

    python tests/hosts/environments.py [EXTRA…]

The environments are kept in .frameworks/, one for each extra and what it requires, and built anew when that changes.
"""

import hashlib
import re
import shutil
import subprocess
import sys
import time
import tomllib
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
TESTS = {path.stem.removeprefix("test_"): path for path in (ROOT / "tests" / "hosts").glob("test_*.py")}
EXTRAS = {extra: needs for extra, needs in PROJECT["optional-dependencies"].items() if extra.replace("-", "_") in TESTS}
NOTHING_RAN = 5
"""What pytest answers when every test was skipped."""


def main(chosen: list[str]) -> int:
    """Test the chosen extras, or all; the exit code tells whether all went well."""
    unknown = [extra for extra in chosen if extra not in EXTRAS]
    if unknown:
        print(f"no tests for {', '.join(unknown)}; known are: {', '.join(sorted(EXTRAS))}", file=sys.stderr)
        return 2
    outcomes = {extra: run(extra) for extra in chosen or sorted(EXTRAS)}
    print("\n".join(f"{extra:20} {outcome}" for extra, outcome in outcomes.items()))
    return 1 if any(outcome.startswith("FAILED") for outcome in outcomes.values()) else 0


def run(extra: str) -> str:
    """Build the environment of one extra if need be, and run its tests there."""
    if missing := python_missing(extra):
        return f"skipped: {missing}"
    print(f"== {extra}", flush=True)
    try:
        python = environment(extra)
    except subprocess.CalledProcessError as error:
        return f"FAILED to install (pip ended with {error.returncode})"
    tests = TESTS[extra.replace("-", "_")]
    # Warnings are errors in our own tests; what frameworks warn themselves of is not ours to mend.
    command = [python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-o", "filterwarnings=ignore", str(tests)]
    done = subprocess.run(command, cwd=ROOT, check=False)
    if done.returncode == NOTHING_RAN:
        return "FAILED: every test was skipped, although the framework should be there"
    return "ok" if done.returncode == 0 else f"FAILED (pytest ended with {done.returncode})"


def environment(extra: str) -> Path:
    """The Python of an environment that has this extra, built or kept from an earlier time."""
    needs = [*PROJECT["dependencies"], *EXTRAS[extra], sys.version]
    key = hashlib.sha256("\n".join(needs).encode()).hexdigest()[:12]
    home = ROOT / ".frameworks" / f"{extra}-{key}"
    python = home / "bin" / "python"
    if not (home / "ready").exists():
        for older in home.parent.glob(f"{extra}-{'?' * 12}"):
            shutil.rmtree(older)
        start = time.monotonic()
        print(f"building {home.relative_to(ROOT)} with {', '.join(EXTRAS[extra])}", flush=True)
        subprocess.run([sys.executable, "-m", "venv", str(home)], check=True)
        install = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*install, "-e", f"{ROOT}[{extra}]", "pytest"], check=True)
        (home / "ready").touch()
        print(f"built in {time.monotonic() - start:.0f} s", flush=True)
    return python


def python_missing(extra: str) -> str:
    """Why an extra cannot be installed with this Python; nothing if it can."""
    wanted = re.search(r"python_version\s*>=\s*['\"](\d+)\.(\d+)", " ".join(EXTRAS[extra]))
    if wanted is None or sys.version_info[:2] >= (int(wanted[1]), int(wanted[2])):
        return ""
    return f"needs Python {wanted[1]}.{wanted[2]}, this is {sys.version_info[0]}.{sys.version_info[1]}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
