"""Is what would be published what we say? `make release-check`.

Builds wheel and sdist, checks what they say of themselves and what they hold, and installs each into a clean
environment of every Python from 3.11 on that is found on PATH, in pyenv or in uv. There the commands, a scan of the
examples and the Python code of the README have to work. Everything is made in `.release`.
"""

import email.message
import email.parser
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

ROOT = Path(__file__).parent.parent
OWN = ROOT / ".release"
BIN = "Scripts" if os.name == "nt" else "bin"
OLDEST = (3, 11)
NEWEST = 30  # of the minor versions that are looked for
ASK = (
    "import os, sys; print(*sys.version_info[:2], os.path.realpath(sys.executable), sys.version.split()[0], sep='\\n')"
)


def main() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    wheel, sdist = build()
    problems = [*metadata_problems(wheel, sdist, project), *content_problems(wheel, sdist)]
    for problem in problems:
        print(f"PROBLEM: {problem}")
    found = pythons()
    print(f"Python: {', '.join(found) or 'none from 3.11 on'}", flush=True)
    for version, python in found.items():
        for package in (wheel, sdist):
            problems += tried(python, version, package, project)
    if problems or not found:
        sys.exit(f"{len(problems)} problems; not to be published")
    print(f"{project['name']} {project['version']}: wheel and sdist are fine")


def build() -> tuple[Path, Path]:
    """The two packages, made by tools in an environment of their own."""
    tools = OWN / "tools" / BIN
    if not (tools / "twine").exists():
        environment(Path(sys.executable), OWN / "tools", "build", "twine", "readme-renderer[md]")
    shutil.rmtree(OWN / "dist", ignore_errors=True)
    subprocess.run(
        [tools / "python", "-m", "build", "--outdir", OWN / "dist", ROOT], check=True, stdout=subprocess.DEVNULL
    )
    (wheel,), (sdist,) = ([*(OWN / "dist").glob(f"*.{kind}")] for kind in ("whl", "tar.gz"))
    subprocess.run([tools / "twine", "check", "--strict", wheel, sdist], check=True)
    return wheel, sdist


def environment(python: Path, folder: Path, *packages: str | Path) -> None:
    subprocess.run([python, "-m", "venv", "--clear", folder], check=True)
    install = [folder / BIN / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*install, *packages], check=True)


def metadata_problems(wheel: Path, sdist: Path, project: dict) -> list[str]:
    """What wheel or sdist say of themselves that pyproject.toml and the code do not."""
    code = re.search(r'^__version__ = "(.+)"$', (ROOT / "src/headway/__init__.py").read_text("utf-8"), re.MULTILINE)
    expected = {
        "Name": project["name"],
        "Version": code[1] if code else "none in the code",
        "License-Expression": project["license"],
        "Requires-Python": project["requires-python"],
        "Description-Content-Type": "text/markdown",
    }
    problems = [] if project["name"] == "headway-agents" else ["the package is not called headway-agents"]
    for package, said in ((wheel, wheel_metadata(wheel)), (sdist, sdist_metadata(sdist))):
        for name, value in expected.items():
            if said[name] != value:
                problems.append(f"{package.name}: {name} is {said[name]}, not {value}")
        if str(said.get_payload()).strip() != (ROOT / "README.md").read_text("utf-8").strip():
            problems.append(f"{package.name}: the description is not the README")
    return problems


def wheel_metadata(wheel: Path) -> email.message.Message:
    with zipfile.ZipFile(wheel) as file:
        (name,) = [name for name in file.namelist() if name.endswith(".dist-info/METADATA")]
        return parsed(file.read(name))


def sdist_metadata(sdist: Path) -> email.message.Message:
    with tarfile.open(sdist) as file:
        content = file.extractfile(f"{sdist.name.removesuffix('.tar.gz')}/PKG-INFO")
        return parsed(content.read() if content else b"")


def parsed(content: bytes) -> email.message.Message:
    return email.parser.Parser().parsestr(content.decode("utf-8"))


def content_problems(wheel: Path, sdist: Path) -> list[str]:
    """Files that do not belong there, and paths of this machine in those that do."""
    with zipfile.ZipFile(wheel) as packed:
        in_wheel = {name: packed.read(name) for name in packed.namelist()}
    with tarfile.open(sdist) as file:
        in_sdist = {
            member.name.partition("/")[2]: content.read()
            for member in file.getmembers()
            if member.isfile() and (content := file.extractfile(member))
        }
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout  # noqa: S607
    tracked = set(listed.decode().split("\0"))
    ours = {name.removeprefix("src/") for name in tracked if name.startswith("src/headway/")}
    about = {name for name in in_wheel if name.startswith(f"{'-'.join(wheel.name.split('-')[:2])}.dist-info/")}
    problems = [f"{wheel.name}: {name} does not belong there" for name in sorted(in_wheel.keys() - ours - about)]
    problems += [f"{wheel.name}: {name} is missing" for name in sorted(ours - in_wheel.keys())]
    problems += [f"{sdist.name}: {name} is not in git" for name in sorted(in_sdist.keys() - tracked - {"PKG-INFO"})]
    here = {str(place).encode() for place in (ROOT, Path.home()) if len(place.parts) > 2}
    for package, files in ((wheel, in_wheel), (sdist, in_sdist)):
        named = [name for name, content in files.items() if any(place in content for place in here)]
        problems += [f"{package.name}: {name} has a path of this machine in it" for name in named]
    return problems


def pythons() -> dict[str, Path]:
    """Every Python here from 3.11 on, by its version."""
    names = [shutil.which(f"python3.{minor}") for minor in range(OLDEST[1], NEWEST)]
    folders = [
        Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions",
        Path.home() / ".local/share/uv/python",
    ]
    candidates = [sys.executable, *filter(None, names), *(p for f in folders for p in f.glob(f"*/{BIN}/python3"))]
    found: dict[str, Path] = {}
    for candidate in candidates:
        asked = subprocess.run([candidate, "-c", ASK], capture_output=True, text=True, check=False)
        major, minor, real, version = asked.stdout.splitlines() if asked.returncode == 0 else ("0", "0", "", "")
        if (int(major), int(minor)) >= OLDEST:
            found.setdefault(version, Path(real))
    return dict(sorted(found.items()))


def tried(python: Path, version: str, package: Path, project: dict) -> list[str]:
    """What does not work after this package has been installed with this Python."""
    folder = OWN / f"python-{version}"
    environment(python, folder, package)
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text("utf-8"), re.DOTALL)
    told = f"headway, version {project['version']}"
    checks: list[tuple[list[str], int, str]] = [
        (["headway", "--version"], 0, told),
        (["headway-agents", "--version"], 0, told),
        (["headway-agents", "--help"], 0, "headway"),
        (["headway", "scan", str(ROOT / "examples")], 1, "doom_loop"),  # 1: there are runs that earned a stop
        *((["python", "-c", block], 0, "") for block in blocks),
    ]
    problems = []
    for (name, *arguments), code, said in checks:
        command = [folder / BIN / name, *arguments]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        if done.returncode != code or said not in done.stdout:
            shown = " ".join([name, *arguments]).splitlines()[0]
            problems.append(
                f"Python {version}, {package.name}: {shown} ended with {done.returncode}: {done.stderr[-500:]}"
            )
    for problem in problems:
        print(f"PROBLEM: {problem}")
    print(
        f"{package.name} with Python {version}: {len(checks) - len(problems)} of {len(checks)} checks passed",
        flush=True,
    )
    return problems


if __name__ == "__main__":
    main()
