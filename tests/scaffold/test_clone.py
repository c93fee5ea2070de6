"""What `headway new` writes into a clone of Headway passes `make check` as it is."""

import ast

import pytest

from tests.command import ROOT, headway
from tests.scaffold.places import cloned, complaints, run

KINDS = ("detector", "reader", "adapter")
HEADWAY = ("python", "-c", "from headway.cli import main; main()")
CODE = {
    "detector": "src/headway/detectors/step/fresh_detector.py",
    "reader": "src/headway/readers/fresh_reader.py",
    "adapter": "src/headway/hosts/frameworks/fresh_adapter.py",
}


@pytest.fixture(scope="module")
def clone(tmp_path_factory):
    folder = cloned(tmp_path_factory.mktemp("clone"))
    for kind in KINDS:
        assert "" == complaints(run(folder, *HEADWAY, "new", kind, f"fresh_{kind}"))
    return folder


@pytest.mark.parametrize(
    "lint", [("ruff", "check"), ("ruff", "format", "--check"), ("mypy",), ("lint-imports",)], ids=" ".join
)
def test_it_passes_the_linters(clone, lint):
    assert all((clone / path).exists() and not (ROOT / path).exists() for path in CODE.values())
    written = CODE.values() if lint[0] != "lint-imports" else ()
    counters = ("bench/count.py",) if lint[0] == "ruff" else ()
    assert "" == complaints(run(clone, *lint, *written, *counters))


def test_it_passes_its_own_tests_and_those_about_all_of_its_kind(clone):
    own = ["detectors/step/test_fresh_detector.py", "readers/test_fresh_reader.py", "hosts/test_fresh_adapter.py"]
    common = [
        "readers/test_registry.py",
        "readers/test_counted.py",
        "readers/test_neighbours.py",
        "docs/test_recordings_page.py",
        "test_battery.py",
    ]
    common += ["docs/test_pages.py", "tools/test_packaged_data.py", "test_recordings.py", "test_modules.py"]
    about = "fresh or every_reader or page_about_detectors or provocation or findings_are_as_expected or test_modules"
    tests = [f"tests/{path}" for path in (*own, *common)]
    assert "" == complaints(run(clone, "pytest", "-q", *tests, "-k", about))


def test_a_row_that_is_not_filled_in_is_noticed_once_the_reader_is_worked_on(clone):
    code = clone / CODE["reader"]
    before = code.read_text()
    code.write_text(f"{before}\n# finished\n")
    said = complaints(run(clone, "pytest", "-q", "tests/docs/test_recordings_page.py", "-k", "row_of_its_own"))
    code.write_text(before)
    assert "say in docs/recordings.md what fresh-reader reads, and where it is" in said


def test_every_hook_of_a_new_adapter_is_harmless(clone):
    (watch,) = (
        node for node in ast.parse((clone / CODE["adapter"]).read_text()).body if isinstance(node, ast.ClassDef)
    )
    hooks = [node for node in watch.body if isinstance(node, ast.FunctionDef) and not node.name.startswith("_")]
    assert len(hooks) > 5 and all(["harmless"] == [ast.unparse(one) for one in hook.decorator_list] for hook in hooks)


def test_a_name_can_be_used_once(clone):
    for kind, path in CODE.items():
        before = (clone / path).read_text()
        done = run(clone, *HEADWAY, "new", kind, f"fresh_{kind}")
        assert 2 == done.returncode and "Nothing was written." in done.stderr and "Choose another name" in done.stderr
        assert before == (clone / path).read_text()


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        ("detector", "exact_cycle"),
        ("reader", "claude_code"),
        ("reader", "headway"),  # its module is called headway_events
        ("reader", "amp"),
        ("adapter", "langchain"),
    ],
)
def test_a_name_of_headways_own_is_refused(clone, kind, name):
    done = run(clone, *HEADWAY, "new", kind, name)
    assert 2 == done.returncode and "already" in done.stderr and "Nothing was written." in done.stderr


def bytes_below(folder):
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file() and path.suffix != ".pyc"}


@pytest.mark.parametrize(
    ("kind", "name", "why"),
    [
        ("detector", "true", "a word of Python itself"),
        ("detector", "test_x", "begins like a test"),
        ("detector", "chanting", "the old id of the detector repeated_phrase"),
        ("detector", "severity", "would be the class Severity, which its code needs"),
        ("reader", "source", "would be the class Source, which its code needs"),
    ],
)
def test_a_name_that_cannot_work_is_refused_before_anything_is_written(clone, kind, name, why):
    before = bytes_below(clone)
    done = run(clone, *HEADWAY, "new", kind, name)
    assert 2 == done.returncode and why in done.stderr and "Nothing was written." in done.stderr
    assert before == bytes_below(clone)


def test_the_command_of_another_installation_is_refused(clone):
    done = headway("new", "detector", "another_one", folder=clone / "docs", text=True)
    assert 2 == done.returncode
    assert f"{clone} is a clone of Headway, but this command belongs to another installation." in done.stderr
    assert "`.venv/bin/headway new detector another_one`" in done.stderr


def test_it_says_what_to_do_next(clone):
    said = run(clone, *HEADWAY, "new", "detector", "one_more").stdout
    assert "wrote    src/headway/detectors/step/one_more.py\n" in said and "changed  docs/detectors.md\n" in said
    assert "1. Describe your pattern" in said and "`make check`" in said


def test_it_names_the_count_of_a_new_reader(clone):
    said = run(clone, *HEADWAY, "new", "reader", "one_more_format").stdout
    assert "changed  bench/count.py\n" in said and "In bench/count.py, make `count_one_more_format` count" in said
