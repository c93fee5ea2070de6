"""Plans for Go and Rust projects."""

from pathlib import Path

from headway.probes.probe import Plan
from headway.probes.project.look import has_any


def plans(folder: Path) -> list[Plan]:
    """Tests and build, with go or cargo."""
    return [*(_go() if has_any(folder, "go.mod") else ()), *(_cargo() if has_any(folder, "Cargo.toml") else ())]


def _go() -> list[Plan]:
    return [
        Plan(name="tests", probe="go_json", command=("go", "test", "-json", "./..."), report="-"),
        Plan(name="build", probe="build", command=("go", "build", "-o", "{reports}/go/", "./...")),
    ]


def _cargo() -> list[Plan]:
    """Cargo builds inside the project as usual. Elsewhere it would rebuild everything each time."""
    quiet = {"CARGO_TERM_COLOR": "never"}
    tests = ("cargo", "test", "--quiet", "--no-fail-fast")
    return [
        Plan(name="tests", probe="printed_tests", command=tests, env=quiet),
        Plan(name="build", probe="build", command=("cargo", "build", "--quiet"), env=quiet),
    ]
