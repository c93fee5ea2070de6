import sys

import pytest

from headway.sources import Source
from headway.study.outcomes import Outcome, OutcomeError, command_says_solved, outcomes_in, recorded_in
from tests.reports.scans import honest, stuck


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("table.csv", "run,solved,task\na,true,t1\nb,0,\n"),
        ("table.tsv", "run\tsolved\ttask\na\tYes\tt1\nb\tfailed\t\n"),
        ("table.jsonl", '{"run": "a", "solved": true, "task": "t1"}\n\n{"run": "b", "solved": false}\n'),
        ("bom.csv", "\ufeffrun,solved,task\na,1,t1\nb,no,\n"),
    ],
)
def test_tables_in_several_forms(tmp_path, name, text):
    (tmp_path / name).write_text(text, encoding="utf-8")
    assert {"a": Outcome(True, "t1"), "b": Outcome(False)} == outcomes_in(tmp_path / name)


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("run,solved\na,perhaps\n", "line 2"),
        ("name,ok\na,1\n", "line 2: each row needs a run"),
        ("", "no rows"),
        ('{"run": "a", "solved": true}\n{half\n', "line 2: not a JSON object"),
    ],
)
def test_a_table_that_does_not_tell_is_refused_with_the_place(tmp_path, text, named):
    (tmp_path / "table").write_text(text)
    with pytest.raises(OutcomeError, match=named):
        outcomes_in(tmp_path / "table")


def test_a_command_answers_with_its_exit_code(tmp_path):
    says = f"{sys.executable} -c 'import sys; sys.exit(\"bad\" in sys.argv[1])' {{}}"
    assert command_says_solved(says, tmp_path / "good.jsonl")
    assert not command_says_solved(says, tmp_path / "bad.jsonl")


def test_a_command_that_breaks_is_neither_yes_nor_no(tmp_path):
    with pytest.raises(OutcomeError, match="exited with 7; expected 0"):
        command_says_solved(f"{sys.executable} -c 'import sys; sys.exit(7)'", tmp_path)
    with pytest.raises(OutcomeError, match=r"no-such-program-here.* exited with 127"):
        command_says_solved("no-such-program-here", tmp_path)


def test_a_command_is_one_for_the_shell_and_the_name_is_quoted(tmp_path):
    odd = tmp_path / "a run; touch owned.jsonl"
    odd.write_text("RESOLVED\n")
    assert command_says_solved("cat {} | grep -q RESOLVED", odd)
    assert not command_says_solved("cat {} | grep -q BROKEN", odd)
    assert not (tmp_path / "owned.jsonl").exists()


def test_runs_are_found_by_their_name_or_their_files(tmp_path):
    one = honest("by run", 3, 1).write(tmp_path)
    two = stuck("by file", 12, 1).write(tmp_path)
    known = {"by run": Outcome(True, "t"), two.stem: Outcome(False)}
    found = [run for path in (one, two) for run in recorded_in(Source(path), known, None)]
    assert [("by run", True, "t"), ("by file", False, "")] == [(run.run, run.solved, run.task) for run in found]
    assert "example" == found[0].agent and found[0].events


def test_what_has_no_known_outcome_is_left_out(tmp_path):
    path = honest("nobody knows", 3, 1).write(tmp_path)
    assert [] == list(recorded_in(Source(path), {}, None))
