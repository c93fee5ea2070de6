"""Linters and type checkers."""

import sys

import pytest

from headway.core.iteration import Measurements
from headway.probes import ProbeError
from headway.probes.formats import eslint, mypy, pyright, ruff, sarif, tsc
from tests.probes.projects import OUTPUTS, done, project


def real(name):
    return (OUTPUTS / name).read_bytes()


def test_ruff(tmp_path):
    project(tmp_path, {"a.py": "import os\nimport sys\n", "b.py": "def (:\n"})
    command = [sys.executable, "-m", "ruff", "check", "--isolated", "--no-cache", "--output-format=json"]

    assert Measurements(lint_errors=2, lint_warnings=0) == ruff.parse(done(*command, "a.py", folder=tmp_path).stdout)
    assert 1 <= ruff.parse(done(*command, "b.py", folder=tmp_path).stdout).lint_errors
    assert Measurements(lint_errors=0, lint_warnings=0) == ruff.parse(b"[]")


def test_ruff_severities():
    """Older versions give none, newer ones may give a warning."""
    problem = '{"filename": "a.py", "message": "x"%s}'
    report = ",".join(problem % severity for severity in ("", ', "severity": "error"', ', "severity": "warning"'))

    assert Measurements(lint_errors=2, lint_warnings=1) == ruff.parse(f"[{report}]".encode())


def test_mypy(tmp_path):
    project(tmp_path, {"a.py": "x: int = 'a'\nreveal_type(x)\n", "b.py": "y = 1\n", "c.py": "def (:\n"})

    def checked(name):
        ran = done(sys.executable, "-m", "mypy", "--output=json", "--cache-dir=/dev/null", name, folder=tmp_path)
        return mypy.parse(ran.stdout, ran.returncode)

    assert Measurements(type_errors=1) == checked("a.py")
    assert Measurements(type_errors=0) == checked("b.py")
    with pytest.raises(ProbeError, match="exited with 2"):
        checked("c.py")


def test_mypy_lines_are_numbered():
    with pytest.raises(ProbeError, match="line 2: not a JSON line of mypy"):
        mypy.parse(b'{"file": "a", "message": "b", "severity": "error"}\nTraceback\n')


def test_eslint():
    """What cannot be parsed is an error too."""
    assert Measurements(lint_errors=4, lint_warnings=2) == eslint.parse(real("eslint.json"))
    assert Measurements(lint_errors=0, lint_warnings=0) == eslint.parse(b'[{"filePath": "a.js", "messages": []}]')
    with pytest.raises(ProbeError, match=r"\[0\].messages\[0\].severity"):
        eslint.parse(b'[{"filePath": "a.js", "messages": [{"severity": -1}]}]')


def test_sarif_of_ruff():
    assert Measurements(lint_errors=1, lint_warnings=0) == sarif.parse(real("ruff.sarif"))


@pytest.mark.parametrize(
    ("result", "errors", "warnings"),
    [
        ('{"level": "error"}', 1, 0),
        ('{"level": "warning"}', 0, 1),
        ('{"level": "note"}', 0, 0),
        ("{}", 0, 1),
        ('{"ruleId": "strict"}', 1, 0),
        ('{"ruleIndex": 0}', 1, 0),
        ('{"ruleIndex": 7}', 0, 1),
        ('{"level": "error", "kind": "pass"}', 0, 0),
        ('{"level": "error", "suppressions": [{"kind": "inSource"}]}', 0, 0),
        ('{"level": "error", "baselineState": "absent"}', 0, 0),
    ],
)
def test_sarif_levels(result, errors, warnings):
    """The result's own level, its rule's, or the standard's; what passed or was accepted does not count."""
    rules = '{"driver": {"rules": [{"id": "strict", "defaultConfiguration": {"level": "error"}}]}}'
    report = f'{{"version": "2.1.0", "runs": [{{"tool": {rules}, "results": [{result}]}}]}}'

    assert Measurements(lint_errors=errors, lint_warnings=warnings) == sarif.parse(report.encode())


def test_pyright():
    assert Measurements(type_errors=2) == pyright.parse(real("pyright.json"))
    with pytest.raises(ProbeError, match="looked at no file"):
        pyright.parse(b'{"summary": {"errorCount": 0, "filesAnalyzed": 0}}')


def test_tsc():
    """It prints nothing when all is well, and then only its exit code tells."""
    assert Measurements(type_errors=2) == tsc.parse(real("tsc.txt"), 2)
    assert Measurements(type_errors=0) == tsc.parse(b"", 0)
    with pytest.raises(ProbeError, match="exited with 1"):
        tsc.parse(b"sh: tsc: not found", 1)


def test_stored_outputs_contain_no_machine_names():
    stored = [path for path in OUTPUTS.iterdir() if path.name != "make.sh"]
    words = (b"/home/", b"/root/", b"/tmp/", b"/work/")

    assert 15 < len(stored)
    assert [] == [path.name for path in stored if any(word in path.read_bytes() for word in words)]
