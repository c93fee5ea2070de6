"""How a result finds its call: by the caller's id, or by order where none is given."""

import logging

from headway import Monitor


def warnings(caplog):
    return [record.getMessage() for record in caplog.records if record.levelno == logging.WARNING]


def test_calls_one_after_another_need_no_ids():
    named, unnamed = Monitor(), Monitor()
    for number in range(4):
        named.called("grep", {"pattern": "login"}, call=f"c{number}")
        expected = named.returned(f"c{number}", output="")
        unnamed.called("grep", {"pattern": "login"})
        decision = unnamed.returned(output="")
        assert (expected.action, expected.reason) == (decision.action, decision.reason)

    assert 4 == unnamed.session.step_count == unnamed.session.tool_call_count
    assert 0 == unnamed.session.pairing.results_without_call


def test_the_ids_are_the_same_every_time_and_differ_from_each_other():
    def ids():
        monitor = Monitor()
        for _ in range(3):
            monitor.called("Read", {"file_path": "a"})
        return list(monitor.session.pairing.waiting)

    assert ids() == ids() == ["#1", "#2", "#3"]


def test_a_result_without_id_belongs_to_the_latest_call_that_has_none():
    """A call that was refused never returns: the one after it is answered all the same."""
    monitor = Monitor()
    monitor.called("Read", {"file_path": "refused"})
    monitor.called("Read", {"file_path": "made"})
    monitor.returned(output="text")

    assert ["made"] == [step.path for step in monitor.session.steps]


def test_ids_go_on_after_save_and_load():
    monitor = Monitor()
    monitor.called("Read", {"file_path": "a"})
    again = Monitor.load(monitor.save())
    again.returned(output="text")
    again.called("Read", {"file_path": "b"})

    assert ["a"] == [step.path for step in again.session.steps]
    assert ["#2"] == list(again.session.pairing.waiting)


def test_given_ids_may_overlap():
    monitor = Monitor()
    monitor.called("Read", {"file_path": "a"}, call="one", batch="b")
    monitor.called("Read", {"file_path": "b"}, call="two", batch="b")
    monitor.returned("one", "text")
    monitor.returned("two", "more text")

    assert ["a", "b"] == [step.path for step in monitor.session.steps]


def test_a_result_that_belongs_to_no_call_is_logged_once_for_each_monitor(caplog):
    for _ in range(2):
        monitor = Monitor()
        assert "continue" == monitor.returned("unknown-id", "text").action
        monitor.returned("another", "text")
        monitor.returned(output="text")

    assert 2 == len(warnings(caplog))
    assert "a result came for call 'unknown-id', but no call with this id is open" in warnings(caplog)[0]
    assert "Give called() and returned() the same id" in warnings(caplog)[0]
    assert {"headway"} == {record.name for record in caplog.records}


def test_a_result_that_comes_twice_is_no_mistake_worth_a_warning(caplog):
    monitor = Monitor()
    monitor.called("Read", {"file_path": "a"}, call="c1")
    monitor.returned("c1", "text")
    monitor.returned("c1", "text")

    assert [] == warnings(caplog)
