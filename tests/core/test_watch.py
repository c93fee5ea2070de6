"""A detector is made when something happens that it looks at, and nobody can tell that it was not there before."""

import pytest

from headway import Detector, Finding, Monitor
from headway.core.engine import Engine
from headway.core.limits import Limits
from headway.core.session import Session
from headway.core.watch import LooksAt, Watch
from headway.detectors import built_in
from headway.tools.meaning import Vocabulary
from tests.provocations import PROVOCATIONS
from tests.streams import agent, edit, failure, quiet_policy, read, search, spelled, suite, user


class Noting(Detector):
    """Notes the kind of each step it is asked about."""

    def on_step(self, step, session):
        asked.append(step.kind)
        return ()


asked = []
NO_LIMITS = Limits()


def kinds_asked_about(*words, set_limits=NO_LIMITS, **flags):
    kind = type("Noting", (Noting,), flags)
    asked.clear()
    engine = Engine(Session(limits=set_limits), [Watch.of(kind())], quiet_policy, Vocabulary.packaged())
    for happening in spelled(words):
        for event in happening:
            engine.feed(event)
    return list(asked)


@pytest.mark.parametrize(
    ("flags", "expected"),
    [
        ({}, ["read", "edit", "run", "test", "read"]),
        ({"kinds": frozenset(("read", "test"))}, ["read", "test", "read"]),
        ({"only_failures": True}, ["run", "test"]),
        ({"only_changes": True}, ["edit"]),
        ({"only_repeats": True}, ["read"]),
        ({"only_tests": True}, ["test"]),
        ({"only_repeats": True, "kinds": frozenset(("test",))}, []),
    ],
)
def test_a_detector_is_asked_only_about_what_it_looks_at(flags, expected):
    words = read("a.py"), edit("b.py"), failure(command="python x.py"), suite(), read("a.py")
    assert expected == kinds_asked_about(*words, **flags)


def test_a_detector_that_needs_a_limit_is_asked_when_one_of_them_is_set():
    needs = {"limits": ("max_seconds", "tool_budget")}
    assert [] == kinds_asked_about(read("a.py"), **needs)
    assert ["read"] == kinds_asked_about(read("a.py"), set_limits=Limits(tool_budget=0), **needs)


def watched(*words):
    monitor = Monitor()
    for happening in spelled(words):
        for event in happening:
            monitor.feed(event)
    return monitor


def made(monitor):
    return {detector.id for detector in monitor._engine.made.values()}


def outcomes(stream, make_all, cut):
    """What is found and decided; after `cut` events the monitor is saved and loaded."""
    monitor, found = Monitor(), []
    for place, event in enumerate(stream):
        if place == cut:
            monitor = Monitor.load(monitor.save())
        _ = monitor.detectors if make_all else None
        found.append(monitor.feed(event))
    return found


@pytest.mark.parametrize("id", PROVOCATIONS)
def test_it_finds_the_same_as_if_it_had_existed_from_the_start(id):
    words = PROVOCATIONS[id](built_in()[id]())
    stream = [event for happening in spelled([*words, user("and now?"), *words]) for event in happening]
    alone = outcomes(stream, make_all=True, cut=None)
    assert all(alone == outcomes(stream, False, cut) for cut in (None, len(stream) // 4, len(stream) // 2))


def test_only_the_detectors_for_which_something_happened_are_made():
    found = made(watched(read("a.py")))
    assert {"repeated_file", "doom_loop"} <= found
    assert not {"low_hit_rate", "repeated_error", "file_churn", "exact_cycle", "monologue", "stalled", "spend"} & found
    assert "exact_cycle" in made(watched(read("a.py"), read("a.py")))
    assert "low_hit_rate" in made(watched(search())) and "monologue" in made(watched(agent("So.")))


def test_whoever_asks_for_the_detectors_gets_all_of_them_in_their_order():
    assert list(built_in()) == [detector.id for detector in watched(read("a.py")).detectors]


def test_what_is_saved_and_not_needed_after_loading_is_saved_again():
    first = watched(search(hits=0), edit("a.py"), failure())
    again = Monitor.load(first.save())
    assert made(again) == set() and first.save() == again.save()


def test_what_a_turn_clears_is_cleared_also_in_a_detector_that_was_only_loaded():
    monitor = Monitor.load(watched(agent("Now I will see what it is about and think."), read("a.py")).save())
    for event in spelled([user("and now?")])[0]:
        monitor.feed(event)
    assert [] == next(one for one in monitor.detectors if one.id == "repeated_message").unread


@pytest.mark.parametrize("id", built_in())
def test_a_user_turn_changes_nothing_in_a_detector_that_has_seen_nothing(id):
    """Otherwise it would make a difference whether it was made before or after the turn."""
    detector = built_in()[id]()
    detector.on_user_turn()
    assert built_in()[id]().save() == detector.save()


def test_a_detector_that_is_there_already_is_watched_as_it_is():
    class Speaker(Detector):
        """Says something."""

        def on_step(self, step, session):
            yield self.finding("seen")

    speaker = Speaker()
    watch = Watch.of(speaker)
    assert watch.make() is speaker and LooksAt(hooks=("on_step",)) == watch.looks_at
    engine = Engine(Session(), [watch], quiet_policy, Vocabulary.packaged())
    found = [one for event in spelled([read("a.py")])[0] for one in engine.feed(event).findings]
    assert ["speaker"] == [one.detector for one in found if isinstance(one, Finding)]
