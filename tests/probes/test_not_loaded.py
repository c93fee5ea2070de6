"""What pytest prints when it gives up before the first test (pytest 9.2)."""

from pathlib import Path

import pytest

from headway import Measurements
from headway.probes.not_loaded import not_loaded

FOLDER = Path("/home/dev/project")
SYNTAX = b"""\
ImportError while loading conftest '/home/dev/project/tests/conftest.py'.
/usr/lib/python3.13/ast.py:50: in parse
E     File "/home/dev/project/tests/conftest.py", line 1
E   SyntaxError: invalid syntax
"""
HOOK = b"""\
INTERNALERROR>   File "/home/dev/.venv/lib/python3.13/site-packages/pluggy/_execution.py", line 147, in _multicall
INTERNALERROR>   File "/home/dev/project/conftest.py", line 2, in pytest_configure
INTERNALERROR>     raise RuntimeError("x")
"""


@pytest.mark.parametrize(("printed", "name"), [(SYNTAX, "tests/conftest.py"), (HOOK, "conftest.py")])
def test_the_broken_file_is_the_failing_test(printed, name):
    expected = Measurements(tests_passed=0, tests_failed=1, failing_tests=(name,), passing_tests=())
    assert expected == not_loaded(printed, FOLDER)


@pytest.mark.parametrize(
    "printed",
    [
        b"",
        b"ERROR: usage: pytest [options]\npytest: error: unrecognized arguments: --nonsense\n",
        b"ERROR: /home/dev/project/pytest.ini:1: unexpected value continuation\n",
        HOOK.replace(b"conftest.py", b"plugin.py"),
        b"E   ImportError while loading conftest '/tmp/inner/conftest.py'.\n1 failed in 0.1s\n",
    ],
)
def test_faults_outside_the_project_stay_unmeasured(printed):
    """Wrong options, broken settings, plug-ins, and what a test of pytest itself printed."""
    assert not_loaded(printed, FOLDER) is None
