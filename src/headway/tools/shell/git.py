"""Interpret git commands: most only look, some change the files of the working tree."""

from headway.rolling.lazy import regex
from headway.tools.shell.file_readers import read_grep
from headway.tools.shell.programs import CommandPart, Programs, split_options

_NONE: frozenset[str] = frozenset()
_HARMLESS = {
    "checkout": ("-b", "-B", "--orphan"),
    "switch": ("-c", "-C", "--create"),
    "clean": ("-n", "--dry-run"),
    "apply": ("--check", "--stat", "--numstat"),
    "merge": ("--abort",),
}
"""Options with which a verb does not change files. (An aborted merge does, but only back to an earlier state.)"""

_HARMLESS_NEXT = {
    "stash": ("list", "show", "drop", "clear"),
    "submodule": ("status", "summary", "foreach"),
    "bisect": ("log", "visualize"),
    "worktree": ("list", "lock", "unlock", "prune"),
    "bundle": ("list-heads", "verify"),
    "lfs": ("ls-files", "status", "env", "logs", "track"),
}
_ACTS = frozenset(("add", "am", "cherry-pick", "commit", "fetch", "merge", "push", "rebase", "reset", "revert"))
"""Verbs after which git, here or in another clone, may print something else than before."""
_REVISION = regex(r"(?:[\w-]+/)*[A-Za-z-]*\d+(?:\.\d+)*(?:[-.]?[a-z]+\.?\d*)?(?:[~^]\d*)*")
"""`v1.2`, `release/2.0-rc1`: it looks like a file because of the dot."""
_OUTPUT = frozenset(("-o", "--output"))
_NAMES_FILES = ("diff", "checkout", "restore", "rm", "mv", "log", "show", "blame", "add")


def read_git(words: list[str], piped: bool, programs: Programs) -> CommandPart:
    """`git diff` looks, `git checkout -- f` changes, `git grep` searches."""
    verb_at, folder = _verb(words, programs.valued["git"])
    verb = words[verb_at] if verb_at < len(words) else ""
    rest = words[verb_at + 1 :]
    known = programs.verbs["git"]
    kind = known.get(verb, known[""])
    if kind == "search":
        part = read_grep(["grep", "-r", *rest], piped, programs)
    else:
        part = CommandPart(
            "list" if kind == "list" else "vcs", _files(verb, rest), changes=_changes(verb, rest, programs)
        )
        part.runs, part.jumps = verb in _ACTS, _jumps(verb, rest)
    if output := _output(verb, rest):
        part.paths, part.changes = [output], True
    if folder:
        part.paths = [f"{folder}/{path}" if path[:1] != "/" else path for path in part.paths]
    return part


def _verb(words: list[str], valued: frozenset[str]) -> tuple[int, str]:
    """Where the verb stands, and the folder of `git -C folder verb`."""
    place, folder = 1, ""
    while place < len(words) and words[place][:1] == "-":
        if words[place] in valued:
            if words[place] == "-C" and place + 1 < len(words):
                folder = words[place + 1]
            place += 1
        place += 1
    return place, folder


def _output(verb: str, rest: list[str]) -> str:
    """The file that `git diff --output=f` or `git archive -o f` writes."""
    _, options = split_options(rest, _OUTPUT)
    return options.get("--output") or (options.get("-o", "") if verb == "archive" else "")


def _changes(verb: str, rest: list[str], programs: Programs) -> bool:
    if verb not in programs.changing_verbs["git"]:
        return False
    if verb == "reset":
        return not {"--hard", "--merge", "--keep"}.isdisjoint(rest)
    if verb == "restore":
        return ("--staged" not in rest and "-S" not in rest) or "--worktree" in rest or "-W" in rest
    if any(option in rest for option in _HARMLESS.get(verb, ())):
        return False
    return not (rest and rest[0] in _HARMLESS_NEXT.get(verb, ()))


def _jumps(verb: str, rest: list[str]) -> bool:
    """Whether the working tree is then that of another commit: of a branch, a tag, the next one of a bisection."""
    if verb == "bisect":
        return bool(rest) and rest[0] not in _HARMLESS_NEXT["bisect"]
    if verb not in ("checkout", "switch", "reset") or "--" in rest:
        return False
    operands, options = split_options(rest, _NONE)
    if (verb == "reset") != ("--hard" in options) or not set(_HARMLESS.get(verb, ())).isdisjoint(options):
        return False
    if len(operands) != 1 or operands[0] in (".", "HEAD") or operands[0].endswith("/"):
        return False
    return not _files(verb, rest) or _REVISION.fullmatch(operands[0]) is not None


def _files(verb: str, rest: list[str]) -> list[str]:
    """The files a verb is about: whatever follows `--`, else words that look like files."""
    if verb not in _NAMES_FILES:
        return []
    if "--" in rest:
        return rest[rest.index("--") + 1 :]
    operands, _ = split_options(rest, _NONE)
    # `git diff main..feature`, `git show v1.2`: a dot alone does not make a file
    return [
        word for word in operands if "." in word.rsplit("/", 1)[-1].strip(".") and ".." not in word and ":" not in word
    ]
