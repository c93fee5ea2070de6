"""What Headway does not touch, and what it says then."""

import pytest

from headway.setup import SetupError, agents, installing, uninstalling
from headway.setup.agent import Agent
from tests.setup.words import claude, everything, install


def test_a_read_only_file_is_not_touched(home):
    path, form = claude("{}")
    path.chmod(0o444)
    with pytest.raises(SetupError, match=r"settings\.json: the file is read-only; allow writing \(chmod u\+w"):
        installing(path, form)
    path.chmod(0o644)
    install(path, form)
    path.chmod(0o444)
    with pytest.raises(SetupError, match="read-only"):
        uninstalling(path, form)


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ('{\n  "a": 1\n  "b": 2\n}', r"line 3, column 3: expected a comma or }"),
        ('{\n  "a": \n}', r"line 3, column 1: expected a value"),
        ("{\n  a: 1\n}", r'line 2, column 3: expected a name in "quotes"'),
        ('{"a": 1', r"line 1, column 8: expected a comma or }"),
        ('{"a": NaN}', r"line 1, column 7: expected a value"),
        ('{"a": "x\n"}', r"line 1, column 7: expected a value"),
        ("{} {}", r"line 1, column 4: expected the end of the file"),
        ("[1]", r"line 1: expected an object"),
        ('{\n  "hooks": []\n}', r'line 2: expected "hooks" to be an object'),
        ('{"hooks": {\n"Stop": {}}}', r'line 2: expected "Stop" to be an array'),
        ("[" * 5000, r"line 1, column 202: expected at most 200 levels"),
        (b'{\n"a": "\xff"}', r"line 2 is not UTF-8 text; save the file as UTF-8"),
        ("\ufeff{".encode("utf-16"), r"line 1 is not UTF-8"),
    ],
)
def test_a_file_that_cannot_be_read_is_not_touched(content, told, home):
    path, form = claude(content)
    before = everything(home)
    with pytest.raises(SetupError, match=rf"settings\.json: {told}"):
        installing(path, form)
    assert before == everything(home)


def test_a_file_that_changes_in_between_is_not_overwritten(home):
    path, form = claude("{}")
    change = installing(path, form)
    path.write_text('{"model": "opus"}')
    with pytest.raises(SetupError, match=r"settings\.json: it was changed at the same time; please try again"):
        change.apply()
    assert '{"model": "opus"}' == path.read_text() and ["settings.json"] == [
        file.name for file in path.parent.iterdir()
    ]


def test_a_place_that_cannot_be_written_is_named_and_nothing_is_left(home):
    path = home / "linked.json"
    path.symlink_to(home / "file" / "settings.json")
    (home / "file").write_text("in the way of a folder")
    _, form = agents()["claude-code"].place(None)
    with pytest.raises(SetupError, match=r"linked\.json: "):
        installing(path, form).apply()
    assert {"file", "linked.json"} == {file.name for file in home.iterdir()}


def test_a_folder_in_the_place_of_the_file(home):
    path, form = agents()["claude-code"].place(None)
    path.mkdir(parents=True)
    with pytest.raises(SetupError, match=r"settings\.json: Is a directory; expected a settings file"):
        installing(path, form)


def test_an_agent_without_places_for_its_settings_is_none():
    class Homeless(Agent):
        name = "homeless"

    with pytest.raises(TypeError, match=r"project_file.*user_file"):
        Homeless()
