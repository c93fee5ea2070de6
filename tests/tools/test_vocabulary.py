"""The vocabulary as data: what users may add, and what must hold for every line of it."""

import tomllib
from importlib.resources import files

import pytest

from headway.tools.kinds import canonical
from headway.tools.meaning import Meaning, Vocabulary
from headway.tools.shell.programs import STRENGTH, packaged

VOCABULARY = Vocabulary.packaged()
LINES = [
    (agent, name, line)
    for agent, tools in tomllib.loads((files("headway.tools") / "vocabulary.toml").read_text("utf-8"))["tools"].items()
    for name, line in tools.items()
]


def test_it_is_loaded_once():
    assert Vocabulary.packaged() is VOCABULARY


def test_agents_agree_on_the_kind_of_tools_they_share():
    """A name is all we have: two agents may not mean different things by it."""
    kinds: dict[str, set[str]] = {}
    for _, name, line in LINES:
        kind = line if isinstance(line, str) else line.get("kind", "shell" if "shell" in line else "when")
        kinds.setdefault(canonical(name), set()).add(kind)
    assert {} == {name: found for name, found in kinds.items() if len(found) > 1}


def promises(line):
    """What a line says: arguments of a call, and the kind that it then is."""
    if isinstance(line, str):
        return [({}, line)]
    commands = [line["shell"]] if isinstance(line.get("shell"), str) else line.get("shell", ())
    chosen = [(field, *pair) for field, kinds in line.get("when", {}).items() for pair in kinds.items()]
    return [
        *([({}, line["kind"])] if "kind" in line else []),
        *(({argument: "pytest -q"}, "test") for argument in commands),
        *(({field: "something else" if value == "*" else value}, kind) for field, value, kind in chosen),
    ]


PROMISES = [(name, args, kind) for _, name, line in LINES for args, kind in promises(line)]


def test_every_line_promises_something():
    assert {name for _, name, _ in LINES} == {name for name, _, _ in PROMISES}


def test_every_promise_of_a_line_is_kept():
    kept = [(name, args, VOCABULARY.meaning(name, args).kind) for name, args, _ in PROMISES]
    assert PROMISES == kept


def test_every_shell_program_has_one_meaning():
    """A program listed under two kinds would depend on the order of the file."""
    data = tomllib.loads((files("headway.tools.shell") / "programs.toml").read_text("utf-8"))
    names = [name for listed in data["kinds"].values() for name in listed]
    assert [] == [name for name in set(names) if names.count(name) > 1]
    assert set(data["kinds"]) <= {*STRENGTH, "wait", "files"}
    assert set() == set(packaged().verbs) & set(names)


def test_users_add_tools():
    added = VOCABULARY.with_tools({"my_grep": {"kind": "search", "query": "needle", "path": ["where", "place"]}})
    expected = Meaning("search", "src", query="x")
    assert expected == added.meaning("my_grep", {"needle": "x", "place": "src"})
    assert expected == added.meaning("MyGrep", {"needle": "x", "where": "src"})


def test_users_change_known_tools_and_leave_the_packaged_ones_alone():
    changed = VOCABULARY.with_tools({"Read": {"kind": "web", "query": "address"}})
    assert "web" == changed.meaning("Read", {"address": "x"}).kind
    assert "web" == changed.meaning("read", {"address": "x"}).kind
    assert "read" == VOCABULARY.meaning("Read", {}).kind
    assert "write" == changed.meaning("Write", {}).kind


def test_users_add_shells_and_tools_that_depend_on_an_argument():
    added = VOCABULARY.with_tools(
        {
            "box": {"shell": "line", "cwd": "where"},
            "disk": {"path": "p", "when": {"op": {"get": "read", "*": "write"}}},
            "job": {"kind": "poll", "waits": "seconds"},
        }
    )
    assert Meaning("read", "/w/a", command="cat a", begins_in="/w") == added.meaning(
        "box", {"line": "cat a", "where": "/w"}
    )
    assert Meaning("read", "a") == added.meaning("disk", {"op": "get", "p": "a"})
    assert Meaning("write", "a", changes=True) == added.meaning("disk", {"op": "put", "p": "a"})
    assert added.meaning("job", {"seconds": 5}).waits


WRONG = [
    ({"t": {"kind": "serch"}}, ["t", "kind", "serch", "search"]),
    ({"t": {"kind": 5}}, ["t", "kind", "5"]),
    ({"t": {"kind": "read", "pth": "x"}}, ["t", "pth", "path"]),
    ({"t": {"path": "x"}}, ["t", "kind", "missing"]),
    ({"t": {"kind": "read", "path": 5}}, ["t", "path", "5"]),
    ({"t": {"kind": "read", "path": []}}, ["t", "path"]),
    ({"t": {"kind": "read", "page": "many"}}, ["t", "page", "many"]),
    ({"t": {"kind": "read", "changes": "yes"}}, ["t", "changes", "yes"]),
    ({"t": {"when": "x"}}, ["t", "when"]),
    ({"t": {"when": {"op": {"get": "reed"}}}}, ["t", "when", "reed", "read"]),
    ({"t": 5}, ["t", "5"]),
]


@pytest.mark.parametrize(("tools", "words"), WRONG)
def test_a_wrong_line_is_refused_by_name(tools, words):
    with pytest.raises(ValueError, match="tool") as caught:
        VOCABULARY.with_tools(tools)
    assert [] == [word for word in words if word not in str(caught.value)]


def test_talk_does_not_make_a_call_another_call():
    args = {"command": "ls", "description": "List files", "security_risk": "LOW"}
    assert {"command": "ls"} == VOCABULARY.identity(args)


def test_a_call_that_is_all_talk_is_what_it_says():
    args = {"thought": "hm"}
    assert args == VOCABULARY.identity(args)


def test_a_call_without_talk_is_itself():
    args = {"path": "a.py"}
    assert args == VOCABULARY.identity(args)
    assert {} == VOCABULARY.identity({})
    assert {} == VOCABULARY.identity(None)
