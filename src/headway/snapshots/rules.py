"""Merges the rule files of a repository into one file, so that git can list files by earlier rules.

Git itself reads the patterns. Here each pattern only gets the folder that it came from.
"""

import re
from collections.abc import Iterator
from pathlib import Path

BOM = b"\xef\xbb\xbf"
LONGEST = 4096
"""Maximum size in bytes of a rule file that ignores its own folder. Tools write a line or two."""
_SPECIAL = re.compile(rb"([\\*?\[])")
_INSTALLED = re.compile(
    rb"(?<=\0)\? ((?:[^\0]*?/)?(?:node_modules|\.venv|venv|__pycache__|\.tox|\.nox|\.gradle|target))/"
)
"""Files in folders that package managers, builds and interpreters fill. Test runners find no tests there."""
_TOOLS = re.compile(r"\..*|htmlcov|node_modules|__pycache__|venv|env|target|site")
"""Folders that tools create and that may ignore themselves. Another folder may hold code that the tests import."""
_UNTRACKED_RULES = re.compile(rb"(?<=\0)\? ([^\0]+)/\.gitignore(?=\0)")


def merge_rules(rules: dict[bytes, bytes]) -> bytes:
    """All rules in order of precedence, lowest first: general rules, the project's rules, then those of folders."""
    places = sorted(rules, key=lambda path: (path != b"", path.count(b"/")))
    return b"\n".join(line for path in places for line in _lines(path.rpartition(b"/")[0], rules[path]))


def self_ignoring(root: Path, untracked: bytes) -> Iterator[str]:
    """Untracked folders whose own rule file ignores everything in them, like the caches of many tools."""
    for found in _UNTRACKED_RULES.finditer(b"\0" + untracked):
        folder = found[1].decode("utf-8", "surrogateescape")
        if not any(map(_TOOLS.fullmatch, folder.split("/"))):
            continue
        try:
            place = root / folder / ".gitignore"
            text = place.read_bytes() if place.is_file() and place.stat().st_size <= LONGEST else b""
        except OSError:
            continue
        lines = {line.strip() for line in text.splitlines()}
        if {line for line in lines if line and not line.startswith(b"#")} == {b"*"}:
            yield folder


def installed_in(untracked: bytes) -> set[str]:
    """Untracked folders with installed packages or compiled files."""
    return {found.decode("utf-8", "surrogateescape") for found in _INSTALLED.findall(b"\0" + untracked)}


def _lines(folder: bytes, text: bytes) -> Iterator[bytes]:
    if b"\n" in folder:
        return  # no pattern can name it, so each of its new files is checked with git
    place = _SPECIAL.sub(rb"\\\1", folder)
    for line in text.removeprefix(BOM).split(b"\n"):
        pattern = line.removesuffix(b"\r")
        if not folder or not pattern.strip() or pattern.startswith(b"#"):
            yield pattern
            continue
        no, pattern = (b"!", pattern[1:]) if pattern.startswith(b"!") else (b"", pattern)
        anywhere = b"" if b"/" in pattern.rstrip().removesuffix(b"/") else b"**/"
        yield no + b"/" + place + b"/" + anywhere + pattern.removeprefix(b"/")
