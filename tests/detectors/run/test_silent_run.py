from headway import Monitor, Severity
from headway.core.events import RunEnded, Ticked, ToolCalled
from headway.detectors.run.silent_run import SilentRun
from tests.streams import agent, call, missing, read, tick, user, watch


def test_speaks_at_exactly_fifteen_minutes_after_the_latest_event():
    ((place, finding),) = watch(SilentRun(), read(at=100.0), tick(999.9), tick(1_000.0))
    assert (3, Severity.HIGH, True) == (place, finding.severity, finding.advisory)
    assert "No event has come from this agent for 15 minutes." == finding.message


def test_is_said_once_for_each_silence():
    found = watch(SilentRun(), read(at=0.0), tick(900.0), tick(1_900.0), read("b.py", at=2_000.0), tick(2_900.0))
    assert [2, 5] == [place for place, _ in found]


def test_stays_quiet_when_the_agent_spoke_last_and_may_wait_for_its_user():
    assert [] == watch(SilentRun(), read(at=0.0), agent("What next?"), tick(9_000.0))
    assert [4] == [
        place for place, _ in watch(SilentRun(), read(at=0.0), agent("What next?"), user("go on"), tick(9_000.0))
    ]


def test_stays_quiet_when_the_run_is_over():
    assert [] == watch(SilentRun(), read(at=0.0), lambda place: [RunEnded()], tick(9_000.0))


def test_stays_quiet_without_times():
    assert [] == watch(SilentRun(), read(), tick(9_000.0))
    assert [] == watch(SilentRun(), read(at=0.0), lambda place: [Ticked()])


def test_a_tick_is_nothing_that_happened():
    monitor = Monitor()
    monitor.feed(ToolCalled(call="1", tool="Read", args={"file_path": "a"}, at=5.0))
    decision = monitor.ticked(at=1_000.0)
    assert ("nudge", "silent_run") == (decision.action, decision.reason)
    assert (5.0, 5.0) == (monitor.session.started_at, monitor.session.last_at)


def test_minutes_that_are_not_over_are_not_counted():
    ((_, finding),) = watch(SilentRun(), read(at=0.0), tick(950.0))
    assert "for 15 minutes" in finding.message


def test_stays_quiet_while_a_sub_agent_works():
    started = call("Agent", {"prompt": "port the modules"})
    assert [] == watch(SilentRun(), read(at=0.0), missing(started), tick(2_000.0))
    assert [3] == [place for place, _ in watch(SilentRun(), read(at=0.0), started, tick(2_000.0))]
