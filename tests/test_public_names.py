"""The public names: all there, and loaded only when asked for."""

import subprocess
import sys

import pytest

import headway


@pytest.mark.parametrize("name", headway.__all__)
def test_a_public_name_is_there(name):
    assert getattr(headway, name).__name__ == name
    assert name in dir(headway)


def test_what_a_round_changed_can_be_told_with_public_names_alone():
    changes = headway.FileChanges(lines=3, files={"a.py": "blob"})

    assert "continue" == headway.Monitor().iteration_ended("text", headway.Measurements(), changes=changes).action


def test_any_other_name_is_refused():
    with pytest.raises(AttributeError, match="no attribute 'Monitro'"):
        headway.Monitro  # noqa: B018


def test_importing_headway_alone_loads_next_to_nothing():
    code = "import sys; before = set(sys.modules); import headway; print(*sorted(set(sys.modules) - before))"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert "headway" == shown.stdout.strip()
