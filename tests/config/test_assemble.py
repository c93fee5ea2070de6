"""Which detectors watch: ours and the user's own, or the user's alone; and what is left out of a small session."""

import pytest
from click.testing import CliRunner

from headway import Detector, Monitor, RunStarted, Settings, SettingsError
from headway.cli.config import command
from headway.config.assemble import left_out
from headway.detectors.step.doom_loop import DoomLoop
from headway.detectors.step.exact_cycle import ExactCycle
from tests.streams import failure, search, spelled


def ids(monitor):
    return [detector.id for detector in monitor.detectors]


def small(window_size, **detectors):
    return {"session": {"window_size": window_size}, "detectors": detectors}


@pytest.mark.parametrize("size", [1, 2, 5, 10, 19])
def test_a_small_session_is_accepted(size):
    monitor = Monitor(settings=small(size))

    assert size == monitor.session.sizes.window_size
    assert "exact_cycle" in ids(monitor)


def test_a_window_is_shortened_to_what_the_session_keeps():
    """`failing_edit` looks at 20 steps, `repeated_error` at 10: nine are enough to count to their limits."""
    monitor = Monitor(settings=small(9))
    found = [f.detector for h in spelled([failure("same error")] * 3) for e in h for f in monitor.feed(e).findings]

    assert {"failing_edit", "repeated_error"} <= set(ids(monitor)) - set(left_out(Settings.of(small(9))))
    assert "repeated_error" in found


def test_a_detector_that_needs_more_steps_is_left_out_with_the_reason():
    monitor = Monitor(settings=small(5))

    assert "doom_loop" not in ids(monitor)
    reason = left_out(Settings.of(small(5)))["doom_loop"]
    assert "6 steps are needed, but the session keeps only session.window_size = 5" == reason


def test_config_shows_what_is_left_out_and_why():
    shown = CliRunner().invoke(command, ["detectors.doom_loop", "--set", "session.window_size=5", "--format", "json"])

    assert 0 == shown.exit_code
    assert '"value": false' in shown.output
    assert "disabled: 6 steps are needed, but the session keeps only session.window_size = 5" in shown.output


def test_a_detector_that_the_user_has_set_is_refused_instead():
    with pytest.raises(SettingsError, match=r"detectors\.doom_loop: 6 steps are needed, but the session keeps only"):
        Monitor(settings=small(5, doom_loop={"doom_loop_max_length": 3}))
    with pytest.raises(SettingsError, match=r"detectors\.doom_loop: 6 steps are needed"):
        Monitor(settings=small(5), detectors=[DoomLoop()])


def test_a_detector_that_would_never_work_is_refused_in_a_small_session_too():
    class Impossible(Detector):
        """Refuses every setting."""

        def settings_error(self, sizes):
            return "it never works"

    with pytest.raises(SettingsError, match=r"detectors\.impossible: it never works"):
        Monitor(settings=small(5), detectors=[Impossible])


def test_only_these_detectors_watch():
    monitor = Monitor(detectors=[DoomLoop()], only=True)
    found = {f.detector for h in spelled([search(hits=1)] * 12) for e in h for f in monitor.feed(e).findings}

    assert ["doom_loop"] == ids(monitor) and found <= {"doom_loop"}
    assert ["exact_cycle", "doom_loop"] == ids(Monitor(detectors=[ExactCycle, DoomLoop], only=True))
    assert len(ids(Monitor(detectors=[DoomLoop()]))) > 40


def test_only_these_watch_after_save_and_load_and_after_the_model_is_told():
    monitor = Monitor(detectors=[ExactCycle(limit=4)], only=True)
    for happening in spelled([search(hits=1)] * 2):
        for event in happening:
            monitor.feed(event)
    again = Monitor.load(monitor.save(), detectors=[ExactCycle(limit=4)], only=True)

    assert ["exact_cycle"] == ids(again) and 2 == again.session.step_count
    overrides = {"model_overrides": {"some*": {"detectors": {"doom_loop": {"doom_loop_threshold": 4}}}}}
    told = Monitor(detectors=[ExactCycle], only=True, settings=overrides)
    told.feed(RunStarted(model="some-model"))
    assert ["exact_cycle"] == ids(told)


def test_a_class_takes_its_fields_from_the_settings():
    monitor = Monitor(detectors=[ExactCycle], only=True, settings={"detectors": {"exact_cycle": {"limit": 7}}})

    assert [7] == [detector.limit for detector in monitor.detectors]


def test_settings_are_checked_even_for_detectors_that_do_not_watch():
    with pytest.raises(SettingsError, match="did you mean 'doom_loop'"):
        Monitor(detectors=[ExactCycle], only=True, settings={"detectors": {"doom_lop": {"enabled": True}}})


@pytest.mark.parametrize("alone", [DoomLoop(), DoomLoop])
def test_one_detector_alone_is_as_good_as_a_list_of_one(alone):
    assert ["doom_loop"] == ids(Monitor(detectors=alone, only=True))


def test_only_without_detectors_is_refused():
    with pytest.raises(SettingsError, match=r"only=True needs at least one detector: detectors=\[\.\.\.\]"):
        Monitor(only=True)


@pytest.mark.parametrize("wrong", [["doom_loop"], [object()], [object], [None], "doom_loop", [lambda: None]])
def test_what_is_no_detector_is_refused_with_the_fix(wrong):
    with pytest.raises(SettingsError, match=r"is neither. Pass a class that inherits from headway\.Detector"):
        Monitor(detectors=wrong)
