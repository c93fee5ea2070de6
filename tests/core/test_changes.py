"""What counts as a change: the one home of "nothing changed in between"."""

import ast
import inspect
import re
import sys
from pathlib import Path

import pytest

import headway.detectors
from headway.core import repeats
from headway.core.repeats import repeats_of, same_answer_since, separate_asks, unchanged_since
from headway.detectors import built_in
from headway.tools.meaning import Vocabulary
from tests.provocations import PROVOCATIONS
from tests.streams import call, compaction, edit, engine_of, failure, missing, read, shell, spelled, suite, user, write

ANYTHING = {
    "a script": shell("python update.py", "done"),
    "a build": shell("make", "built"),
    "a sub-agent": call("Task", {"prompt": "fix it"}, "fixed"),
    "a tool nobody knows": call("frobnicate", {"x": 1}, "ok"),
    "a checkout of everything": shell("git checkout .", "Updated 3 paths"),
    "a person who is asked": call("AskUserQuestion", {"question": "Shall I?"}, "I have done it myself."),
    "an edit that runs something": shell("sed -i s/a/b/ src/z.py && python z.py", "ok"),
    "an edit whose run fails": shell("sed -i s/a/b/ src/z.py && python z.py", "TypeError: no", failed=True),
}
NOTHING = {
    "a look": read("src/b.py"),
    "a test": suite(),
    "a denied script": call("Bash", {"command": "python update.py"}, "no", denied=True, failed=None),
    "a denied script that is not said to have failed": call("Bash", {"command": "python update.py"}, "", denied=True),
    "a script that fails": failure("Error: no", command="python update.py"),
    "a denied edit": edit("src/a.py", denied=True),
    "a failed edit": edit("src/a.py", failed=True),
}


def session_after(*words):
    engine = engine_of()
    for happening in spelled(words):
        for event in happening:
            engine.feed(event)
    return engine.session


@pytest.mark.parametrize("name", ANYTHING)
def test_what_may_change_any_file_makes_every_file_unread(name):
    session = session_after(*[read("src/a.py")] * 3, ANYTHING[name], read("src/a.py"))
    assert (1, 4) == (session.files.get("src/a.py").reads, unchanged_since(session))


@pytest.mark.parametrize("name", NOTHING)
def test_what_changes_nothing_leaves_files_as_they_are(name):
    session = session_after(*[read("src/a.py")] * 3, NOTHING[name], read("src/a.py"))
    assert (4, 0) == (session.files.get("src/a.py").reads, unchanged_since(session))


ACTIONS = {
    "a click": call("mcp__playwright__browser_click", {"ref": "e1"}, "clicked"),
    "a page opened": call("mcp__claude-in-chrome__navigate", {"url": "https://shop.example"}, "opened"),
    "a window resized": call("mcp__playwright__browser_resize", {"width": 320}, "resized"),
    "a click that the tool calls an action": call("computer", {"action": "left_click", "coordinate": [1, 2]}, "ok"),
    "a tab closed": call("mcp__playwright__browser_tabs", {"action": "close"}, "closed"),
    "a POST": call("fetch", {"url": "https://api.example.com/orders", "method": "POST"}, "ok"),
    "a POST in the shell": shell("curl -s -X POST https://api.example.com/orders", "ok"),
    "a process killed": shell("kill 4711", ""),
    "a variable set": shell("export MODE=fast", ""),
    "a shell of Claude Code ended": call("KillShell", {"shell_id": "1"}, "ended"),
}
LOOKS = {
    "a picture": call("computer", {"action": "screenshot"}, "picture"),
    "the list of tabs": call("mcp__playwright__browser_tabs", {"action": "list"}, "1 tab"),
    "a GET": call("fetch", {"url": "https://api.example.com/orders", "method": "GET"}, "[]"),
    "a GET in the shell": shell("curl -s https://api.example.com/orders", "[]"),
    "the console": call("mcp__claude-in-chrome__read_console_messages", {}, ""),
}


@pytest.mark.parametrize("name", ACTIONS)
def test_an_action_ends_what_was_known_of_its_world_but_not_of_files(name):
    session = session_after(*[read("src/a.py")] * 3, ACTIONS[name], read("src/a.py"))
    assert (4, 4) == (session.files.get("src/a.py").reads, unchanged_since(session))


@pytest.mark.parametrize("name", LOOKS)
def test_a_look_at_another_world_than_files_changes_nothing(name):
    assert 0 == unchanged_since(session_after(*[read("src/a.py")] * 3, LOOKS[name]))


