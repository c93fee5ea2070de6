"""The documentation is true."""

import ast
import doctest
import inspect
import re
import subprocess
import sys
import tomllib
from importlib import import_module
from pathlib import Path

import pytest

import headway
from headway import Monitor, Settings
from headway.config.profiles import packaged
from headway.detectors import built_in
from headway.policy.rules import RULES
from headway.reports.detectors import HEADINGS, as_markdown, describe

ROOT = Path(__file__).parent.parent.parent
SOURCES = sorted((ROOT / "src" / "headway").rglob("*.py"))


def test_the_page_about_detectors_is_up_to_date():
    """If this fails, run `make docs`."""
    written = as_markdown([describe(kind) for kind in built_in().values()])
    assert written.strip() == (ROOT / "docs" / "detectors.md").read_text().strip()


@pytest.mark.parametrize("kind", built_in().values(), ids=lambda kind: kind.id)
def test_every_detector_explains_itself(kind):
    description = describe(kind)
    assert list(HEADINGS) == list(description.sections)
    assert all(description.sections.values())
    assert [] == [setting.name for setting in description.settings if not setting.doc]
    assert kind.__module__.endswith(f".{kind.id}")


@pytest.mark.parametrize("kind", built_in().values(), ids=lambda kind: kind.id)
def test_every_detector_has_its_test_file(kind):
    """Each has its own; those of the round scale, which are one comparison each, share a table."""
    folder = kind.__module__.split(".")[2]
    name = "test_round_detectors.py" if folder == "iteration" else f"test_{kind.id}.py"
    tests = (ROOT / "tests" / "detectors" / folder / name).read_text()
    assert "def test_speaks" in tests and "def test_stays_quiet" in tests, f"{name}: CONTRIBUTING.md says what to test"
    assert kind.id in tests


def python_blocks(page):
    return re.findall(r"```python\n(.*?)```", (ROOT / page).read_text(), re.DOTALL)


RUN = ["README.md"] + [f"docs/{name}.md" for name in ("rounds", "events", "concepts", "api", "how-to/guard")]
"""Pages whose blocks of Python each run alone. The examples of the other pages have tests of their own."""


@pytest.mark.parametrize("block", [block for page in RUN for block in python_blocks(page)])
def test_the_pages_python_runs(block, tmp_path):
    done = subprocess.run([sys.executable, "-c", block], capture_output=True, text=True, cwd=tmp_path, check=False)
    assert 0 == done.returncode, done.stderr
    promised = re.findall(r"^# ?(.*)$", block, re.MULTILINE)
    assert not promised or promised == done.stdout.splitlines()


def test_the_page_about_settings_is_up_to_date():
    """If this fails, run `make docs`."""
    written = subprocess.run(
        [sys.executable, ROOT / "dev" / "settings_page.py"], capture_output=True, text=True, check=True
    )
    assert written.stdout == (ROOT / "docs" / "settings.md").read_text()


def test_the_reference_for_authors_is_up_to_date():
    """If this fails, run `make docs`."""
    written = subprocess.run(
        [sys.executable, ROOT / "dev" / "reference_page.py"], capture_output=True, text=True, check=True
    )
    assert written.stdout == (ROOT / "docs" / "development" / "reference.md").read_text()


@pytest.mark.parametrize("page", sorted((ROOT / "docs").rglob("*.md")), ids=lambda path: path.name)
def test_every_settings_file_on_a_page_is_valid(page):
    """What stands there for a `pyproject.toml` is checked with the detector or reader that it names."""
    blocks = re.findall(r"```toml\n(.*?)```", page.read_text(), re.DOTALL)
    settings = [tomllib.loads(block) for block in blocks if "entry-points" not in block]
    assert len(settings) == len([Monitor(settings=Settings.of(one)) for one in settings])


def test_the_api_page_has_every_public_name():
    named = re.findall(r"^::: headway\.(\w+)$", (ROOT / "docs" / "api.md").read_text(), re.MULTILINE)
    assert sorted(headway.__all__) == sorted(named)


def test_the_code_names_the_seeds_in_their_own_room_only():
    """The documents that Headway grew from have a room and a page; nobody needs them to read the rest."""
    named = [
        f"{path.relative_to(ROOT)}: {line.strip()}"
        for path in [*(ROOT / "src" / "headway").rglob("*.py"), *(ROOT / "src" / "headway").rglob("*.toml")]
        if path.parent.name != "seeds"
        for line in re.findall(r"^.*\bseeds?\b.*$", path.read_text("utf-8"), re.IGNORECASE | re.MULTILINE)
        if not re.search(r"headway\.seeds|\"seeds\": |seed: int|Random\(seed\)", line)
    ]
    assert [] == named


@pytest.mark.parametrize("name", headway.__all__)
def test_what_the_api_page_says_is_about_headway_alone(name):
    """The documents that Headway grew from are of interest to those who develop it."""
    thing = getattr(headway, name)
    members = [getattr(thing, member) for member in dir(thing) if not member.startswith("_")]
    docs = [inspect.getdoc(one) or "" for one in (thing, *members)]
    assert [] == [doc for doc in docs if re.search(r"\bseeds?\b", doc, re.IGNORECASE)]


