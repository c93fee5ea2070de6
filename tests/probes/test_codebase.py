"""Counting files, lines and complexity."""

import shutil
import time

from hypothesis import given
from hypothesis import strategies as st

from headway.core.iteration import Measurements
from headway.probes import Plan, codebase, measure, merged
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


def test_without_git_all_but_what_tools_put_there(tmp_path):
    assert Measurements(file_count=3, loc_total=6, complexity_score=1.5) == measured(project(tmp_path, FILES))


def test_with_git_what_it_does_not_ignore(tmp_path):
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


def test_names_that_are_no_text(tmp_path):
    (tmp_path / "ä \n.py").write_text("x = 1\n")
    git(tmp_path, "init", "-q")

    assert 1 == measured(tmp_path).file_count


def test_out_of_time_is_a_reason(tmp_path):
    project(tmp_path, FILES)

    complexity, reason = codebase.average_complexity([tmp_path / "a.py"], time.monotonic() - 1)

    assert (None, "complexity: analysing the files took too long") == (complexity, reason)


@given(st.text(alphabet="def():{}if \n\t'\"#/*\\x", max_size=60), st.sampled_from(["py", "js", "c", "rs", "go"]))
def test_no_source_breaks_it(tmp_path_factory, text, suffix):
    path = tmp_path_factory.mktemp("source") / f"a.{suffix}"
    path.write_text(text)

    complexity, reason = codebase.average_complexity([path], time.monotonic() + 10)

    assert (complexity is None) == (reason is not None)