def test_an_equal_action_with_an_equal_result_changes_nothing_again():
    post = ACTIONS["a POST"]
    assert 2 == unchanged_since(session_after(read("src/a.py"), post, read("src/a.py"), post, read("src/a.py"), post))


def test_an_equal_key_or_click_goes_one_place_further():
    click = ACTIONS["a click"]
    assert 4 == unchanged_since(session_after(read("src/a.py"), click, read("src/a.py"), click))


def test_an_action_that_fails_may_have_done_a_part_but_does_not_excuse_failures():
    refused = call("fetch", {"url": "https://api.example.com/orders", "method": "POST"}, "Error: 422", failed=True)
    session = session_after(read("src/a.py"), refused, read("src/a.py"), refused)
    assert (0, 2) == (unchanged_since(session), same_answer_since(session))


def test_what_is_saved_or_sent_is_no_change_for_a_search_and_one_for_everything_else():
    looks = [call("search", {"query": "refund"}, "0 hits"), call("save", {"text": "none"}, "saved")] * 2
    looks += [call("search", {"query": "refund"}, "0 hits")]
    session = session_after(*looks)
    assert 1 == len(repeats_of(session, session.steps[-1]))
    assert 3 == len(repeats_of(session, session.steps[-1], beside_unsure=True))


def test_a_note_with_a_file_of_its_own_is_a_change():
    look, note = call("search", {"query": "refund"}, "0 hits"), call("save", {"path": "a.md", "text": "x"}, "saved")
    session = session_after(look, note, look)
    assert 1 == len(repeats_of(session, session.steps[-1], beside_unsure=True))


def test_an_edit_makes_only_its_own_file_unread():
    session = session_after(read("src/a.py"), read("src/b.py"), edit("src/a.py"))
    assert (0, 1) == tuple(session.files.get(f"src/{name}.py").reads for name in "ab")


def test_a_program_that_ran_before_and_says_nothing_new_changes_nothing():
    run = shell("./status.sh", "all quiet")
    assert 1 == session_after(run, read(), run, run).changes.last_effect


def test_a_message_of_the_user_and_a_compaction_begin_anew():
    assert 3 == unchanged_since(session_after(*[read()] * 3, user()))
    assert 3 == unchanged_since(session_after(*[read()] * 3, compaction()))


def test_repeats_are_equal_calls_with_equal_results_and_no_change_in_between():
    look = read("src/a.py")
    session = session_after(
        look, read("src/a.py", output="another text"), look, write(), look, search_in_between(), look
    )
    assert [5, 7] == [step.number for step in repeats_of(session, session.steps[-1])]


def search_in_between():
    return call("Grep", {"pattern": "x"}, "src/a.py:1:x")


def test_what_a_call_did_itself_is_no_change_for_it():
    run = shell("./deploy.sh", "nothing to do")
    session = session_after(run, run, run)
    assert [1, 2, 3] == [step.number for step in repeats_of(session, session.steps[-1])]


def test_a_program_of_unknown_effect_that_is_followed_by_news_may_have_caused_it():
    run = shell("./generate.sh", "ok")
    session = session_after(run, read("src/a.py", output="one"), run, read("src/a.py", output="two"), run)
    assert [5] == [step.number for step in repeats_of(session, session.steps[-1])]


def test_another_answer_in_between_ends_the_repeats():
    flaky = [suite(failed) for failed in (1, 0, 1, 0, 1, 1)]
    session = session_after(*flaky)
    assert [5, 6] == [step.number for step in repeats_of(session, session.steps[-1])]


def test_calls_of_one_batch_are_one_ask():
    session = session_after(*[read(batch="b")] * 3, read(), read())
    assert 3 == separate_asks(session.steps)


def test_a_known_tool_is_not_taken_for_an_unknown_one():
    known, unknown = (Vocabulary.packaged().meaning(tool, {}) for tool in ("TodoWrite", "frobnicate"))
    assert (False, True) == (known.may_change_anything, unknown.may_change_anything)


@pytest.mark.parametrize(
    "change",
    [
        shell("sed -i s/a/b/ a.py"),
        shell("gh pr checkout 7", "Switched"),
        shell("source env/bin/activate"),
        shell("sed -i s/a/b/ /w/*.py"),
        shell("git checkout b1 -- ."),
        shell("cp -r other /w"),
    ],
)
def test_a_file_changed_under_another_spelling_may_be_this_one(change):
    session = session_after(*[read("/w/a.py")] * 3, change, read("/w/a.py"))
    assert 1 == session.files.get("/w/a.py").reads


