"""One Monitor, used from threads, from tasks, and from inside itself."""

import asyncio
import signal
import threading
from concurrent.futures import ThreadPoolExecutor

from headway import Detector, Monitor, UserSpoke

WORKERS, STEPS = 8, 150


def work(monitor, worker):
    for n in range(STEPS):
        id = f"{worker}-{n}"
        monitor.called("Read", {"file_path": f"{id}.py"}, call=id)
        monitor.returned(id, output=f"content of {id}")
        monitor.used(tokens_in=1)


def test_threads_may_share_a_monitor():
    """Nothing is lost and nothing is counted twice, while another thread saves it again and again."""
    monitor, saved, done = Monitor(), [], threading.Event()

    def keep_saving():
        while not done.wait(0.01):
            saved.append(monitor.save())

    keeper = threading.Thread(target=keep_saving)
    keeper.start()
    with ThreadPoolExecutor(WORKERS) as pool:
        list(pool.map(lambda worker: work(monitor, worker), range(WORKERS)))
    done.set()
    keeper.join()

    session = monitor.session
    assert WORKERS * STEPS == session.step_count == session.tool_call_count == session.spending.tokens_in
    assert (0, 0) == (session.pairing.results_without_call, session.pairing.calls_without_result)
    counted = [Monitor.load(blob).session for blob in saved]
    assert counted and all(one.step_count <= one.tool_call_count <= one.step_count + WORKERS for one in counted)


def test_tasks_may_share_a_monitor():
    async def one(monitor, n):
        monitor.called("Read", {"file_path": f"{n}.py"}, call=str(n), batch="all")
        await asyncio.sleep(0)
        return monitor.returned(str(n), output=f"content of {n}")

    async def main():
        return await asyncio.gather(*(one(monitor, n) for n in range(200)))

    monitor = Monitor()
    assert {"continue"} == {decision.action for decision in asyncio.run(main())}
    assert 200 == monitor.session.step_count


class Talkative(Detector):
    """A detector that speaks to the monitor while it is being asked: not meant, but survived."""

    def on_step(self, step, session):
        self.__class__.answers.append(self.__class__.monitor.user_spoke("wait"))
        yield from ()


def test_an_event_from_inside_another_waits_for_it():
    Talkative.answers = []
    Talkative.monitor = monitor = Monitor(detectors=[Talkative])
    monitor.called("Read", {"file_path": "a.py"}, call="1")
    monitor.returned("1", output="x")
    assert ["continue"] == [decision.action for decision in Talkative.answers]
    assert (1, 1) == (monitor.session.step_count, monitor.session.user_turn_count)
    assert 1 == monitor.session.turn.first_step - 1, "the turn began after the step, not in the middle of it"


def test_a_signal_handler_may_say_stop_at_any_moment():
    """The stop is part of the answer to whatever event was being processed."""

    class Interrupted(Detector):
        def on_step(self, step, session):
            signal.raise_signal(signal.SIGUSR1)
            yield from ()

    monitor = Monitor(detectors=[Interrupted])
    before = signal.signal(signal.SIGUSR1, lambda *_: monitor.stop("enough"))
    try:
        monitor.called("Read", {"file_path": "a.py"}, call="1")
        decision = monitor.returned("1", output="x")
    finally:
        signal.signal(signal.SIGUSR1, before)
    assert ("stop", "manual_stop") == (decision.action, decision.reason)


def test_a_detector_that_never_stops_talking_does_not_hang_the_monitor():
    class Endless(Detector):
        def on_message(self, event, session):
            if isinstance(event, UserSpoke):
                for _ in range(3):
                    self.__class__.monitor.user_spoke("again")
            yield from ()

    Endless.monitor = monitor = Monitor(detectors=[Endless])
    for _ in range(5):
        monitor.user_spoke("go")
    assert 64 == len(monitor._later), "what waits is bounded"


def test_events_that_are_dropped_are_logged(caplog):
    class Talkative(Detector):
        def on_message(self, event, session):
            if isinstance(event, UserSpoke):
                for _ in range(100):
                    self.__class__.monitor.used(tokens_in=1)
            yield from ()

    Talkative.monitor = monitor = Monitor(detectors=[Talkative])
    monitor.user_spoke("go")
    assert 65 == monitor.session.event_count
    assert "36 events" in caplog.text
