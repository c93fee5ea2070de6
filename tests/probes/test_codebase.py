"""Counting files, lines and complexity."""

import shutil
import time

from hypothesis import given
from hypothesis import strategies as st

from headway.core.iteration import Measurements
from headway.probes import Plan, Sizes, measure, merged
from headway.probes.formats import codebase
from headway.probes.sizes import Size
from tests.probes.projects import done, project

FILES = {
    "a.py": "def f(x):\n    if x:\n        return 1\n\n    return 2\n",
    "lib/b.js": "function g() { return 1; }\n",
    "README.md": "# no source\n",
    "ignored/c.py": "x = 1\n",
    ".gitignore": "ignored/\n",
    "node_modules/d.js": "let d;\n",
}


def measured(folder):
    return merged(measure(folder, [Plan(name="codebase", probe="codebase")]))


def git(folder, *arguments):
    assert 0 == done("git", *arguments, folder=folder).returncode


def test_without_git_all_files_but_tool_folders_count(tmp_path):
    assert Measurements(file_count=3, loc_total=6, complexity_score=1.5) == measured(project(tmp_path, FILES))


def test_with_git_all_files_that_are_not_ignored_count(tmp_path):
    """Tracked or not; but not what was deleted, though git still tracks it."""
    project(tmp_path, {**FILES, "gone.py": "x = 1\n"})
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", "a.py", "gone.py")
    (tmp_path / "gone.py").unlink()
    shutil.rmtree(tmp_path / "node_modules")

    assert Measurements(file_count=2, loc_total=5, complexity_score=1.5) == measured(tmp_path)


def test_an_empty_folder_has_no_files(tmp_path):
    assert Measurements(file_count=0, loc_total=0) == measured(tmp_path)


def test_links_and_binary_files_do_not_count(tmp_path):
    project(tmp_path, {"a.py": "x = 1\n"})
    (tmp_path / "link.py").symlink_to(tmp_path / "a.py")
    (tmp_path / "loop").symlink_to(tmp_path)
    (tmp_path / "data.py").write_bytes(b"\0\1\2")

    assert (1, 1) == (measured(tmp_path).file_count, measured(tmp_path).loc_total)


def test_large_files_are_counted_but_not_analysed(tmp_path):
    """Also lines that are longer than what is read at a time."""
    lines = "x = 1\n" * 400_000
    project(tmp_path, {"a.py": "def f():\n    return 1\n", "big.py": "def g():\n    if 1: pass\n" + lines})
    (tmp_path / "long.js").write_text("x" * 2_500_000 + "\n   \n" + " " * 1_500_000 + "y")

    found = measured(tmp_path)

    assert (3, 2 + 2 + 400_000 + 2, 1.0) == (found.file_count, found.loc_total, found.complexity_score)


def test_file_names_that_are_not_utf8(tmp_path):
    (tmp_path / "ä \n.py").write_text("x = 1\n")
    git(tmp_path, "init", "-q")

    assert 1 == measured(tmp_path).file_count


def test_a_timeout_is_a_reason(tmp_path):
    project(tmp_path, FILES)
    sizes = Sizes()

    codebase.count(tmp_path, sizes, time.monotonic() - 100, timeout=50)

    assert (None, "complexity: analysing the files took too long") == codebase.average_complexity(sizes)
    assert {"a.py", "lib/b.js", "ignored/c.py"} == set(sizes.files)


def test_only_what_changed_is_counted_again(tmp_path):
    """The others are not even read, so that a round is cheap in a large project."""
    project(tmp_path, FILES)
    git(tmp_path, "init", "-q")
    (tmp_path / "node_modules").rename(tmp_path / "ignored" / "n")
    before = Sizes()
    first = merged(measure(tmp_path, [Plan(name="codebase", probe="codebase")], sizes=before))
    (tmp_path / "a.py").unlink()
    (tmp_path / "new.py").write_text("def h(x):\n    return x\n")
    (tmp_path / "ignored" / "more.py").write_text("x = 1\n")
    (tmp_path / "lib" / "b.js").write_text("")  # nobody is told, so it is as it was

    after = before.after(["a.py", "new.py", "ignored/more.py", "README.md"])
    second = merged(measure(tmp_path, [Plan(name="codebase", probe="codebase")], sizes=after))

    assert (2, 5, 1.5) == (first.file_count, first.loc_total, first.complexity_score)
    assert (2, 3, 1.0) == (second.file_count, second.loc_total, second.complexity_score)
    again = merged(measure(tmp_path, [Plan(name="codebase", probe="codebase")], sizes=after.after(["lib/b.js"])))
    assert measured(tmp_path) == again
    unchanged = merged(measure(tmp_path, [Plan(name="codebase", probe="codebase")], sizes=before.after([])))
    assert first == unchanged


def test_after_many_changes_everything_is_counted_again(tmp_path):
    project(tmp_path, {f"f{number}.py": "x = 1\n" for number in range(600)})
    before = Sizes({"gone.py": Size(9)})

    sizes = before.after(f"f{number}.py" for number in range(600))
    codebase.count(tmp_path, sizes, time.monotonic(), 60)

    assert 600 == len(sizes.files)


@given(st.text(alphabet="def():{}if \n\t'\"#/*\\x", max_size=60), st.sampled_from(["py", "js", "c", "rs", "go"]))
def test_random_source_does_not_fail(tmp_path_factory, text, suffix):
    path = tmp_path_factory.mktemp("source") / f"a.{suffix}"
    path.write_text(text)

    sizes = Sizes()
    codebase.count(path.parent, sizes, time.monotonic(), 60)
    complexity, reason = codebase.average_complexity(sizes)

    assert (complexity is None) == (reason is not None)