FILES = (
    lambda n: shell(f"sed -i s/{n}/x/ *"),
    lambda n: missing(shell(f"sed -i s/{n}/x/ *")),
    lambda n: shell(f"git checkout b{n} -- .", f"Updated {n} paths"),
    lambda n: shell(f"git stash; git switch b{n}", f"Switched to b{n}"),
)
"""Changes of files that are not named, another one for each number."""
PROGRAMS = (
    lambda n: shell(f"python update{n}.py", f"done {n}"),
    lambda n: shell("make", f"built {n * 7} parts"),
    lambda n: call("frobnicate", {"x": n}, f"ok {n}"),
    lambda n: call("AskUserQuestion", {"question": f"And part {n}?"}, f"Part {n} is done."),
)
"""Calls after which any file may be another one."""
CLEARS = {
    "after a change|file (is )?changed|file changes": FILES,
    "after a compaction": (lambda n: compaction(),),
    "after a call that waits": (lambda n: shell("sleep 30"),),
    "when the user speaks": (lambda n: user(f"And now part {n}"),),
}
"""What happens, by the words with which detectors say that it clears what they count."""


def clearing(kind):
    """The words of these that a detector uses, and what happens then."""
    module = sys.modules[kind.__module__]
    told = " ".join(inspect.getdoc(module).partition("Clears:")[2].partition("Blind to:")[0].split())
    found = {words: happens for words, happens in CLEARS.items() if re.search(words, told)}
    if FILES in found.values() and "same_files_since" not in inspect.getsource(module):
        found["a program"] = PROGRAMS  # only those that ask for changes of files alone leave programs aside
    return found


CLEARED = [(id, words) for id, kind in built_in().items() for words in clearing(kind)]


def heard(id, words):
    """What a detector finds at the last word."""
    engine, found = engine_of(built_in()[id]()), []
    for happening in spelled(words):
        found = [finding.message for event in happening for finding in engine.feed(event).findings]
    return found


@pytest.mark.parametrize(("id", "words"), CLEARED)
def test_what_a_detector_says_clears_its_findings_does(id, words):
    provocation = PROVOCATIONS[id](built_in()[id]())
    for happens in clearing(built_in()[id])[words]:
        *before, last = provocation
        alone = heard(id, [happens(0), last])  # what the last word shows by itself needs no count
        assert alone == heard(id, [*before, happens(0), last])
        between = [word for n, one in enumerate(before) for word in (one, happens(n))]
        assert alone == heard(id, [*between, last])


def test_those_that_count_repeats_are_among_them():
    told = {id for id, words in CLEARED if words == "a program"}
    assert {"exact_cycle", "known_answer", "test_rerun", "failing_edit", "repeated_error"} <= told


def test_a_file_in_a_folder_of_another_name_is_not_changed_with_it():
    session = session_after(*[read("/w/a.py")] * 3, shell("cp -r other /v"), read("/w/a.py"))
    assert 4 == session.files.get("/w/a.py").reads


KEPT = set("fresh_from batch compacted waited last_anywhere last_effect last_effect_by_another effects".split())
"""What is remembered about changes, memory and batches, for `repeats` to judge."""


def homemade(source):
    """What a detector's code decides by itself about changes in between, memory or batches; only `repeats` may."""
    asked = {name for name, one in vars(repeats).items() if callable(one) and one.__module__ == repeats.__name__}
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Attribute) and (node.attr in KEPT or ast.unparse(node).endswith("changes.last")):
            found.append(ast.unparse(node))
        elif isinstance(node, ast.Assign) and any("since" in ast.unparse(target) for target in node.targets):
            calls = {ast.unparse(one.func) for one in ast.walk(node.value) if isinstance(one, ast.Call)}
            found += [] if calls & asked else [ast.unparse(node)]
    return found


DETECTORS = [
    path for scale in headway.detectors.SCALES for path in Path(headway.detectors.__path__[0], scale).glob("*.py")
]


@pytest.mark.parametrize("path", DETECTORS, ids=lambda path: path.stem)
def test_detectors_ask_this_module_what_changed_in_between(path):
    assert [] == homemade(path.read_text())


@pytest.mark.parametrize(
    "code",
    [
        "since = max(session.turn.first_step, 3)",
        "since, tool = session.turn.first_step, step.tool_name",
        "session.changes.last",
        "changes.last_effect",
        "step.number >= session.fresh_from",
        "step.call.batch or step.call.id",
        "session.marks.compacted",
        "session.marks.waited",
    ],
)
def test_a_rule_of_its_own_is_noticed(code):
    assert homemade(code)


def test_what_this_module_says_may_be_combined():
    assert not homemade("since = max(unchanged_since(session), session.marks.learnt)")
    assert not homemade("failures.note(step, session.changes, since)")
