"""Checks that a framework is installed in a supported version before it is imported. The error says what to install."""

import re
import sys
from importlib.metadata import PackageNotFoundError, version


class FrameworkError(ImportError):
    """A framework is missing, or has a version that Headway does not support; the message says what to install."""


def require(extra: str, distribution: str, at_least: str, below: str) -> None:
    """Raise an error unless the framework of this extra is installed in a supported version."""
    install = f"pip install 'headway-agents[{extra}]'"
    try:
        found = version(distribution)
    except PackageNotFoundError:
        raise FrameworkError(f"{distribution} is not installed. Install it with:  {install}") from None
    if not _numbers(at_least) <= _numbers(found) < _numbers(below):
        raise FrameworkError(
            f"{distribution} {found} is installed; Headway supports {distribution} >={at_least},<{below}. "
            f"Install one of these with:  {install}"
        )


def require_python(extra: str, minor: int) -> None:
    """Raise an error on a Python version on which the framework of this extra cannot be installed."""
    if sys.version_info < (3, minor):
        raise FrameworkError(f"{extra} needs Python 3.{minor} or newer; this is {sys.version.split()[0]}.")


def _numbers(text: str) -> tuple[int, ...]:
    """The leading numbers of a version, without trailing zeros, so that 1.0 and 1.0.0 are equal."""
    release = re.match(r"\d+(\.\d+)*", text)
    numbers = [int(part) for part in release.group().split(".")] if release else [0]
    while numbers and numbers[-1] == 0:
        numbers.pop()
    return tuple(numbers)
