"""Interpret the programs that do something: running, building, fetching, changing files."""

from typing import cast

from headway.rolling.lazy import regex
from headway.tools.kinds import Kind
from headway.tools.shell.file_readers import Reader, backups
from headway.tools.shell.programs import CommandPart, Programs, split_options

_NONE: frozenset[str] = frozenset()
_TASK_WORD = regex(r"[a-z0-9]+")
_TEST_SCRIPT = regex(
    r"(?:run|do)[-_]?(?:\w+?[-_])?tests?(?:[-_]\w+)?(?:\.\w+)?"
    r"|tests?(?:\.(?:sh|bat|cmd|ps1|[cm]?[jt]s))?|tests\.py|tests?[-_](?:runner|all|suite)(?:\.\w+)?"
)
_BUILD_SCRIPT = regex(r"(?:build|compile|make|lint|check)(?:[-_]all)?(?:\.(?:sh|bat|cmd|ps1))?|configure")
_SCRIPTS_WITH_VERBS = frozenset(("manage.py", "setup.py", "django-admin", "artisan", "console", "x.py"))
_TESTING = frozenset(("--test", "-Itest", "-Ispec"))
"""Options of interpreters that say that tests are run, or where they lie."""
_INTERPRETER_VALUED = frozenset(("-I", "-cp", "-classpath", "-e", "-r", "--require", "--loader", "--import"))
_HERE = regex(r"(?:https?://)?(?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1\]|host\.docker\.internal)\b")
_ASKS_HEALTH = regex(r"[/.](?:_?health[zs]?|healthcheck|readyz?|livez|liveness|readiness|ping|status)/?(?:[?#]|$)")
_LAST_IS_TARGET = ("cp", "mv", "ln", "install", "rsync", "scp", "rename", "copy-item", "move-item")
_TAKES_AWAY = ("mv", "rename", "move-item")
_LOOK_ONLY = frozenset(("--check", "--diff", "--check-only", "-c"))
_SECOND_IS_FILE = ("chmod", "chown", "chgrp")


def kind_of_task(name: str, programs: Programs) -> Kind | None:
    """The kind that a task's name suggests: `test:unit` tests, `build-docs` builds."""
    found = {programs.tasks.get(word) for word in _TASK_WORD.findall(name.lower())}
    return "test" if "test" in found else ("build" if "build" in found else None)


def read_runner(words: list[str], _piped: bool, programs: Programs) -> CommandPart:
    """`make test`, `gradle :app:check`: any of the targets decides."""
    name = words[0]
    family = {"gradlew": "gradle", "mvnw": "mvn", "gmake": "make"}.get(name, name)
    operands, _ = split_options(words[1:], programs.valued.get(family, _NONE))
    kinds = [kind_of_task(target, programs) for target in operands[:4]]
    if "test" in kinds or ("check" in operands and name in programs.check_is_test):
        return CommandPart("test")
    return CommandPart("build" if "build" in kinds else programs.runners[name])


def read_verb(words: list[str], _piped: bool, programs: Programs) -> CommandPart:
    """`cargo test`, `docker ps`, `npm run build`: the first word or two decide."""
    name = words[0]
    known = programs.verbs[name]
    family = "npm" if name in programs.task_verbs else name
    operands, options = split_options(words[1:], programs.valued.get(family, _NONE))
    verb = operands[0] if operands else ""
    kind = known.get(" ".join(operands[:2])) or known.get(verb)
    if kind is None and name == "docker" and verb == "compose" and operands[1:]:
        kind = known.get(operands[1])
    if kind is None and name in programs.task_verbs:
        scripts = operands[1:] if verb in ("run", "run-script", "task", "workspace", "affected") else operands
        kind = kind_of_task(scripts[-1] if verb == "workspace" and scripts else "".join(scripts[:1]), programs)
    part = part_of(kind or known[""])
    part.acts = part.kind == "run" and not programs.families["controls"].isdisjoint(operands[:2])
    part.changes = verb in programs.changing_verbs[name] or (verb == "fmt" and "--check" not in options)
    if name in programs.moving_verbs:
        part.moves = not programs.moving_verbs[name].isdisjoint((verb, " ".join(operands[:2])))
    if part.kind == "poll" and ("-f" in options or "--follow" in options or "--watch" in options or "-w" in options):
        part.waits = True
    return part


def part_of(kind: str) -> CommandPart:
    """A part of this kind; `wait` and `files` are names of `programs.toml` for special cases of two kinds."""
    if kind == "wait":
        return CommandPart("poll", waits=True)
    if kind == "files":
        return CommandPart("write", changes=True, minor=True)
    return CommandPart(cast(Kind, kind), changes=kind == "edit")


