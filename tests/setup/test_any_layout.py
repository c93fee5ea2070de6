"""Whatever a settings file looks like, it can be edited and comes back."""

import json
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from headway.setup import agents
from headway.setup.jsonc import NotJsonError, parse
from tests.setup.words import THEIRS, is_contained

SPACE = st.sampled_from(["", " ", "\n", "\n  ", "\t", " // note\n", " /* , ] } */ "])
NAMES = st.sampled_from(["hooks", "Stop", "model", "a b", 'q"uote', "ü", ""])


@st.composite
def layouts(draw, depth=0, hooks=False):
    """JSON texts in any layout, with comments and trailing commas."""
    space = lambda: draw(SPACE)  # noqa: E731
    kind = draw(st.sampled_from(["object", "array", "plain"])) if depth else "object"
    if kind == "plain" or depth > 2:
        return draw(st.sampled_from(["1", "-2.5e3", "true", "null", '"x"', '"// no \\" comment"', "[]", "{}"]))
    named = kind == "object"
    parts = []
    for name in (
        draw(st.lists(NAMES.filter(lambda n: n != "hooks"), max_size=3)) if named else range(draw(st.integers(0, 3)))
    ):
        value = draw(layouts(depth + 1))
        parts.append(
            f"{space()}{json.dumps(name)}{space()}:{space()}{value}{space()}" if named else f"{space()}{value}{space()}"
        )
    if depth == 0 and draw(st.booleans()):
        entries = ",".join(draw(st.lists(st.just(THEIRS), max_size=2)))
        parts.append(f'{space()}"hooks"{space()}:{space()}{{"Stop":{space()}[{space()}{entries}{space()}]}}{space()}')
    trailing = "," if parts and draw(st.booleans()) else ""
    inside = ",".join(parts) + trailing + space()
    return ("{%s}" if named else "[%s]") % inside


@given(layouts(), st.sampled_from(["", "\n", "\r\n"]))
def test_any_layout_comes_back(before, end):
    agent = agents()["claude-code"]
    text = before + end
    form = agent.form(Path("settings.json"), "headway hook --agent claude-code")

    installed = form.installed(text)

    assert set(agent.events) <= set(parse(installed).data["hooks"])
    assert is_contained(text, installed)
    assert installed == form.installed(installed)
    assert text == form.removed(installed, text)


@given(layouts(), st.sampled_from(["", "\n", "\r\n"]))
def test_any_layout_comes_back_with_what_the_user_changed_meanwhile(before, end):
    form = agents()["claude-code"].form(Path("settings.json"), "headway hook --agent claude-code")
    text = '{"first": "old", ' + before.removeprefix("{") + end

    edited = form.installed(text).replace("old", "new", 1)

    assert text.replace("old", "new", 1) == form.removed(edited, text)


@given(st.text(alphabet='{}[],:"/*\\ \nab1', max_size=40))
def test_reading_any_text_gives_a_value_or_a_place(text):
    def place():
        try:
            value = parse(text)
        except NotJsonError as error:
            return error.line, error.column
        return text.count("\n", 0, value.start) + 1, 1

    line, column = place()
    assert 1 <= line <= text.count("\n") + 1 and column >= 1
