"""Settings files as people have them, and words for installing into them."""

from headway.setup import agents, installing, uninstalling

THEIRS = '{"hooks": [{"type": "command", "command": "notify-send hi"}]}'
COMMENTED = """{
  // which model
  "model": "opus", /* the big one */
  "permissions": {
    "allow": ["Bash(ls)"], // harmless
  },
  "hooks": {
    // tell me
    "Stop": [
      %s, // mine
    ],
    "Odd": [],
  },
}
"""
BEFORE = {
    "absent": None,
    "empty": "",
    "blank": "\n\n",
    "object": "{}",
    "object with a line end": "{}\n",
    "open object": "{\n}\n",
    "one line": '{"model": "opus", "list": [1, 2]}',
    "one line with hooks": '{"hooks": {"Stop": [%s], "PreToolUse": []}}' % THEIRS,
    "two spaces": '{\n  "model": "opus",\n  "other": {"a": [1, 2]}\n}\n',
    "tabs": '{\n\t"model": "opus",\n\t"hooks": {\n\t\t"Stop": []\n\t}\n}\n',
    "windows": '{\r\n    "model": "opus",\r\n    "hooks": {}\r\n}\r\n',
    "byte order mark": '\ufeff{\n  "model": "opus"\n}\n',
    "nothing but a byte order mark": "\ufeff",
    "no line end": '{\n  "model": "opus" // the big one\n}',
    "comments and trailing commas": COMMENTED % THEIRS,
    "hooks of others": '{\n  "hooks": {\n    "Stop": [\n      %s\n    ],\n    "PreToolUse": [%s]\n  },\n  "z": "ü"\n}\n' % (THEIRS, THEIRS),
    "a name twice, the last without hooks": '{\n  "hooks": {"Stop": [%s]},\n  "hooks": {}\n}\n' % THEIRS,
    "a name twice": '{\n  "hooks": {},\n  "hooks": {"Stop": [%s]}\n}\n' % THEIRS,
}  # fmt: skip


def install(path, form):
    change = installing(path, form)
    change.apply()
    return change


def uninstall(path, form):
    change = uninstalling(path, form)
    assert change is not None
    change.apply()
    return change


def everything(folder):
    """All files and links below a folder, with what they hold."""
    return {
        str(path.relative_to(folder)): path.readlink() if path.is_symlink() else path.read_bytes()
        for path in folder.rglob("*")
        if path.is_symlink() or path.is_file()
    }


def is_contained(old, new):
    """Whether nothing of the old text is missing in the new one: it is the old one with something inserted."""
    rest = iter(new)
    return all(character in rest for character in old)


def claude(content):
    path, form = agents()["claude-code"].place(None)
    path.parent.mkdir(parents=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path, form
