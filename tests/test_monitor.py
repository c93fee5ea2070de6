import doctest
import pickle

import pytest

import headway
import headway.monitor
from headway import EventError, Measurements, Monitor, SavedStateError, Settings, SettingsError
from headway.core import events
from tests.streams import failure, search, spelled


def decisions(monitor, *words):
    return [monitor.feed(event).decision for happening in spelled(words) for event in happening]


@pytest.mark.parametrize("module", [headway, headway.monitor])
def test_the_examples_in_the_docstrings_are_true(module):
    assert 0 == doctest.testmod(module).failed < doctest.testmod(module).attempted


def test_the_design_s_own_example_runs():
    monitor = Monitor(task="edit", model="claude-sonnet-4-5")
    decision = monitor.called("Read", {"file_path": "src/auth.py"}, call="c1")
    assert decision.action == "continue"
    decision = monitor.returned("c1", output="text", failed=False)
    monitor.user_spoke("please also fix the docs")
    monitor.agent_spoke("on it")
    decision = monitor.iteration_ended(output="text", measured=Measurements(test_count=3))
    assert (decision.action, decision.message, decision.reason) == ("continue", "", "")
    monitor.used(tokens_in=1, tokens_out=2, cost_usd=0.1)
    monitor.advised("use Grep", tool="Grep")
    monitor.compacted()
    assert "stop" == monitor.stop("enough").action


def test_it_nudges_once_and_remembers_its_own_words():
    class Eavesdropper(headway.Detector):
        """Hears what the agent was told."""

        heard: list[str] = headway.state(factory=list)

        def on_message(self, event, session):
            self.heard.append(event.text)
            return ()

    ear = Eavesdropper()
    actions = [str(d.action) for d in decisions(Monitor(detectors=[ear]), *[search(hits=3)] * 5)]

    assert 1 == actions.count("nudge")
    told = (
        "The same Grep call gave the same result 3 times in a row. Run it again after a change and it will be accepted."
    )
    assert [told] == ear.heard


def test_calling_opens_no_finding():
    """Before a call nothing can be known of its result, so nothing is concluded from asking."""
    monitor = Monitor()
    for n in range(10):
        assert "continue" == monitor.called("Read", {"file_path": "a"}, call=str(n)).action
    assert {} == monitor.session.patterns()


@pytest.mark.parametrize("output", [b"\xff\xfe bytes", None, {"files": ["a"]}, ["a", "b"], 7, {1: object()}])
def test_outputs_of_any_kind_are_taken(output):
    monitor = Monitor()
    monitor.called("Read", {}, call="c")
    assert "continue" == monitor.returned("c", output).action
    assert 1 == monitor.session.step_count


def test_hits_are_counted_from_structured_results():
    monitor = Monitor()
    for n in range(3):
        monitor.called("Grep", {"pattern": f"q{n}"}, call=str(n))
        monitor.returned(str(n), {"filenames": [], "numFiles": 0, "mode": "files_with_matches"})
    assert 3 == monitor.session.turn.consecutive_empty


def test_wrong_use_raises_at_once():
    monitor = Monitor()
    with pytest.raises(EventError, match=r"ToolCalled\.tool"):
        monitor.called(None, {}, call="c")
    with pytest.raises(EventError, match=r"ToolCalled\.args"):
        monitor.called("Read", "a.py", call="c")
    with pytest.raises(EventError, match=r"ToolReturned\.call"):
        monitor.returned(3, "x")


