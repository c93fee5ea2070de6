"""One change of a settings file: shown as a diff, written completely or not at all, and reverted byte for byte."""

import difflib
import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

from headway.setup.folders import make_folder, remove_empty
from headway.setup.form import Form, UnfitError
from headway.setup.settings_file import SetupError, check_place, read_settings
from headway.snapshots.locks import exclusive_lock

BACKUP = ".headway-backup"
T = TypeVar("T")
_BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True)
class Change:
    """The change of one file; None means no file."""

    path: Path
    before: bytes | None
    after: bytes | None
    new_backup: Path | None = None
    """Where the file from before Headway is saved."""
    spent_backup: Path | None = None
    """A backup that is no longer needed, because the file was restored."""
    old_backup: Path | None = None
    """A backup that stays, because the file was changed since."""

    @property
    def is_needed(self) -> bool:
        """Whether the file changes."""
        return self.before != self.after

    def diff(self) -> str:
        """The change as a unified diff."""
        old, new = (_lines(content) for content in (self.before, self.after))
        name = str(self.path)
        names = (name if self.before is not None else os.devnull, name if self.after is not None else os.devnull)
        return "".join(difflib.unified_diff(old, new, *names))

    def apply(self) -> "Change":
        """Write the backup, then the file. Returns the change; an empty one if the file already has the new content."""
        with exclusive_lock(_existing(self.path.resolve().parent)):
            now = read_settings(self.path)
            if now == self.after:
                return replace(self, before=now, new_backup=None)
            if now != self.before or (self.new_backup and self.new_backup != _free_name(self.path)):
                raise SetupError(f"{self.path}: it was changed at the same time; please try again")
            self._write_all()
        return self

    def _write_all(self) -> None:
        try:
            if self.new_backup and self.before is not None:
                _write(self.new_backup, self.before, like=self.path)
            self._write()
        except OSError as error:
            if self.new_backup:
                self.new_backup.unlink(missing_ok=True)
            raise SetupError(f"{self.path}: cannot be written ({error.strerror}); nothing was changed") from error
        if self.spent_backup:
            self.spent_backup.unlink(missing_ok=True)

    def _write(self) -> None:
        if self.after is None:
            _remove(self.path)
        elif self.is_needed:
            _write(self.path.resolve(), self.after, like=self.path)


def installing(path: Path, form: Form, project: Path | None = None) -> Change:
    """The change that installs the hook in a settings file."""
    check_place(path, project)
    before = read_settings(path)
    bom, text = _text(path, before)
    after = bom + _edited(path, lambda: form.installed(text)).encode()
    fresh = before is not None and not _edited(path, lambda: form.commands(text))
    change = Change(path, before, after, new_backup=_free_name(path) if fresh and before != after else None)
    return _checked(change)


def uninstalling(path: Path, form: Form, project: Path | None = None) -> Change | None:
    """The change that removes the hook from a settings file; None if it has no hook of Headway."""
    check_place(path, project)
    before = read_settings(path)
    bom, text = _text(path, before)
    if before is None or not _edited(path, lambda: form.commands(text)):
        return None
    backup = _latest_backup(path)
    kept = None if backup is None else read_settings(backup, follow=False)
    original = None if backup is None else _text(backup, kept)[1]
    rest = _edited(path, lambda: form.removed(text, original))
    after = None if rest is None else bom + rest.encode()
    if backup is not None and after == kept:
        return _checked(Change(path, before, after, spent_backup=backup))
    return _checked(Change(path, before, after, old_backup=backup))


def commands_in(path: Path, form: Form) -> list[str]:
    """The command lines of Headway's hooks in a settings file; empty if it does not exist."""
    _, text = _text(path, read_settings(path))
    return _edited(path, lambda: form.commands(text))


def events_in(path: Path, form: Form) -> set[str]:
    """The events that have Headway's hooks in a settings file; empty if it does not exist."""
    _, text = _text(path, read_settings(path))
    return _edited(path, lambda: form.events(text))


def mentions_in(path: Path, form: Form) -> list[str]:
    """The command lines in a settings file that mention Headway's hook."""
    _, text = _text(path, read_settings(path))
    return _edited(path, lambda: form.mentions(text))


def _checked(change: Change) -> Change:
    real = change.path.resolve()
    if change.is_needed and change.before is not None and not real.stat().st_mode & 0o200:
        raise SetupError(f"{change.path}: the file is read-only; allow writing (chmod u+w {real}) and try again")
    return change


def _edited(path: Path, edit: Callable[[], T]) -> T:
    try:
        return edit()
    except UnfitError as error:
        raise SetupError(f"{path}: {error}") from error


def _text(path: Path, content: bytes | None) -> tuple[bytes, str]:
    """The byte order mark, if there is one, and the text after it."""
    content = content or b""
    bom = _BOM if content.startswith(_BOM) else b""
    try:
        return bom, content[len(bom) :].decode()
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise SetupError(f"{path}: line {line} is not UTF-8 text; save the file as UTF-8 and try again") from error


def _lines(content: bytes | None) -> list[str]:
    lines = (content or b"").decode(errors="replace").splitlines(keepends=True)
    return [line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines]


def _backups(path: Path) -> list[Path]:
    names = [path.with_name(path.name + BACKUP)]
    while os.path.lexists(names[-1]):  # a dangling link also blocks the name
        names.append(path.with_name(f"{path.name}{BACKUP}-{len(names) + 1}"))
    return names


def _free_name(path: Path) -> Path:
    return _backups(path)[-1]


def _latest_backup(path: Path) -> Path | None:
    names = _backups(path)
    return names[-2] if len(names) > 1 else None


def _existing(folder: Path) -> Path:
    return next(one for one in (folder, *folder.parents) if one.is_dir())


def _write(path: Path, content: bytes, like: Path) -> None:
    """Write a temporary file and rename it, keeping the permissions."""
    make_folder(path.parent)
    unfinished = path.with_name(f".headway-{os.urandom(8).hex()}.tmp")
    try:
        with unfinished.open("xb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        if like.exists():
            unfinished.chmod(like.stat().st_mode & 0o7777)
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)


def _remove(path: Path) -> None:
    """Remove the file, and the empty folders that were created for it."""
    real = path.resolve()
    real.unlink()
    remove_empty(real.parent)
