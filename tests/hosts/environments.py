"""Run each framework's tests in an environment of its own, because frameworks clash.

    python tests/hosts/environments.py [--newest] [EXTRA…]

Each framework is tested in the newest version that its extra allows and, unless `--newest` is given, in the oldest. The
environments are kept in .frameworks/, one for each of these, and built anew when what the extra requires changes.
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
ALSO = {"langchain": ["langgraph-checkpoint-sqlite>=3", "deepagents"], "litellm": ["litellm[proxy]"]}
"""What the tests of an extra need beside it."""
NOTHING_RAN = 5
"""What pytest answers when every test was skipped."""


def main(chosen: list[str]) -> int:
    """Test the chosen extras, or all; the exit code tells whether all went well."""
    floors = ["newest"] if "--newest" in chosen else ["oldest", "newest"]
    chosen = [extra for extra in chosen if extra != "--newest"]
    unknown = [extra for extra in chosen if extra not in EXTRAS]
    if unknown:
        print(f"no tests for {', '.join(unknown)}; expected one of: {', '.join(sorted(EXTRAS))}", file=sys.stderr)
        return 2
    outcomes = {extra: [run(extra, which) for which in floors] for extra in chosen or sorted(EXTRAS)}
    print(table(outcomes, floors))
    return 1 if any(outcome.startswith("FAILED") for tried in outcomes.values() for _, outcome in tried) else 0


def table(outcomes: dict[str, list[tuple[str, str]]], floors: list[str]) -> str:
    """What was tested in which version, a line for each framework."""
    cells = [(extra, *(cell for tried in row for cell in tried)) for extra, row in outcomes.items()]
    lines = [("framework", *(cell for which in floors for cell in (which, "tests"))), *cells]
    widths = [max(len(line[n]) for line in lines) for n in range(len(lines[0]))]
    return "\n".join("  ".join(map(str.ljust, line, widths)).rstrip() for line in lines)


def run(extra: str, which: str) -> tuple[str, str]:
    """Build the environment of one extra if need be, and run its tests there: the version, and the outcome."""
    if not (base := python_for(extra)):
        return "", f"skipped: it needs a newer Python than {sys.version.split()[0]}, and none is on the PATH"
    print(f"== {extra}, {which}", flush=True)
    try:
        python = environment(extra, base, which)
    except subprocess.CalledProcessError as error:
        return floor(extra), f"FAILED to install (pip ended with {error.returncode})"
    version = installed(python, distribution(extra))
    print(f"{distribution(extra)} {version}", flush=True)
    tests = [str(TESTS[extra.replace("-", "_")]), str(TESTS["entry"])]
    # Warnings are errors in our own tests; what frameworks warn themselves of is not ours to mend.
    command = [python, "-m", "pytest", "-q", "-rs", "-p", "no:cacheprovider", "-o", "filterwarnings=ignore", *tests]
    done = subprocess.run(command, cwd=ROOT, check=False, stdout=subprocess.PIPE, text=True)
    print(done.stdout, flush=True)
    if done.returncode == NOTHING_RAN:
        return version, "FAILED: every test was skipped, although the framework should be there"
    last_line = (done.stdout.strip().splitlines() or [""])[-1]
    counted = re.findall(r"\d+ (?:passed|failed|skipped|errors?)", last_line)
    return version, ", ".join(counted) if done.returncode == 0 else f"FAILED ({', '.join(counted)})"


def distribution(extra: str) -> str:
    """The framework's own distribution: what the extra requires first."""
    return re.match(r"[\w.-]+", EXTRAS[extra][0])[0]


def floor(extra: str) -> str:
    """The oldest version that the extra allows."""
    return re.search(r">=\s*([\w.]+)", EXTRAS[extra][0])[1]


def installed(python: Path, name: str) -> str:
    """The version of a distribution in an environment."""
    ask = f"from importlib.metadata import version; print(version({name!r}))"
    return subprocess.run([python, "-c", ask], capture_output=True, text=True, check=True).stdout.strip()


def environment(extra: str, base: str = sys.executable, which: str = "newest") -> Path:
    """The Python of an environment that has this extra, built or kept from an earlier time."""
    pinned = [f"{distribution(extra)}=={floor(extra)}"] if which == "oldest" else []
    more = [*ALSO.get(extra, ()), *pinned]
    needs = [*PROJECT["dependencies"], *EXTRAS[extra], *more]
    name = f"{extra}-{which}" if pinned else extra
    return built(name, needs, ["-e", f"{ROOT}[{extra}]", "pytest", *more], base)


def built(name: str, needs: list[str], install: list[str] | None = None, base: str = sys.executable) -> Path:
    """The Python of an environment that has what is needed, built or kept from an earlier time."""
    key = hashlib.sha256("\n".join([*needs, version_of(base)]).encode()).hexdigest()[:12]
    home = ROOT / ".frameworks" / f"{name}-{key}"
    python = home / "bin" / "python"
    if not (home / "ready").exists():
        for older in home.parent.glob(f"{name}-{'?' * 12}"):
            shutil.rmtree(older)
        start = time.monotonic()
        print(f"building {home.relative_to(ROOT)} with {', '.join(needs)}", flush=True)
        subprocess.run([base, "-m", "venv", str(home)], check=True)
        pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*pip, *(install or needs)], check=True)
        (home / "ready").touch()
        print(f"built in {time.monotonic() - start:.0f} s", flush=True)
    return python


def python_for(extra: str) -> str:
    """A Python that the extra can be installed with: this one, or the newest on the PATH; nothing if there is none."""
    wanted = re.search(r"python_version\s*>=\s*['\"]3\.(\d+)", " ".join(EXTRAS[extra]))
    if wanted is None or sys.version_info.minor >= int(wanted[1]):
        return sys.executable
    names = [f"python3.{minor}" for minor in range(14, int(wanted[1]) - 1, -1)]
    found = [path for name in names if (path := shutil.which(name)) and version_of(path)]
    return found[0] if found else ""


def version_of(python: str) -> str:
    """What a Python says it is; nothing if it does not run (pyenv puts such ones on the PATH)."""
    told = subprocess.run([python, "-c", "import sys; print(sys.version)"], capture_output=True, text=True, check=False)
    return told.stdout.rstrip("\n")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
