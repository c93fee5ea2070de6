"""Programs that agents write, compared without comments, names and counters."""

import pytest

from headway import Monitor
from headway.tools.python_code import LONGEST_CODE, only_uses, without_accidents

FIRST = """\
# attempt 1
attempt = 1
result = web_search("solar panels")
print(result)
"""


@pytest.mark.parametrize(
    "again",
    [
        FIRST.replace("attempt 1", "attempt 2: once more"),
        FIRST.replace("attempt = 1", "attempt = 2"),
        FIRST.replace("attempt = 1", "attempt += 1"),
        FIRST.replace("result", "found_2"),
        FIRST.replace('web_search("solar panels")', "web_search(\n    'solar panels',\n)"),
        f'"""Another try."""\n{FIRST}',
    ],
)
def test_the_same_program(again):
    assert without_accidents(FIRST) == without_accidents(again)


@pytest.mark.parametrize(
    "other",
    [
        FIRST.replace("solar panels", "wind turbines"),
        FIRST.replace("web_search", "visit_page"),
        FIRST.replace("print(result)", "print(result[:10])"),
        FIRST.replace("print(result)", "print(result, attempt)"),
        FIRST.replace('("solar panels")', '("solar panels", page=2)'),
        FIRST.replace('("solar panels")', "(query)"),
    ],
)
def test_another_program(other):
    assert without_accidents(FIRST) != without_accidents(other)


@pytest.mark.parametrize("code", ["page = 1", "page = 1\nquery = 'x'", "!ls", "for (let i = 0;;)", "", "\0", "(" * 300])
def test_what_sets_something_up_or_is_no_python_is_compared_as_it_is(code):
    assert code == without_accidents(code)


def test_what_python_warns_of_is_not_said():
    assert "f('\\\\d')" == without_accidents("f('\\d')")


def test_a_long_program_is_compared_as_it_is():
    code = "f()  # x\n" * LONGEST_CODE
    assert code == without_accidents(code)


def test_deep_programs_do_no_harm():
    code = f"f({'-' * 5000}1)"
    assert isinstance(without_accidents(code), str)
    assert isinstance(without_accidents(f"f({'a.' * 5000}b)"), str)


def test_whether_a_program_only_uses_tools():
    tools = frozenset({"web_search"})
    assert only_uses(FIRST, tools)
    assert only_uses("for q in ['a', 'b']:\n    print(len(web_search(q).strip()))", tools)
    assert not only_uses("open('a', 'w').write(web_search('x'))", tools)
    assert not only_uses("import os\nos.remove('a')", tools)
    assert not only_uses("visit(web_search('x'))", tools)
    assert not only_uses("!rm a", tools)


def run(*programs, output="no results"):
    monitor = Monitor()
    decisions = []
    for number, code in enumerate(programs):
        monitor.called("python_interpreter", {"code": code}, call=str(number))
        decisions.append(monitor.returned(str(number), output=output))
    return [str(decision.action) for decision in decisions], decisions


def test_a_changed_comment_name_and_counter_hide_no_loop():
    programs = [f"# attempt {n}\nattempt = {n}\nresult_{n} = web_search('solar')\nprint(result_{n})" for n in range(50)]
    actions, decisions = run(*programs)
    assert ["continue", "continue", "nudge"] == actions[:3] and "stop" in actions[:10]
    assert decisions[2].message.startswith("The code `# attempt 2 attempt = 2")
    assert "(comments, names and unused values aside) gave the same result 3 times in a row." in decisions[2].message


def test_honest_programs_are_left_alone():
    actions, _ = run(*(f"print(web_search('customer {n}'))" for n in range(20)))
    assert {"continue"} == set(actions)
    assert {"continue"} == set(run(*(f"page = {n}" for n in range(20)), output="")[0])