def read_script(words: list[str], _piped: bool, programs: Programs) -> CommandPart:
    """`./x.sh`, `node app.js`: something is run, and its name may say that it tests or builds."""
    name = words[0]
    if name in programs.families["interpreters"]:
        if not _TESTING.isdisjoint(words):
            return CommandPart("test")
        operands, options = split_options(words[1:], _INTERPRETER_VALUED)
        if "-e" in options or not operands:
            return read_code(options.get("-e", ""))
        words = operands
    return named_script(words, programs)


def named_script(words: list[str], programs: Programs) -> CommandPart:
    """A script by its name; `manage.py test` by its first word."""
    base = words[0].rsplit("/", 1)[-1]
    kind: Kind | None = None
    if base in _SCRIPTS_WITH_VERBS and len(words) > 1:
        kind = kind_of_task(words[1], programs)
    elif _TEST_SCRIPT.fullmatch(base):
        kind = "test"
    elif _BUILD_SCRIPT.fullmatch(base):
        kind = "build"
    return CommandPart(kind or "run", words[:1] if "/" in words[0] or "." in words[0] else ())


def read_code(code: str) -> CommandPart:
    """Program text handed to an interpreter is run, and may wait or write."""
    from headway.tools.code import code_waits, code_writes, files_written_by  # few commands contain a program

    writes = code_writes(code)
    return CommandPart("run", files_written_by(code) if writes else (), changes=writes, waits=code_waits(code))


def read_perl(words: list[str], piped: bool, programs: Programs) -> CommandPart:
    """`perl -pi -e …` edits, `perl -ne …` reads, `perl x.pl` runs."""
    flags = "".join(word[1:] for word in words[1:] if word[:1] == "-" and word[1:2] != "-")
    if "e" not in flags:
        return read_script(["node", *words[1:]], piped, programs)
    operands = [word for word in words[1:] if word[:1] != "-"][1:]
    if "i" in flags:
        return CommandPart("edit", [*operands, *backups(words, operands)], changes=True)
    if "n" in flags or "p" in flags:
        return CommandPart("read", operands, filter=not operands)
    return CommandPart("run")


def read_moved_files(words: list[str], _piped: bool, programs: Programs) -> CommandPart:
    """`rm a b`, `cp a b`, `chmod +x a`: files are changed, and named on the command line."""
    name = words[0]
    operands, options = split_options(words[1:], programs.valued.get(name, _NONE))
    shown = programs.shows_only.get(name, _NONE) | programs.shows_only["any"]
    if not shown.isdisjoint(options) or not shown.isdisjoint(operands[:1]):
        return CommandPart("read", operands[-1:])
    folder = options.get("-t") or options.get("--target-directory")
    if name in programs.families["unnamed"]:
        operands = []
    elif name in _LAST_IS_TARGET:
        operands = [*operands, folder] if folder else operands
        operands = operands[-1:] + (operands[:-1] if name in _TAKES_AWAY else [])
    elif name in _SECOND_IS_FILE:
        operands = operands[1:]
    harmless = name in programs.families["harmless"]
    return CommandPart("write", operands, changes=True, minor=True, harmless=harmless)


_TAR_WRITES = frozenset("cxruA")


def read_tar(words: list[str], _piped: bool, _programs: Programs) -> CommandPart:
    """`tar tf x.tar` lists, any other use writes."""
    bundled = (
        [word for word in words[1:] if word[:1] == "-" and word[1:2] != "-"]
        if words[1:2] and words[1][:1] == "-"
        else words[1:2]
    )
    letters = "".join(bundled)
    if "--list" in words or ("t" in letters and _TAR_WRITES.isdisjoint(letters)):
        return CommandPart("list", words[2:3])
    if "--to-stdout" in words or ("O" in letters and "x" in letters):
        return CommandPart("read", words[2:3])
    return CommandPart("write", changes=True, minor=True)


def read_tee(words: list[str], _piped: bool, programs: Programs) -> CommandPart:
    """`tee f` writes what comes through the pipe."""
    operands, options = split_options(words[1:], programs.valued["tee"])
    operands = [word for word in operands if not word.startswith(("/dev/", ">("))]
    if not operands:
        return CommandPart("read", filter=True)
    return CommandPart("edit" if "-a" in options or "--append" in options else "write", operands, changes=True)


def read_dd(words: list[str], _piped: bool, _programs: Programs) -> CommandPart:
    """`dd of=f` writes."""
    target = [word[3:] for word in words if word.startswith("of=") and not word.startswith("of=/dev/null")]
    return CommandPart("write", target, changes=True) if target else CommandPart("run")


