"""What a request asks for in a list: the files and the code that each item names.

Only items that ask for something to be done count, judged by their first word or by the line above the list. An item
that forbids something, or that depends on a condition, is left out, and so are lists that only describe: steps to
reproduce, expected behaviour, an environment.
"""

from headway.rolling.lazy import regex
from headway.rolling.secrets import mask
from headway.tools.request import named_paths

LONGEST = 8_000
"""Characters of a request that are read."""
MOST_ITEMS = 30
_ITEM = regex(r"^\s{0,6}(?:[-*+•]|\(?\d{1,2}[.)])\s+(?:\[[ xX]?\]\s+)?(?P<text>\S.*)$")
_FENCE = regex(r"^\s*(?:```|~~~)")
_CODE = regex(r"`([^`\s]{3,80})`")
_NAME = regex(r"[\w./\\:-]*[A-Za-z_][\w./\\:-]*(?:\(\))?")
_VERBS = (
    r"(?:add|adjust|change|clean|convert|correct|create|delete|document|drop|edit|expose|extend|extract|fix|handle|"
    r"implement|improve|introduce|make|merge|migrate|modify|move|port|refactor|remove|rename|replace|rewrite|split|"
    r"support|test|translate|update|upgrade|write)"
)
_ASKS = regex(rf"(?i)^[\s*_`\"']*(?:please\s+|then\s+|also\s+|and\s+)*{_VERBS}\b")
_ASKS_FOR_ALL = regex(rf"(?i)\b{_VERBS}\b.*:\s*$")
_SET_ASIDE = regex(
    r"(?i)\b(?:no|not|never|without|avoid|except|unless|instead|if|when|optional(?:ly)?|already|only|either|or)\b|n't\b|\?"
)
_DESCRIBES = regex(
    r"(?i)\b(?:reproduc\w*|steps|example|expected|actual|environment|versions?|currently|observed|like)\b"
)


def listed_names(text: str) -> list[list[str]]:
    """The names in each item of the lists that ask for something, if there are at least two such items."""
    lines = text[:LONGEST].splitlines()
    if len([line for line in lines if _may_name(line) and _ITEM.match(line)]) < 2:
        return []
    found: list[list[str]] = []
    heading, in_fence = "", False
    for line in lines:
        in_fence ^= _FENCE.match(line) is not None
        item = None if in_fence else _ITEM.match(line)
        if item is None:
            heading = line if line.strip() and not in_fence else heading
            continue
        names = _names_in(item["text"]) if _may_name(item["text"]) and _is_asked(item["text"], heading) else []
        found += [names] if names else []
    return found[:MOST_ITEMS] if len(found) > 1 else []


def _may_name(line: str) -> bool:
    """Whether a line has a backtick, as around code, or a dot, as in the name of a file."""
    return "`" in line or "." in line


def _is_asked(item: str, heading: str) -> bool:
    if not _ASKS.match(item) and not (heading.rstrip().endswith(":") and _ASKS_FOR_ALL.search(heading)):
        return False
    return not (_SET_ASIDE.search(item) or _DESCRIBES.search(heading) or _SET_ASIDE.search(heading))


def _names_in(item: str) -> list[str]:
    """The last part of each path or name, which occurs wherever the path or name is mentioned."""
    item = mask(item)
    names = [name for name in _CODE.findall(item) if _NAME.fullmatch(name)]
    return list(dict.fromkeys(_last_part(name) for name in (*names, *named_paths(item))))


def _last_part(name: str) -> str:
    name = name.removesuffix("()").rstrip("/\\")
    parts = name.replace("\\", "/").replace("::", "/").split("/")
    return parts[-1] or name