@pytest.mark.parametrize("module", ["headway", "headway.monitor", "headway.hosts.guard"])
def test_the_examples_in_docstrings_are_true(module):
    ran = doctest.testmod(import_module(module))
    assert 0 == ran.failed < ran.attempted


def test_the_page_about_commands_has_every_command():
    from headway.cli.app import app

    told = re.findall(r"^\| `headway ([\w-]+)", (ROOT / "docs" / "commands.md").read_text(), re.MULTILINE)
    assert sorted(app.list_commands(None)) == sorted(told)


def test_every_home_in_the_glossary_exists():
    page = (ROOT / "docs" / "development" / "glossary.md").read_text()
    homes = re.findall(r"^\| \*\*.+\| `([\w/.]+)` \|$", page, re.MULTILINE)
    assert 20 <= len(homes) == page.count("\n| **")
    assert [] == [home for home in homes if not (ROOT / "src" / "headway" / home).is_file()]


def test_every_place_in_the_architecture_exists():
    page = (ROOT / "docs" / "development" / "architecture.md").read_text()
    places = [place for place in re.findall(r"`([a-z_]+/[\w/.]*)`", page) if not place.startswith("src/")]
    assert len(places) > 20
    folders = {
        place: ROOT if place.startswith(("tests/", "clients/", "bench/")) else ROOT / "src" / "headway"
        for place in places
    }
    assert [] == [place for place, folder in folders.items() if not (folder / place).exists()]
    rooms = {name for cell in re.findall(r"^\| (`.+?) \|", page, re.MULTILINE) for name in re.findall(r"`(\w+)`", cell)}
    assert {path.parent.name for path in (ROOT / "src" / "headway").glob("*/__init__.py")} <= rooms


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ("what a detector says", "gave the same result"),
        ("what a block (refusal) or a stop says", "Headway refused this call."),
        ("what a block (refusal) or a stop says", "This call was not run."),
        ("what a block (refusal) or a stop says", "Headway accepts it after you change a file"),
        ("what a block (refusal) or a stop says", "No further calls will run."),
        ("what a block (refusal) or a stop says", "The user can answer with"),
    ],
)
def test_the_architecture_says_where_the_words_of_a_refusal_are(row, said):
    """All that an agent is told when a call is refused or a run is stopped can be found from the page."""
    page = (ROOT / "docs" / "development" / "architecture.md").read_text()
    (line,) = re.findall(rf"^\| {re.escape(row)}.*$", page, re.MULTILINE)
    named = [ROOT / "src" / "headway" / place for place in re.findall(r"`(\w+/[\w/.]*)`", line)]
    files = [path for place in named for path in ([place] if place.is_file() else place.rglob("*.py"))]
    assert any(said in path.read_text() for path in files)


def test_the_settings_in_the_page_about_the_policy_are_valid():
    page = (ROOT / "docs" / "policy.md").read_text()
    (block,) = re.findall(r"```toml\n(.*?)```", page, re.DOTALL)
    settings = Settings.of(tomllib.loads(block))
    assert settings.policy.attended
    Monitor(settings=settings)


def test_the_limits_in_the_page_about_the_policy_are_the_packaged_ones():
    page = (ROOT / "docs" / "policy.md").read_text()
    rows = re.findall(r"^\| (\w+) \| (\d+) \| (\d+) \| (yes|no) \|$", page, re.MULTILINE)
    packaged_rows = {
        (
            name,
            str(task.max_exploration_iterations),
            str(task.tool_budget),
            "yes" if task.force_action_after_target_read else "no",
        )
        for name, task in packaged().task_types.items()
    }
    assert packaged_rows == set(rows)


def test_the_page_about_the_policy_has_every_rule_in_order():
    page = (ROOT / "docs" / "policy.md").read_text()
    told = re.findall(r"^\| ([a-z ]+) \| \*\*", page, re.MULTILINE)
    assert told == [rule.__name__.replace("_", " ") for _, rule in RULES]


PURE = ("core", "rolling", "tools", "scoring", "detectors", "policy")
IMPURE = {"time", "random", "subprocess", "socket", "sqlite3", "os", "pathlib", "io", "threading", "secrets", "uuid"}
HIDING = {"importlib", "__import__", "eval", "exec"}
"""What could import any of them, or a room above, unseen."""


@pytest.mark.parametrize("path", [p for p in SOURCES if p.relative_to(ROOT / "src/headway").parts[0] in PURE], ids=str)
def test_the_pure_rooms_are_pure(path):
    """No clock, file, network or randomness: same events, same verdict."""
    tree = ast.parse(path.read_text())
    imported = {
        alias.name.split(".")[0] for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names
    }
    imported |= {str(node.module).split(".")[0] for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    called = {node.func.id for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}
    methods = {
        node.func.attr for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
    }

    allowed = (
        {"os", *HIDING} if path.parent.name == "detectors" else set()
    )  # the folder is the registry: it lists itself
    assert set() == imported & (IMPURE | HIDING) - allowed
    assert set() == called & ({"open", "hash", "input", "print"} | HIDING) - allowed
    assert set() == methods & {"now", "today", "utcnow"}
