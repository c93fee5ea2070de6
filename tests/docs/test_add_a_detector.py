"""A stranger who follows docs/development/add-a-detector.md in a clone gets a detector that passes `make check`."""

import re

import pytest

from tests.command import ROOT
from tests.scaffold.places import cloned, complaints, run
from tests.slow import slow

WRITTEN = (ROOT / "docs" / "development" / "add-a-detector.md").read_text()
PAGE = WRITTEN.replace("scattered_changes", "scattered_example").replace("ScatteredChanges", "ScatteredExample")
"""The page under another name: who follows it has a detector of that name, and the tests have to pass there too."""
DETECTOR, TEST = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
(PROVOCATION,) = re.findall(r"```text\n(.*?)```", PAGE, re.DOTALL)
MODULE, TESTS = "src/headway/detectors/step/scattered_example.py", "tests/detectors/step/test_scattered_example.py"
HEADWAY = ("python", "-c", "from headway.cli import main; main()")


@pytest.fixture(scope="module")
def clone(tmp_path_factory):
    """The command of the page, then what the page has in the place of what it wrote."""
    folder = cloned(tmp_path_factory.mktemp("clone"))
    assert ".venv/bin/headway new detector scattered_example\n" in PAGE
    assert "" == complaints(run(folder, *HEADWAY, "new", "detector", "scattered_example"))
    (folder / MODULE).write_text(DETECTOR)
    (folder / TESTS).write_text(TEST)
    table = folder / "tests" / "provocations.py"
    table.write_text(re.sub(r'^    "scattered_example": .*\n', lambda _: PROVOCATION, table.read_text(), flags=re.M))
    assert "" == complaints(run(folder, "python", "dev/make_data.py"))
    (folder / "docs" / "detectors.md").write_text(run(folder, *HEADWAY, "detectors", "--format", "markdown").stdout)
    return folder


@pytest.mark.parametrize(
    "lint",
    [
        ("ruff", "check", MODULE, TESTS),
        ("ruff", "format", "--check", MODULE, TESTS),
        *slow((("mypy", MODULE),), (("lint-imports",),)),  # `make test` asks both about what `headway new` writes
    ],
    ids=lambda command: command[1] if command[1:] else command[0],
)
def test_the_example_passes_the_linters(clone, lint):
    assert "" == complaints(run(clone, *lint))


def test_the_example_passes_its_tests_and_those_of_all_detectors(clone):
    files = [TESTS, "tests/test_recordings.py", "tests/test_battery.py", "tests/docs/test_pages.py"]
    chosen = "scattered or test_recordings or provocation or page_about_detectors"
    assert "" == complaints(run(clone, "pytest", "-q", *files, "-k", chosen))


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("Edit", {"file_path": "{}.py", "old_string": "a", "new_string": "b"}),
        ("apply_patch", {"input": "*** Begin Patch\n*** Update File: {}.py\n@@\n-a\n+b\n*** End Patch"}),
        ("Bash", {"command": "sed -i s/a/b/ {}.py"}),
    ],
    ids=["Claude Code", "Codex", "shell"],
)
def test_the_example_matches_what_a_call_does_and_not_the_name_of_its_tool(clone, tool, arguments):
    program = f"""
from headway import Monitor
from headway.detectors.step.scattered_example import ScatteredExample

monitor = Monitor(detectors=[ScatteredExample()], only=True)
for n in range(8):
    monitor.called({tool!r}, {{key: value.replace("{{}}", str(n)) for key, value in {arguments!r}.items()}})
    monitor.returned(output="done")
print(monitor.session.patterns()["scattered_example"].files)
"""
    assert f"{tuple(f'{n}.py' for n in range(8))}\n" == run(clone, "python", "-c", program).stdout