def read_patch(words: list[str], _piped: bool, programs: Programs) -> CommandPart:
    """`patch f < x.diff` and `apply_patch '*** Begin Patch …'` edit the files the patch names."""
    operands, options = split_options(words[1:], frozenset(("-p", "-d", "-i", "-o", "-D")))
    if "--dry-run" in options:
        return CommandPart("read", operands)
    from headway.tools.code import files_in_patch

    named = [path for word in operands for path in files_in_patch(word)]
    if not named and words[0] == "patch":
        named = [options["-o"]] if "-o" in options else operands[:1]
    return CommandPart("edit", named, changes=True)


def read_web(words: list[str], _piped: bool, programs: Programs) -> CommandPart:
    """`curl URL` fetches from the web, or from a server on this machine."""
    name = words[0]
    operands, options = split_options(words[1:], programs.valued.get(name, programs.valued["curl"]))
    address = next((word for word in operands if ":" in word or "." in word or "/" in word), "".join(operands[:1]))
    acts = _sends(words, options, programs)
    if _ASKS_HEALTH.search(address):
        return CommandPart("poll", query=address, acts=acts)
    if _HERE.match(address):
        return CommandPart("run", query=address, minor=True, acts=acts)
    saved = options.get("-o") or options.get("-O") or options.get("--output") or options.get("--output-document") or ""
    keeps = "-O" in options or "--remote-name" in options if name == "curl" else name == "wget" and saved != "-"
    if saved in ("-", "/dev/null") or name not in ("curl", "wget"):
        saved, keeps = "", False
    changes = bool(saved) or keeps
    return CommandPart("web", (saved,) if saved else (), query=address or None, changes=changes, acts=acts)


def _sends(words: list[str], options: dict[str, str], programs: Programs) -> bool:
    """Whether a request does more than ask: `curl -X POST`, `http DELETE …`, `curl -d …`, but not `curl -G -d …`."""
    methods, sent = programs.families["writing_methods"], programs.families["sent"]
    said = (*words[1:], *options.values())
    if any(word.upper().removeprefix("-X").rpartition("=")[2] in methods for word in said):
        return True
    return not sent.isdisjoint(options) and "-G" not in options and "--get" not in options


def read_wait(words: list[str], _piped: bool, _programs: Programs) -> CommandPart:
    """`sleep 30`; less than a second is no waiting."""
    if words[0] == "sleep" and len(words) > 1:
        length = words[1]
        short = (
            length[:1] in ("0", ".")
            and length.rstrip("s").replace(".", "", 1).isdigit()
            and float(length.rstrip("s")) < 1
        )
        if short:
            return CommandPart()  # so `cat f; sleep 0.3` is a read, not a poll
    return CommandPart("poll", waits=True)


def read_prompt(words: list[str], _piped: bool, programs: Programs) -> CommandPart:
    """`read -t 30` waits for a key, at most so long; without a time, `read` reads what comes through the pipe."""
    _, options = split_options(words[1:], programs.valued["read"])
    seconds = options.get("-t", "")
    return CommandPart("poll", waits=True) if seconds.isdecimal() and int(seconds) else CommandPart()


def read_checker(words: list[str], _piped: bool, programs: Programs) -> CommandPart:
    """`mypy`, `tsc`, `ruff check --fix`: code is checked or built, and some of these fix what they find."""
    name, families = words[0], programs.families
    if name in families["formatters"]:
        return CommandPart("build", changes=_LOOK_ONLY.isdisjoint(words))
    fixes = name in families["fixers"] and not families["fix_options"].isdisjoint(words)
    formats = name == "ruff" and words[1:2] == ["format"] and _LOOK_ONLY.isdisjoint(words)
    return CommandPart("build", changes=fixes or formats)


def read_cloud(words: list[str], _piped: bool, _programs: Programs) -> CommandPart:
    """`aws ecs describe-services`, `gcloud builds describe`, `az vm show`: querying the state of a cloud service."""
    verbs = [word for word in words[1:] if word[:1] != "-"]
    if any(verb == "wait" for verb in verbs):
        return part_of("wait")
    return part_of("poll" if any(verb.startswith(_ASKING) for verb in verbs) else "run")


_ASKING = ("describe", "show", "status", "get-", "list-")

ACTIONS: dict[str, Reader] = {
    "aws": read_cloud, "gcloud": read_cloud, "az": read_cloud, "doctl": read_cloud, "oci": read_cloud,
    "perl": read_perl, "read": read_prompt, "tar": read_tar, "tee": read_tee, "dd": read_dd,
    "sponge": read_tee, "patch": read_patch, "apply_patch": read_patch, "applypatch": read_patch,
}  # fmt: skip
