"""Programs that run other programs: `sudo`, `timeout 60`, `uv run`, `docker exec box`, `FOO=1 …`."""

from headway.rolling.regex import regex
from headway.tools.shell.programs import Programs, Wrapper

ASSIGNMENT = regex(r"[A-Za-z_]\w*\+?=")
_MOST_WRAPPERS = 5


def unwrapped(words: list[str], programs: Programs) -> tuple[list[str], bool]:
    """The words of the program that is really run, and whether xargs feeds it files."""
    fed = False
    for _ in range(_MOST_WRAPPERS):
        while len(words) > 1 and "=" in words[0] and ASSIGNMENT.match(words[0]):
            words = words[1:]
        name = words[0] if words else ""
        if name not in programs.wrapped_by:
            break
        wrapper, used = _wrapper(words, programs)
        if wrapper is None:
            break
        if name == "command" and words[1:2] in (["-v"], ["-V"]):
            return ["which", *words[2:]], False
        inner = _after_own_words(words[used:], wrapper)
        if not inner:
            break
        fed = fed or name in ("xargs", "parallel")
        if name == "ssh":  # the other machine's shell reads it all again
            return ["eval", *inner], False
        words = [wrapper.alias, *inner] if wrapper.alias else inner
    return words, fed


def _wrapper(words: list[str], programs: Programs) -> tuple[Wrapper | None, int]:
    """The wrapper these words begin with, and how many of them are its name."""
    for count in (1, 2, 3):
        wrapper = programs.wrappers.get(" ".join(words[:count]))
        if wrapper:
            return wrapper, count
    return None, 0


def _after_own_words(words: list[str], wrapper: Wrapper) -> list[str]:
    """What is left behind a wrapper's options and own words."""
    if wrapper.alias:
        return words
    place, own = 0, wrapper.words
    while place < len(words):
        word = words[place]
        if word == "--":
            return words[place + 1 :]
        if word[:1] == "-":
            place += 1 + (word in wrapper.valued)
        elif own:
            own -= 1
            place += 1
        elif "=" in word and ASSIGNMENT.match(word):
            place += 1
        else:
            break
    return words[place:]
