"""Settings that are nested deeper than anybody means are refused with a sentence."""

import pytest

from headway.cli import run
from headway.config.find import find_settings
from headway.config.settings import SettingsError

DEEP = {
    "headway.toml": "tools = " + "[" * 2000 + "]" * 2000,
    "headway.yaml": "tools: " + "[" * 3000 + "]" * 3000,
    "pyproject.toml": "[tool.headway]\ntools = " + "[" * 2000 + "]" * 2000,
}


@pytest.mark.parametrize("name", DEEP)
def test_they_are_refused(name, tmp_path, monkeypatch, capsys):
    (tmp_path / name).write_text(DEEP[name])
    monkeypatch.chdir(tmp_path)
    assert 2 == run(["config"])
    told = capsys.readouterr().err
    assert f"{name}: tables and lists are nested too deeply" in told and "Traceback" not in told


def test_tables_that_are_deep_by_their_name(tmp_path):
    inner = "{a=" * 400 + "1" + "}" * 400
    (tmp_path / "headway.toml").write_text(f"[detectors.exact_cycle]\nlimit = {inner}\n")
    with pytest.raises(SettingsError, match=r"headway\.toml"):
        find_settings(folder=tmp_path)
