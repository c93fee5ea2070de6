"""What a program that an agent passes to an interpreter does, and which files a patch is about."""

import re

from headway.rolling.lazy import regex
from headway.tools.kinds import MOST_PATHS, Kind

_LOOKED_AT = 4_000
"""Characters of a program that are looked at."""

_WRITES = regex(
    r"""\.write_text\( | \.write_bytes\( | \bwriteFile(?:Sync)?\( | \bappendFile(?:Sync)?\( | \bFile\.write\(
      | \bos\.(?:remove|unlink|rename|replace)\( | \bshutil\.(?:move|copy\w*|rmtree)\( | \.(?:to_csv|savefig)\(
      | \bopen\( [^()\n]{0,200}? ,\s* (?:mode\s*=\s*)? ["'][wax]""",
    re.VERBOSE,
)
_TELLING = ("write", "File", "os.re", "os.unlink", "shutil.", ".to_csv", ".savefig", "open(")
"""Every program that matches the pattern above contains one of these; searching for words first is much faster."""
_TARGET = regex(
    r"""\bopen\( \s* ["']([^"'\n]{1,300})["'] \s*,\s* (?:mode\s*=\s*)? ["'][wax]
      | \bPath\( \s* ["']([^"'\n]{1,300})["'] \s* \) \.write_
      | \b(?:write|append)File(?:Sync)?\( \s* ["']([^"'\n]{1,300})["']""",
    re.VERBOSE,
)
_SKILL = regex(
    r"""(?:print\()?(\w+)\( \s* (?:\w+\s*=\s*)? (?: ["']([^"'\n]{1,300})["'] )?
      (?: \s*,\s* (?:\w+\s*=\s*)? ["']([^"'\n]{1,300})["'] )?""",
    re.VERBOSE,
)
_SKILLS: dict[str, Kind] = {
    "open_file": "read", "goto_line": "read", "scroll_down": "read", "scroll_up": "read",
    "search_dir": "search", "search_file": "search", "find_file": "search",
    "create_file": "write", "edit_file": "edit", "edit_file_by_replace": "edit", "edit_file_by_line": "edit",
    "insert_content_at_line": "edit", "append_file": "edit",
}  # fmt: skip
_SLEEP = regex(r"\bsleep\(\s*(?:[1-9]|[A-Za-z_])")


def agent_skill(code: str) -> tuple[Kind, str | None, str | None] | None:
    """The kind, path and query of a call to a function for agents, as OpenHands has them: `open_file("a.py", 10)`.

    None where the program begins with anything else.
    """
    match = _SKILL.match(code.lstrip()[:_LOOKED_AT])
    kind = _SKILLS.get(match[1]) if match else None
    if match is None or kind is None:
        return None
    return (kind, match[3], match[2]) if kind == "search" else (kind, match[2], None)


def code_waits(code: str) -> bool:
    """Whether a program sleeps for a second or more."""
    return "sleep" in code and _SLEEP.search(code, 0, _LOOKED_AT) is not None


def code_writes(code: str) -> bool:
    """Whether a program writes, moves or removes files, by the looks of it."""
    if not any(word in code for word in _TELLING):
        return False
    return _WRITES.search(code, 0, _LOOKED_AT) is not None


def files_written_by(code: str) -> tuple[str, ...]:
    """The files a program writes, if their names are literals."""
    found = (match[match.lastindex or 0] for match in _TARGET.finditer(code, 0, _LOOKED_AT))
    return tuple(dict.fromkeys(found))


_PATCH_HEAD = 200_000
"""Characters of a patch that are looked at."""

_FILE_LINE = regex(
    r"^(?:\*\*\* (?:(?:Add|Update|Delete) File|Move to): (?P<named>[^\n]+)"
    r"|\+\+\+ (?:b/)?(?P<new>[^\t\n]+)"
    r"|--- (?:a/)?(?P<old>[^\t\n]+)(?=\n\+\+\+ /dev/null))",
    re.MULTILINE,
)


def files_in_patch(text: str) -> tuple[str, ...]:
    """The files named in a patch, of the `*** Update File:` kind or a unified diff, each once."""
    found: dict[str, None] = {}
    for match in _FILE_LINE.finditer(text, 0, _PATCH_HEAD):
        path = match[match.lastgroup or 0].strip()
        if path and path != "/dev/null":
            found[path] = None
            if len(found) == MOST_PATHS:
                break
    return tuple(found)
