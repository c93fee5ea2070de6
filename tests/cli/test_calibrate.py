"""`headway calibrate`, from a user's folder of recordings."""

import tomllib

import pytest

from headway.cli import run
from tests.reports.scans import honest, stuck


@pytest.fixture
def folder(tmp_path):
    rows = ["run,solved"]
    for n in range(40):
        honest(f"good {n}", 4, n % 3).write(tmp_path)
        rows.append(f"good {n},true")
    for n in range(3):
        stuck(f"bad {n}", 12, n).write(tmp_path)
        rows.append(f"bad {n},false")
    (tmp_path / "outcomes.csv").write_text("\n".join(rows))
    return tmp_path


def calibrate(folder, *more):
    return run(["calibrate", str(folder), "--outcomes", str(folder / "outcomes.csv"), *more])


def test_it_writes_the_boldest_setting_that_holds(folder, capfd):
    chosen = folder / "headway.toml"
    assert 0 == calibrate(folder, "--max-false-stops", "10%", "--out", str(chosen))
    settings = tomllib.loads(chosen.read_text())
    assert {"stop_after_blocks": 1, "stop_after_high": 1, "stop_after_medium": 6} == settings["policy"]
    told = capfd.readouterr()
    assert "0 of 40" in told.err and "" == told.out


def test_too_few_runs_promise_nothing(folder, capfd):
    assert 1 == calibrate(folder, "--max-false-stops", "1%", "-o", str(folder / "x.toml"))
    assert "40 solved runs are not enough to guarantee" in " ".join(capfd.readouterr().err.split())
    assert not (folder / "x.toml").exists()


def test_how_sure_the_promise_is_can_be_chosen(folder, capfd):
    """Forty solved runs, none stopped, promise at most 7.2 % with 95 % and at most 5.6 % with 90 %."""
    assert 1 == calibrate(folder, "--max-false-stops", "6%", "-o", "-")
    assert "Too few runs" in " ".join(capfd.readouterr().err.split())
    assert 0 == calibrate(folder, "--max-false-stops", "6%", "--confidence", "90%", "-o", "-")
    told = capfd.readouterr()
    promise = "Guaranteed: for runs like these, at most 5.6% of the solved ones are stopped (90% sure, from 0 of 40"
    assert promise in " ".join(told.err.split())
    assert "(90% sure; 6.0% was asked for)" in " ".join(told.out.split())


def test_one_run_is_one_run(tmp_path, capfd):
    honest("good", 4, 1).write(tmp_path)
    (tmp_path / "outcomes.csv").write_text("run,solved\ngood,true\nother,true\n")
    assert 1 == calibrate(tmp_path, "-o", "-")
    told = " ".join(capfd.readouterr().err.split())
    assert "1 run with a known outcome, from 1 file. No recording for 1 of 2 rows of" in told
    assert "1 solved run are not enough to guarantee at most 1.0% false stops" in told


def test_a_settings_file_that_is_there_is_not_replaced_unasked(folder, capfd):
    there = folder / "headway.toml"
    there.write_text("# mine\n")
    assert 2 == calibrate(folder, "--max-false-stops", "10%", "-o", str(there))
    assert "# mine\n" == there.read_text()
    assert "--force" in capfd.readouterr().err
    assert 0 == calibrate(folder, "--max-false-stops", "10%", "-o", str(there), "--force")
    assert there.read_text().startswith("# headway calibrate")


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ([], "either --outcomes FILE or --solved-if COMMAND"),
        (["--solved-if", "true", "--max-false-stops", "lots"], "not a percentage"),
        (["--solved-if", "false", "-o", "-"], "none of them is solved"),
    ],
)
def test_wrong_use_is_told(folder, capfd, arguments, named):
    assert 2 == run(["calibrate", str(folder), *arguments])
    assert named in " ".join(capfd.readouterr().err.split())


def test_packed_runs_in_other_processes_give_the_same(folder, capfd):
    """Also if a process holds one run at a time."""
    assert 0 == calibrate(folder, "--max-false-stops", "10%", "-o", "-")
    alone = capfd.readouterr()
    assert 0 == run(["pack", str(folder), str(folder / "packed")])
    capfd.readouterr()
    more = ("--max-false-stops", "10%", "-o", "-", "--engine", "local", "-j", "2")
    outcomes = ("--outcomes", str(folder / "outcomes.csv"))
    assert 0 == run(["calibrate", str(folder / "packed"), *outcomes, *more])
    packed = capfd.readouterr()
    assert alone.out == packed.out
    assert alone.err.replace("from 43 files", "") == packed.err.replace("from 1 file", "")