@pytest.mark.parametrize(
    ("settings", "named"),
    [
        ({"detector": {}}, "did you mean 'detectors'"),
        ({"detectors": {"exact_cicle": {}}}, "did you mean 'exact_cycle'"),
        ({"detectors": {"exact_cycle": {"limits": 3}}}, "did you mean 'limit'"),
        ({"detectors": {"exact_cycle": {"limit": "three"}}}, r"detectors\.exact_cycle\.limit: Expected `int`"),
        ({"detectors": {"exact_cycle": {"limit": 0}}}, "must be more than 0"),
        ({"detectors": {"exact_cycle": {"streak": 7}}}, "unknown setting"),
        ({"detectors": {"exact_cycle": {"severity": "huge"}}}, r"exact_cycle\.severity"),
        ({"session": {"window": 3}}, "did you mean 'window_size'"),
        ({"session": {"window_size": -1}}, "must be more than 0"),
        ({"detectors": {"repeated_error": {"limit": 11}}}, "error_window is only 10"),
        ({"detectors": {"file_churn": {"window": 60}}}, "keeps only session.window_size = 50"),
        ({"detectors": {"doom_loop": {"doom_loop_threshold": 1}}}, "at least 2"),
        ({"tools": {"x": {"kind": "fly"}}}, "fly"),
        ({"policy": {"mode": "loud"}}, r"^policy\.mode: .*'loud'; expected one of: observe, nudge, enforce$"),
        ({"global": {"limits": "hard"}}, r"^global\.limits: .*; expected one of: advise, enforce$"),
        ({"policy": {"cool_down": "long"}}, r"^policy\.cool_down: Expected `int`, got `str`$"),
        ("headway.toml", r"must be a mapping, not 'headway\.toml'; Settings\.find\(\) reads"),
    ],
)
def test_an_unknown_or_senseless_setting_is_refused_by_name(settings, named):
    with pytest.raises(SettingsError, match=named):
        Monitor(settings=settings)


def test_settings_reach_the_detector():
    monitor = Monitor(settings={"detectors": {"exact_cycle": {"limit": 2, "severity": "low"}}})
    found = [f for h in spelled([search(hits=1)] * 2) for e in h for f in monitor.feed(e).findings]
    assert [("exact_cycle", "low")] == [(f.detector, f.severity) for f in found]


def test_a_detector_can_be_switched_off():
    monitor = Monitor(settings={"detectors": {"exact_cycle": {"enabled": False}}})
    assert "exact_cycle" not in {detector.id for detector in monitor.detectors}


def test_your_own_tools_are_understood():
    monitor = Monitor(settings={"tools": {"lookup": {"kind": "search", "query": "needle"}}})
    for n in range(3):
        monitor.called("lookup", {"needle": f"x{n}"}, call=str(n))
        monitor.returned(str(n), "")
    assert "empty_streak" in monitor.session.patterns()


def test_saved_and_loaded_it_goes_on_as_if_nothing_had_happened():
    words = [failure(), failure(), search(hits=0), failure(), search(hits=0)]
    whole, cut = Monitor(), Monitor()
    expected = decisions(whole, *words)
    found = []
    for happening in spelled(words):
        for event in happening:
            cut = Monitor.load(cut.save())
            found.append(cut.feed(event).decision)
    assert expected == found
    assert whole.save() == cut.save()


def test_settings_are_saved_too():
    settings = {"detectors": {"exact_cycle": {"limit": 7}}, "session": {"window_size": 30}}
    monitor = Monitor.load(Monitor(settings=settings, run="r", task="edit").save())
    assert 7 == next(d.limit for d in monitor.detectors if d.id == "exact_cycle")
    assert (30, "r", "edit") == (monitor.session.sizes.window_size, monitor.session.run, monitor.session.task)


@pytest.mark.parametrize("blob", [b"", b"junk", b"\x80", pickle.dumps({"format": 1})])
def test_what_cannot_be_loaded_says_so(blob):
    with pytest.raises(SavedStateError):
        Monitor.load(blob)


def test_another_format_says_so():
    import msgspec

    data = msgspec.msgpack.decode(Monitor().save())
    data["format"] = 999
    with pytest.raises(SavedStateError, match="format 999"):
        Monitor.load(msgspec.msgpack.encode(data))


def test_it_reads_no_files_and_no_environment(tmp_path, monkeypatch):
    (tmp_path / "headway.toml").write_text("[detectors.exact_cycle]\nlimit = 99\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HEADWAY_DETECTORS__EXACT_CYCLE__LIMIT", "99")
    assert 3 == next(d.limit for d in Monitor().detectors if d.id == "exact_cycle")


