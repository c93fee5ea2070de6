from headway.detectors.step.tool_avoidance import ToolAvoidance
from tests.streams import advice, moments, read, search, shell, user, watch

OTHERS = [read("a.py"), read("b.py"), read("c.py")]


def test_speaks_at_the_third_other_call_after_the_second_advice():
    found = watch(ToolAvoidance(), advice("Grep"), advice("Grep"), *OTHERS)

    assert [5] == moments(found)
    assert {"avoided_tool": "Grep", "alternative_attempts": 3} == found[0][1].evidence


def test_stays_quiet_at_the_second_other_call():
    assert [] == watch(ToolAvoidance(), advice("Grep"), advice("Grep"), *OTHERS[:2])


def test_one_advice_is_not_enough():
    assert [] == watch(ToolAvoidance(), advice("Grep"), *OTHERS, *OTHERS)


def test_advice_that_names_no_tool_is_not_counted():
    assert [] == watch(ToolAvoidance(), advice(), advice(), *OTHERS)


def test_using_the_tool_ends_it():
    assert [] == watch(ToolAvoidance(), advice("Grep"), advice("Grep"), read(), search(), *OTHERS)


def test_the_user_ends_it():
    assert [] == watch(ToolAvoidance(), advice("Grep"), advice("Grep"), user(), *OTHERS, shell("ls"))
