"""`headway prices`: show the table, replace it with a file, and go back to the packaged one."""

import json

from tests.command import headway
from tests.reports.scans import honest

OWN = 'dated = 2026-11-11\nprices = [{ model = "own-1", input = 100, output = 200 }]\n'


def test_the_table_can_be_shown_replaced_and_reset(tmp_path):
    def run(*arguments):
        return headway("prices", *arguments, text=True, XDG_CONFIG_HOME=str(tmp_path / "config"), HOME=str(tmp_path))

    assert "packaged with Headway" in run().stdout and "claude-sonnet-4-5 " in run("claude-sonnet-4.5").stdout
    unknown = run("own-1")
    assert (1, "", "own-1: no list price\n") == (unknown.returncode, unknown.stdout, unknown.stderr)
    (tmp_path / "own.toml").write_text(OWN)
    assert 0 == run("--update", tmp_path / "own.toml").returncode
    shown = json.loads(run("--format", "json").stdout)
    assert {"dated": "2026-11-11", "prices": [{"model": "own-1", "input": 100, "output": 200}]} == shown
    (tmp_path / "again.toml").write_text(run("--format", "toml").stdout)
    assert 0 == run("--update", tmp_path / "again.toml").returncode and shown == json.loads(
        run("--format", "json").stdout
    )
    (tmp_path / "bad.toml").write_text("dated = 1")
    bad = run("--update", tmp_path / "bad.toml")
    assert 2 == bad.returncode and f"{tmp_path}/bad.toml: not a table of prices" in bad.stderr
    assert shown == json.loads(run("--format", "json").stdout), "a bad file changes nothing"
    assert "packaged with Headway" in run("--reset").stdout


def test_a_file_that_could_not_be_read_again_or_says_nonsense_is_refused(tmp_path):
    def update(name, price):
        row = {"mode": "chat", "input_cost_per_token": price, "output_cost_per_token": 1e-6}
        (tmp_path / "p.json").write_text(json.dumps({name: row}))
        return headway("prices", "--update", tmp_path / "p.json", text=True, XDG_CONFIG_HOME=str(tmp_path / "config"))

    for name in ("a\x7fb", "a\x1b[31m", "a\nb"):
        done = update(name, 1e-6)
        assert 2 == done.returncode and "no control characters" in done.stderr
    assert "there are no prices in it" in update("a", True).stderr, "true is no price"
    assert not (tmp_path / "config").exists()


def test_the_help_shows_one_example_a_line():
    assert "\n    headway prices --update mine.toml\n" in headway("prices", "--help", text=True).stdout


def test_a_scan_estimates_with_the_prices_of_a_file(tmp_path):
    recording = honest("r", 3, 1, model="own-1")
    for line in recording.lines:
        line.pop("cost_usd", None)
    path = recording.write(tmp_path)
    (tmp_path / "own.toml").write_text(OWN)
    done = headway("scan", path, "--prices", tmp_path / "own.toml", "--format", "json")
    totals = json.loads(done.stdout)["totals"]
    tokens = totals["spent"]["tokens_in"], totals["spent"]["tokens_out"]
    assert round((tokens[0] * 100 + tokens[1] * 200) / 1e6, 6) == round(totals["spent"]["estimated_usd"], 6) > 0
    assert (0, 1, "2026-11-11") == (totals["runs_with_cost"], totals["runs_estimated"], totals["prices_dated"])
    plain = json.loads(headway("scan", path, "--format", "json").stdout)["totals"]
    assert ["own-1"] == list(plain["unpriced"]) and plain["spent"]["estimated_usd"] is None
