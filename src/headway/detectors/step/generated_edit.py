"""Editing a generated file, or one that belongs to another project.

Why it matters: the next install, build or generator run overwrites the edit, and the source of the file stays wrong.
Fires: when the edited file is a lock file, is in a folder of installed, vendored or built files, has the name of a
generated file, or begins with a comment that says it is generated and must not be edited (if the agent has read it).
Advice only.
Clears: when the user sends a message.
Blind to: files that the agent created or the user named, and what package managers and generators write.
"""

from functools import lru_cache
from itertools import takewhile

from headway.core.detector import Detector, Findings, state
from headway.core.finding import Severity
from headway.core.session import Session
from headway.core.step import Step, quoted
from headway.rolling.bounded import push
from headway.rolling.lazy import regex
from headway.rolling.secrets import mask

KEPT_PATHS = 256
HEAD = 600
"""Characters at the beginning of a file in which to look for such a comment."""
LOCK_FILES = frozenset((
    "package-lock.json", "npm-shrinkwrap.json", "yarn.lock", "pnpm-lock.yaml", "bun.lock", "poetry.lock", "uv.lock",
    "pdm.lock", "Pipfile.lock", "Cargo.lock", "Gemfile.lock", "composer.lock", "go.sum", "flake.lock",
))  # fmt: skip
_INSTALLED = regex(r"(?:^|/)(node_modules|site-packages|dist-packages|bower_components)/")
_VENDORED = regex(r"(?:^|/)(vendor|_vendor|third_party)/")
_BUILT = regex(r"(?:^|/)(dist)/.*\.(?:[cm]?js|css|map)$")
_NAMED = regex(r"\.min\.(?:js|css)$|_pb2(?:_grpc)?\.pyi?$|\.pb\.go$|\.pb\.(?:cc|h)$|\.g\.dart$|\.generated\.\w+$")
_NUMBER = regex(r"\s*\d+[\t:|→ ] ?")
_COMMENT = regex(r"\s*(?:$|#|//|/\*|\*|--|;|%|<!--|<\?xml)")
_NOT_TO_EDIT = regex(r"(?i)\b(?:do not|don't) (?:manually |hand-?)?(?:edit|modify|change)\b")


class GeneratedEdit(Detector):
    """An edit of a generated or vendored file."""

    advisory: bool = True
    severity: Severity = Severity.MEDIUM
    confidence = 0.7
    clears = "Change the source that it is generated from, or run the tool that generates it."
    kinds = frozenset(("edit", "write"))
    only_changes = True

    made: list[str] = state(factory=list)

    def on_step(self, step: Step, session: Session) -> Findings:
        """Look at the file that was changed."""
        path = step.path
        record = session.files.get(path)
        if path is None or record is None or path in self.made:
            return
        if step.kind == "write" and not record.ever_read:
            push(self.made, path, KEPT_PATHS)  # as far as known, the file did not exist before
            return
        if (step.kind == "write" and step.meaning.command) or _is_asked_for(path, session):
            return
        why = _known_by_its_path(path) or _says_so(path, session)
        if why:
            yield self.finding(f"{path} was edited, and {why}.", identity=path, file_path=path)


def _is_asked_for(path: str, session: Session) -> bool:
    return any(target.rpartition("/")[2] == path.rpartition("/")[2] for target in session.targets)


@lru_cache(maxsize=64)
def _known_by_its_path(path: str) -> str | None:
    if path.rpartition("/")[2] in LOCK_FILES:
        return "it is a lock file, which package managers write"
    if found := _INSTALLED.search(path):
        return f"it is in {found[1]}, where installed packages are kept"
    if found := _VENDORED.search(path):
        return f"it is in {found[1]}, a usual folder for copies of other projects' code"
    if found := _BUILT.search(path):
        return f"it is in {found[1]}, a usual folder for build output"
    return "it has the name of a generated file" if _NAMED.search(path) else None


def _says_so(path: str, session: Session) -> str | None:
    """What the comment at the beginning of the file says, as far as it was read and is still remembered."""
    reads = [step for step in session.steps if step.path == path and step.kind == "read" and not step.failed]
    for step in reads:
        if "generated" in step.output[:HEAD].lower() and (step.meaning.lines is None or step.meaning.lines[0] <= 1):
            head = list(takewhile(_COMMENT.match, _lines(step.output[:HEAD])))
            said = next(filter(_NOT_TO_EDIT.search, head), None)
            if said and any("generated" in line.lower() for line in head):
                return f"a comment at its beginning says {quoted(mask(said), 100)}"
    return None


def _lines(text: str) -> list[str]:
    """The lines of a file, without the line numbers and the words above them that a tool has added."""
    lines = text.splitlines()
    numbered = [line for line in lines if _NUMBER.match(line)]
    return [_NUMBER.sub("", line, count=1) for line in numbered] if numbered else lines
