"""What `headway new` writes into a project of somebody else is a plug-in that works."""

import tomllib

import pytest

from tests.command import headway
from tests.packages import installed
from tests.scaffold.places import complaints, project, run

NAMES = {"detector": "theirs_detector", "reader": "theirs_reader", "adapter": "theirs_adapter"}
"""Names that no page or help suggests: a clone in which somebody tries those has to pass these tests too."""


def new(folder, kind, name):
    return headway("new", kind, name, folder=folder, text=True)


@pytest.fixture
def theirs(tmp_path):
    return project(tmp_path)


@pytest.fixture(scope="module")
def plugin(tmp_path_factory):
    folder = project(tmp_path_factory.mktemp("project"))
    for kind, name in NAMES.items():
        assert "" == complaints(new(folder, kind, name))
    return folder


def entry_points(folder):
    return tomllib.loads((folder / "pyproject.toml").read_text())["project"]["entry-points"]


@pytest.mark.parametrize(
    "check",
    [("ruff", "check"), ("ruff", "format", "--check"), ("mypy", "--strict", "src", "tests"), ("pytest", "-q", "tests")],
    ids=" ".join,
)
def test_it_passes_its_tests_and_the_usual_linters(plugin, check):
    assert "" == complaints(run(plugin, *check))


def test_the_commands_know_it_once_the_project_is_installed(plugin, tmp_path):
    points = entry_points(plugin)
    path = f"{installed(tmp_path, *next(iter(points.items())))}:{plugin / 'src'}"
    told = headway("explain", NAMES["detector"], text=True, PYTHONPATH=path).stdout
    assert "Why it matters: the agent keeps asking for pages that it cannot get." in told and "limit = 4" in told

    (tmp_path / "second").mkdir()
    path = f"{installed(tmp_path / 'second', 'headway.readers', points['headway.readers'])}:{plugin / 'src'}"
    done = headway("scan", plugin / "tests" / "theirs_reader.jsonl", text=True, PYTHONPATH=path)
    assert "1 run, 2 steps" in done.stdout, done.stderr


def test_the_entry_points_are_added_and_everything_else_stays(tmp_path):
    written = "\n# a comment\n[project.entry-points.'headway.detectors']  # ours\nfirst = \"a:B\"\n\n[tool.x]\ny = 1\n"
    folder = project(tmp_path, written)
    before = (folder / "pyproject.toml").read_text()
    assert "" == complaints(new(folder, "detector", "second"))
    assert {"first": "a:B", "second": "my_plugins.second:Second"} == entry_points(folder)["headway.detectors"]
    added = 'second = "my_plugins.second:Second"\n'
    assert before == (folder / "pyproject.toml").read_text().replace(added, "")


def test_line_breaks_stay_as_they_are(theirs):
    path = theirs / "pyproject.toml"
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert "" == complaints(new(theirs, "detector", "first"))
    assert "" == complaints(new(theirs, "detector", "second"))
    assert {"first", "second"} == entry_points(theirs)["headway.detectors"].keys()
    assert path.read_bytes().count(b"\n") == path.read_bytes().count(b"\r\n") > 5


def test_a_package_beside_the_tests_is_found_too(tmp_path):
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "Other.Name"\n')
    for name in ("lib", "other_name", "tests"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").touch()
    assert "" == complaints(new(tmp_path, "detector", "mine"))
    assert {"headway.detectors": {"mine": "other_name.mine:Mine"}} == entry_points(tmp_path)
    assert "" == complaints(run(tmp_path, "python", "-m", "pytest", "-q", "tests"))


@pytest.mark.parametrize(
    ("kind", "name", "told"),
    [
        ("detector", "exact_cycle", "Headway has a detector exact_cycle of its own. Choose another name."),
        ("reader", "claude_code", "Headway has a reader claude-code of its own. Choose another name."),
        ("detector", "MyPattern", "for example 'my_pattern'."),
    ],
)
def test_a_name_that_is_taken_or_wrong_is_refused(theirs, kind, name, told):
    before = (theirs / "pyproject.toml").read_text()
    done = new(theirs, kind, name)
    assert 2 == done.returncode and told in done.stderr and "Nothing was written." in done.stderr
    assert (before, ["__init__.py"]) == (
        (theirs / "pyproject.toml").read_text(), [path.name for path in (theirs / "src" / "my_plugins").iterdir()]
    )  # fmt: skip


@pytest.mark.parametrize("kind", NAMES)
def test_nothing_is_overwritten(theirs, kind):
    assert "" == complaints(new(theirs, kind, "mine"))
    (theirs / "src" / "my_plugins" / "mine.py").write_text("changed")
    done = new(theirs, kind, "mine")
    assert 2 == done.returncode and "already" in done.stderr
    assert "changed" == (theirs / "src" / "my_plugins" / "mine.py").read_text()


@pytest.mark.parametrize(
    ("written", "told"),
    [
        (None, "Neither a clone of Headway nor a project is here: no pyproject.toml in this folder or above it."),
        ("[tool.poetry]\n", "pyproject.toml has no table [project] with a name"),
        ("[project\n", "pyproject.toml cannot be read: "),
        ('[project]\nname = "lonely"\n', "Headway looks for the package"),
        ('[project]\nname = "x"\nentry-points = {"headway.detectors" = {a = "b:C"}}\n', "Add this one there by hand"),
    ],
)
def test_a_place_that_is_no_project_is_refused(tmp_path, written, told):
    if written is not None:
        (tmp_path / "pyproject.toml").write_text(written)
    if "entry-points" in (written or ""):
        (tmp_path / "x").mkdir()
        (tmp_path / "x" / "__init__.py").touch()
    done = new(tmp_path, "detector", "mine")
    assert 2 == done.returncode and told in done.stderr, done.stderr
    assert "Nothing was written." in done.stderr and not (tmp_path / "tests").exists()


def test_help_teaches():
    told = headway("new", "--help", text=True).stdout
    assert "headway new detector failed_downloads" in told
    assert "In a clone of Headway" in told and "plug-in" in told
