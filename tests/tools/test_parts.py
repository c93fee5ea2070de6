"""The small parts: grammar, patches, paths."""

import pytest

from headway.tools.code import files_in_patch
from headway.tools.paths import join, tidy
from headway.tools.shell import narrowed
from headway.tools.shell.programs import split_options
from headway.tools.shell.syntax import simple_commands

WORDS = [
    ("a b  c", [["a", "b", "c"]]),
    ("a 'b c' \"d e\" f\\ g", [["a", "b c", "d e", "f g"]]),
    ("a 'b'\"c\"d", [["a", "bcd"]]),
    ('a "b \\"c\\" d"', [["a", 'b "c" d']]),
    ("a '' b", [["a", "", "b"]]),
    ("a && b || c; d & e | f", [["a"], ["b"], ["c"], ["d"], ["e"], ["f"]]),
    ("a\nb", [["a"], ["b"]]),
    ("a \\\n b", [["a", "b"]]),
    ("a # b; c\nd#e", [["a"], ["d#e"]]),
    ("a $(b; c) ${d} `e; f`", [["a", "$(b; c)", "${d}", "`e; f`"]]),
    ("(a; b)", [["a"], ["b"]]),
    ("a 2>&1 >/dev/null < b", [["a"]]),
    ("a 'unclosed; b", [["a", "unclosed; b"]]),
    ('a "unclosed; b', [["a", "unclosed; b"]]),
    ("a \\", [["a", "\\"]]),
    ("a <<X\nb; c\nX\nd", [["a"], ["d"]]),
    ("a <<X <<Y\n1\nX\n2\nY\nb", [["a"], ["b"]]),
    ("a <<< 'b c'; d", [["a"], ["d"]]),
    ("", []),
    (";;; && |", []),
]


@pytest.mark.parametrize(("text", "commands"), WORDS)
def test_words(text, commands):
    assert commands == [command.words for command in simple_commands(text)]


def test_redirections_name_files_and_not_streams():
    written = [command.writes for command in simple_commands("a > x 2> err >> y &> z >&2 2>&1 > /dev/null")]
    assert [[("x", False), ("y", True), ("z", False)]] == written


def test_a_here_document_belongs_to_its_command():
    first, second = simple_commands("a <<X | b\ntext\nX")
    assert ("text\n", "", True) == (first.heredoc, second.heredoc, second.piped)


PATCHES = [
    ("*** Begin Patch\n*** Add File: a.py\n+x\n*** Update File: b.py\n*** Move to: c.py\n", ("a.py", "b.py", "c.py")),
    ("--- a/x.py\n+++ b/x.py\n@@ -1 +1 @@\n", ("x.py",)),
    ("--- /dev/null\n+++ b/new.py\n", ("new.py",)),
    ("--- a/old.py\n+++ /dev/null\n", ("old.py",)),
    ("--- x.py\t2024-01-01\n+++ x.py\t2024-01-02\n", ("x.py",)),
    ("no patch", ()),
]


@pytest.mark.parametrize(("text", "paths"), PATCHES)
def test_files_in_patches(text, paths):
    assert paths == files_in_patch(text)


PATHS = [
    (None, "./a.py", "a.py"),
    (None, "a//b/../c.py", "a/c.py"),
    (None, "src/", "src"),
    (None, "https://x.org//a/", "https://x.org//a/"),
    ("src", "a.py", "src/a.py"),
    ("src", "../a.py", "a.py"),
    ("src", "/a.py", "/a.py"),
    ("src", "~/a.py", "~/a.py"),
    ("src", "C:\\a.py", "C:\\a.py"),
    (".", "a.py", "a.py"),
    ("a\0b", "c", "c"),
]


@pytest.mark.parametrize(("folder", "path", "joined"), PATHS)
def test_joining_paths(folder, path, joined):
    assert joined == join(folder, path)


def test_a_path_with_nul_is_left_alone():
    assert "a\0/./b" == tidy("a\0/./b")


def test_options_and_their_values():
    operands, options = split_options(["-rnA3", "-e", "x", "--glob=*.py", "a", "--", "-b"], frozenset(("-A", "-e")))
    assert ["a", "-b"] == operands
    assert {"-r": "", "-n": "", "-A": "3", "-e": "x", "--glob": "*.py"} == options


def test_ranges_of_ranges():
    assert (5, 9) == narrowed(None, (5, 9))
    assert (14, 18) == narrowed((10, 50), (5, 9))
    assert (10, 12) == narrowed((10, 12), (1, 100))