@pytest.mark.parametrize(
    ("use", "named"),
    [
        (lambda m: m.called("Read", {}, call="c", at="noon"), r"ToolCalled\.at must be float or nothing"),
        (lambda m: m.called("Read", {}, call="c", batch=7), r"ToolCalled\.batch"),
        (lambda m: m.returned("c", "x", exit_code="1"), r"ToolReturned\.exit_code"),
        (lambda m: m.returned("c", "x", failed="no"), r"ToolReturned\.failed"),
        (lambda m: m.user_spoke(None), r"UserSpoke\.text"),
        (lambda m: m.agent_spoke(b""), r"AgentSpoke\.text"),
        (lambda m: m.used(tokens_in="12"), r"Used\.tokens_in"),
    ],
)
def test_a_value_of_the_wrong_type_is_refused_by_the_name_of_its_field(use, named):
    with pytest.raises(EventError, match=named):
        use(Monitor())


class Hostile(dict):
    """An output that fights back."""

    def __repr__(self):
        raise RuntimeError("no")

    def get(self, *args):
        raise RuntimeError("no")


def test_an_output_that_cannot_be_looked_at_does_no_harm():
    monitor = Monitor()
    monitor.called("Grep", {}, call="c")
    assert "continue" == monitor.returned("c", Hostile(a=Hostile())).action


def test_one_bad_detector_does_not_silence_the_others(caplog):
    class Babbler(headway.Detector):
        """Yields what is no finding, and evidence that cannot be saved."""

        def on_step(self, step, session):
            yield self.finding("odd", thing=object())
            yield "not a finding"

    monitor = Monitor(detectors=[Babbler()])
    found = [f.detector for h in spelled([search(hits=1)] * 3) for e in h for f in monitor.feed(e).findings]
    assert {"babbler", "exact_cycle"} == set(found)
    assert "not str" in caplog.text
    assert Monitor.load(monitor.save(), detectors=[Babbler()]).session.step_count == 3


def test_targets_and_root_are_taken_in_any_spelling(tmp_path):
    monitor = Monitor(targets="./src/goal.py", root=tmp_path)
    assert ("src/goal.py",) == monitor.session.targets
    assert ("src/goal.py",) == Monitor(targets=[f"{tmp_path}/src/goal.py"], root=tmp_path).session.targets


def test_a_typing_error_in_a_models_override_is_found_at_once():
    with pytest.raises(SettingsError, match=r"model_overrides\.x\*: .*did you mean 'limit'"):
        Monitor(settings={"model_overrides": {"x*": {"detectors": {"exact_cycle": {"limt": 3}}}}})


def test_a_model_that_changes_later_does_not_change_the_detectors_after_loading():
    from headway.core import events

    settings = {"model_overrides": {"trusted*": {"loop_detection": False}}}
    monitor = Monitor(settings=settings)
    decisions(monitor, search(hits=1))
    monitor.feed(events.RunStarted(model="trusted-1"))
    loaded = Monitor.load(monitor.save())
    assert [d.id for d in monitor.detectors] == [d.id for d in loaded.detectors]


def test_a_call_that_is_announced_twice_is_refused_once():
    monitor = Monitor()
    decisions(monitor, *[search(hits=1)] * 3)
    answers = [str(monitor.called("Grep", {"pattern": "needle"}, call="again").action) for _ in range(4)]
    assert ["block", "continue", "continue", "continue"] == answers


def test_the_user_may_go_on_after_a_stop():
    monitor = Monitor()
    monitor.stop("enough")
    assert "continue" == monitor.user_spoke("no, go on").action


def test_limits_that_can_never_be_met_are_refused():
    with pytest.raises(SettingsError, match="signature_history_size is only 10"):
        Monitor(task="edit", settings={"task_types": {"edit": {"loop_repeat_threshold": 40}}})


