"""Names of our refs and files, and printable file names."""

import os
import re

REFS = "refs/headway/"
OWN_FOLDER = ".headway"
OWN_SCRATCH = ".headway-tmp-"
"""The prefix of files that are being written. If one is left behind by a crash, it is not part of a snapshot."""

_COMPONENT = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]*")


def ref_of(name: str) -> str:
    """The full ref for a name like `loops/a1/round-003`, given with or without `refs/headway/`.

    Raises ValueError for anything that could reach another ref or mean something else to git.
    """
    components = name.removeprefix(REFS).split("/")
    if (name.startswith("refs/") and not name.startswith(REFS)) or not all(map(_is_safe, components)):
        raise ValueError(
            f"{name!r} cannot name a snapshot: expected words of letters, digits, '_', '-' and '.', "
            f"joined by '/', that stay below {REFS}"
        )
    return REFS + "/".join(components)


def refs_below(prefix: str) -> str:
    """The ref namespace for a prefix; all our refs for the empty prefix."""
    place = prefix.rstrip("/")
    return REFS if place in ("", REFS.rstrip("/")) else ref_of(place)


def is_ours(path: str) -> bool:
    """Check whether a path belongs to Headway itself. Such files are never part of a snapshot."""
    if OWN_FOLDER not in path:
        return False
    return any(word == OWN_FOLDER or word.startswith(OWN_SCRATCH) for word in path.split("/"))


def readable(path: str) -> str:
    """A path as text that can be printed and stored anywhere; bytes that are no UTF-8 become `\\xNN`."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")


def _is_safe(component: str) -> bool:
    whole = _COMPONENT.fullmatch(component) is not None
    return whole and ".." not in component and not component.endswith((".", ".lock"))
