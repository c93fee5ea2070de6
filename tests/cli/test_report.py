"""`headway report`, run as a user runs it."""

import json

import pytest

from headway.reports.loop_html import loop_page
from headway.reports.loop_json import best_json, loop_from_json, loop_json
from headway.store.loop_files import LoopFiles
from tests.command import headway
from tests.reports.loops import example_2, example_3


def report(folder, *arguments):
    return headway("report", *arguments, folder=folder, COLUMNS="200")


@pytest.fixture
def project(tmp_path):
    """A folder in which two loops were run: one is over, one is not."""
    for name, loop in (("over", example_3()), ("running", example_2())):
        files = LoopFiles(tmp_path / ".headway" / "loops", name)
        files.write_selection(report="", best=best_json(loop), loop=loop_json(loop))
    return tmp_path


def test_without_a_loop_all_are_listed(project):
    done = report(project)
    assert 0 == done.returncode, done.stderr
    assert [
        "over\t5 rounds\tRound 3 is selected, not the final round 5.",
        "running\t3 rounds\tThe loop has not ended: no round is selected yet.",
    ] == done.stdout.decode().splitlines()


def test_one_broken_loop_does_not_hide_the_others(project):
    (project / ".headway" / "loops" / "over" / "loop.json").write_text("{")
    done = report(project)
    assert 0 == done.returncode
    assert "over\tcannot be read: " in done.stdout.decode() and "running\t3 rounds" in done.stdout.decode()


def test_markdown_has_the_selection_and_every_round(project):
    headings = [
        line for line in report(project, "over").stdout.decode().splitlines() if line.startswith(("# ", "## Round"))
    ]
    assert [
        "# Output Selection Report: ralph-001",
        *(f"## Round {n} Progress Report" for n in range(1, 6)),
    ] == headings


def test_json_is_the_loop(project):
    assert example_2() == loop_from_json(report(project, "running", "--format", "json").stdout)


def test_html_goes_to_a_file(project):
    done = report(project, "over", "--format", "html", "--out", "sub/page.html")
    assert (0, b"") == (done.returncode, done.stdout)
    assert loop_page(example_3()) == (project / "sub" / "page.html").read_text("utf-8")


@pytest.mark.parametrize("option", ["-o", "--output", "--out"])
def test_the_option_for_a_file_may_be_spelled_as_in_other_commands(project, option):
    assert 0 == report(project, "over", option, "page.md").returncode
    assert (
        report(project, "over").stdout
        == (project / "page.md").read_bytes()
        == report(project, "over", option, "-").stdout
    )


def test_a_loop_may_be_named_by_its_folder_and_lie_anywhere(project):
    moved = project / "a copy (2)"
    (project / ".headway" / "loops" / "over").rename(moved)
    for name in (moved, "a copy (2)", f"{moved}/"):
        assert 3 == json.loads(report(project, name, "--format", "json").stdout)["selection"]["selected_iteration"]


def test_the_root_can_be_elsewhere(project):
    (project / ".headway" / "loops").rename(project / "kept")
    assert b"Output Selection Report" in report(project, "over", "--root", "kept").stdout


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (
            ["absent"],
            ".headway/loops: no loop 'absent'; the loops are: over, running",
        ),
        (["../absent"], "../absent/loop.json: No such file"),
        (["--root", "nowhere"], "nowhere: No such file or directory; expected the folder in which work loops are kept"),
        (["over", "--format", "pdf"], "'pdf' is not one of"),
        (["over", "--out", "file/page"], "file/page: "),
        (["broken"], "broken/loop.json: expected a loop of version 1: Object missing required field `version`"),
    ],
)
def test_errors_name_the_path_and_what_was_expected(project, arguments, named):
    (project / "file").touch()
    (project / "broken").mkdir()
    (project / "broken" / "loop.json").write_text("{}")
    done = report(project, *arguments)
    assert (2, b"") == (done.returncode, done.stdout)
    assert named in done.stderr.decode()


def test_a_path_without_a_loop_and_without_results_is_refused_with_what_is_expected(project):
    (project / "empty").mkdir()
    (project / "results").write_text("5 runs")
    empty, file = report(project, "empty"), report(project, "./results")
    assert (2, 2) == (empty.returncode, file.returncode)
    assert b"Error: empty: neither a loop nor the results of a scan are in this folder\n" == empty.stderr
    assert b"results: a file; expected a loop, or the folder with the tables of a scan" in file.stderr


def test_a_folder_with_the_name_of_a_loop_does_not_hide_the_loop(project):
    (project / "over").mkdir()
    assert 0 == report(project, "over").returncode