def test_a_session_goes_on_under_the_settings_it_is_loaded_with():
    """`headway.toml` may change while an agent works: its limits and sizes hold from the next event on."""
    monitor = Monitor(settings={"session": {"window_size": 40}, "global": {"max_cost_usd": 9.0}})
    for n in range(30):
        monitor.called("Read", {"file_path": f"{n}.py"}, call=str(n))
        monitor.returned(str(n), f"content {n}")
    changed = Settings.of(
        {"session": {"window_size": 20, "files": 5, "lines": 50}, "global": {"max_cost_usd": 1.0, "max_tokens": 7}}
    )
    loaded = Monitor.load(monitor.save(), settings=changed)
    loaded.called("Read", {"file_path": "last.py"}, call="last")
    loaded.returned("last", "content")

    session = loaded.session
    assert (1.0, 7) == (session.limits.max_cost_usd, session.limits.max_tokens)
    assert 20 == len(session.steps) == len(session.calls)
    assert 5 == len(session.files.records) and len(session.novelty.seen) <= 50
    assert "stop" == loaded.used(cost_usd=2.0).action


def test_without_new_settings_a_loaded_session_keeps_its_own():
    monitor = Monitor(task="edit", settings={"session": {"window_size": 40}, "global": {"max_tokens": 7}})
    loaded = Monitor.load(monitor.save())
    assert (monitor.session.limits, monitor.session.sizes) == (loaded.session.limits, loaded.session.sizes)


def test_an_event_that_is_refused_changes_nothing():
    monitor = Monitor()
    monitor.called("Read", {"file_path": "a.py"}, call="1")
    before = monitor.save()
    with pytest.raises(EventError, match="use one Monitor for each"):
        monitor.feed(events.UserSpoke(run="another", agent="sub", text="hello"))

    assert before == monitor.save()
    monitor.feed(events.UserSpoke(run="mine", text="hello"))
    assert "mine" == monitor.session.run


def test_a_round_that_builds_on_an_unknown_one_is_refused_and_names_no_run():
    monitor = Monitor()
    with pytest.raises(EventError, match="no such round"):
        monitor.feed(events.IterationEnded(run="another", based_on=7))
    assert "" == monitor.session.run


def test_a_detector_that_is_switched_off_refuses_nothing_any_more():
    monitor = Monitor()
    decisions(monitor, *[search("x", hits=1)] * 3)
    off = Settings.of({"detectors": {name: {"enabled": False} for name in ("exact_cycle", "known_answer")}})
    loaded = Monitor.load(monitor.save(), settings=off)
    assert {"continue"} == {str(decision.action) for decision in decisions(loaded, *[search("x", hits=1)] * 3)}


def test_a_detector_that_becomes_advisory_refuses_nothing_any_more():
    """The agent was told by it, and the next call would be refused."""
    others = {"known_answer": {"enabled": False}}
    monitor = Monitor(settings={"detectors": others})
    decisions(monitor, *[search("x", hits=1)] * 3)
    saved = monitor.save()
    assert "block" in {str(decision.action) for decision in decisions(monitor, search("x", hits=1))}

    advisory = Settings.of({"detectors": others | {"exact_cycle": {"advisory": True}}})
    loaded = Monitor.load(saved, settings=advisory)
    later = [str(decision.action) for decision in decisions(loaded, *[search("x", hits=1)] * 6)]
    assert {"continue", "nudge"} == set(later)


@pytest.mark.parametrize("odd", [float("nan"), float("inf"), -1e9])
def test_amounts_that_are_none_neither_count_nor_switch_a_limit_off(odd):
    monitor = Monitor(settings={"global": {"max_cost_usd": 1.0, "max_tokens": 1000}})
    monitor.used(cost_usd=odd, tokens_in=-(10**9), tokens_out=10**30, at=odd)
    assert (0, 0, 0.0) == (
        monitor.session.spending.tokens_in,
        monitor.session.spending.tokens_out,
        monitor.session.spending.cost_usd,
    )
    assert "stop" == monitor.used(cost_usd=5.0).action
    assert "stop" == monitor.called("Read", {}, call="1").action
    monitor.save()
