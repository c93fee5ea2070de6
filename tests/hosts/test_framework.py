"""What an adapter says when its framework is not there, or is not one it knows."""

import re
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import pytest

from headway.hosts.frameworks.requirement import FrameworkError, require, require_python

HOSTS = Path(__file__).parent.parent.parent / "src" / "headway" / "hosts" / "frameworks"
REQUIRED = {
    path.stem: found.groups()
    for path in sorted(HOSTS.glob("*.py"))
    if (found := re.search(r'^require\("(.+?)", "(.+?)", "(.+?)", "(.+?)"\)', path.read_text(), re.MULTILINE))
}
NEEDS_PYTHON = {
    path.stem: int(found[1])
    for path in HOSTS.glob("*.py")
    if (found := re.search(r'^require_python\(".+?", (\d+)\)', path.read_text(), re.MULTILINE))
}


def test_there_are_adapters():
    assert {"langchain", "openai_agents", "pydantic_ai", "smolagents", "opentelemetry"} <= set(REQUIRED)


@pytest.mark.parametrize("name", REQUIRED)
def test_importing_an_adapter_works_or_says_what_to_install(name):
    """In a fresh process, as a user would meet it."""
    extra, distribution, *_ = REQUIRED[name]
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", f"import headway.hosts.frameworks.{name}"],
        capture_output=True,
        text=True,
        check=False,
    )
    try:
        version(distribution)
        expected = (0, "")
    except PackageNotFoundError:
        error = f"{distribution} is not installed. Install it with:  pip install 'headway-agents[{extra}]'"
        if sys.version_info.minor < (minor := NEEDS_PYTHON.get(name, 0)):
            error = f"{extra} needs Python 3.{minor} or newer; this is {sys.version.split()[0]}."
        expected = (1, f"headway.hosts.frameworks.requirement.FrameworkError: {error}")
    assert expected == (done.returncode, (done.stderr.splitlines() or [""])[-1])


def test_a_python_that_is_too_old_is_named():
    assert {"weakincentives": 12} == NEEDS_PYTHON
    with pytest.raises(FrameworkError, match=r"x needs Python 3\.99 or newer; this is 3\.\d+"):
        require_python("x", 99)


def test_a_missing_framework_names_the_command_that_installs_it():
    with pytest.raises(FrameworkError, match=r"pip install 'headway-agents\[nowhere\]'"):
        require("nowhere", "no-such-distribution", "1.0", "2")


@pytest.mark.parametrize(("at_least", "below"), [("999", "1000"), ("0.1", "0.2")])
def test_an_unsupported_version_names_those_that_are_supported(at_least, below):
    with pytest.raises(FrameworkError, match=rf"supports pytest >={at_least},<{below}.*headway-agents\[x\]"):
        require("x", "pytest", at_least, below)


def is_supported(at_least, below):
    try:
        require("x", "pytest", at_least, below)
    except FrameworkError:
        return False
    return True


@pytest.mark.parametrize("at_least", ["8", "8.0.0", version("pytest")])
def test_a_supported_version_is_fine(at_least):
    """From the first one on, and up to the last one before the next that nobody has tried."""
    assert is_supported(at_least, "1000")
    assert not is_supported(at_least, version("pytest"))
