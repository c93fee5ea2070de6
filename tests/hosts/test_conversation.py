"""What all adapters share."""

import logging
from threading import Thread

import pytest

from headway import Decision, Detector, SettingsError, guard
from headway.core.detector import state
from headway.hosts import as_arguments
from headway.hosts.frameworks import conversations as module
from headway.hosts.frameworks.conversation import Conversation, Question, as_text
from headway.hosts.frameworks.conversations import Conversations
from headway.hosts.frameworks.pricing import _warn
from tests.hosts.said import NUDGE, REFUSAL, SEEN, STOP


def run(conversation, tool="bash", times=1, output="a.py b.py"):
    """Let an agent ask for the same call, and run it where it may."""
    answers = []
    for n in range(times):
        conversation.before_model()
        refusal = conversation.called(tool, {"command": "ls"}, f"c{n}")
        if refusal is None:
            conversation.returned(f"c{n}", output)
        answers.append(refusal)
    return answers


def test_a_repeat_is_told_then_refused_then_the_run_is_over():
    conversation = Conversation()
    assert [None] * 3 == run(conversation, times=3)
    assert NUDGE == conversation.before_model()
    assert conversation.before_model() is None, "said once"
    assert [REFUSAL, REFUSAL, STOP, STOP] == run(conversation, times=4)
    assert "exact_cycle" == conversation.stopped.reason


def test_the_user_begins_a_new_turn_after_a_stop():
    conversation = Conversation()
    run(conversation, times=9)
    conversation.user_spoke("try something else")
    assert conversation.stopped is None and conversation.advice() is None
    assert [None] == run(conversation)


def test_the_result_of_a_refused_call_is_not_news():
    """Some frameworks report our own refusal back to us."""
    conversation = Conversation()
    run(conversation, times=3)
    refusal = conversation.called("bash", {"command": "ls"}, "again")
    conversation.returned("again", refusal)
    assert 3 == conversation.monitor.session.step_count


def test_calls_between_two_model_requests_are_one_batch():
    conversation = Conversation()
    conversation.before_model()
    for n in range(8):
        assert conversation.called("bash", {"command": "ls"}, f"c{n}") is None
    for n in range(8):
        conversation.returned(f"c{n}", "a.py b.py")
    assert conversation.before_model() is None


def test_a_call_that_is_requested_together_with_a_change_before_it_runs():
    conversation = Conversation()
    run(conversation, times=3)
    conversation.before_model()
    assert conversation.called("bash", {"command": "python fix.py"}, "change") is None
    assert conversation.called("bash", {"command": "ls"}, "together") is None
    conversation.returned("change", "python: can't open file 'fix.py'", failed=True)
    conversation.before_model()
    assert REFUSAL == conversation.called("bash", {"command": "ls"}, "later")


def test_decisions_are_told_to_who_asked_for_them():
    told = []
    run(Conversation(on_decision=told.append), times=6)
    assert ["nudge", "block", "block", "stop"] == [decision.action for decision in told]
    assert all(isinstance(decision, Decision) for decision in told)


def test_a_fault_of_ours_is_logged_and_nothing_else(caplog):
    def broken(decision):
        raise RuntimeError("the pager is off")

    conversation = Conversation(on_decision=broken)
    with caplog.at_level(logging.ERROR, "headway"):
        assert [None] * 3 == run(conversation, times=3)
        assert conversation.called("bash", {"command": "ls"}, call=object()) is None
    assert "the pager is off" in caplog.text
    assert NUDGE == conversation.advice(), "what was to be said is still said"


def test_a_wrong_setting_is_told_before_any_run():
    with pytest.raises(SettingsError, match="exact_cycle"):
        Conversations(settings={"detectors": {"exact_cycl": {"enabled": False}}})


def test_agents_and_conversations_are_kept_apart():
    known = Conversations()
    run(known.of("one", "main"), times=3)
    assert known.of("one", "main") is known.of("one", "main")
    assert known.of("one", "sub").advice() is None and known.of("two", "main").advice() is None
    assert NUDGE == known.of("one", "main").advice()


class Searches(Detector):
    """Counts the steps of a run."""

    seen: int = state(0)

    def on_step(self, step, session):
        self.seen += 1
        yield self.finding(f"{self.seen} steps", count=self.seen)


def test_a_detector_that_is_given_remembers_each_conversation_apart():
    conversations = Conversations(detectors=[Searches()])
    for name in ("alice", "bob"):
        conversation = conversations.of(name)
        for number in range(2):
            conversation.called("search", {"query": number}, str(number))
            conversation.returned(str(number), f"found {number}")
        assert 2 == conversation.monitor.session.ledger.entries["searches:"].finding.evidence["count"]


def test_the_number_of_conversations_is_bounded(monkeypatch):
    monkeypatch.setattr(module, "CONVERSATIONS", 3)
    known = Conversations()
    first = known.of(0)
    for n in range(1, 10):
        assert first is known.of(0), "who speaks is remembered"
        known.of(n)
    assert 3 == len(known)


def test_threads_get_the_same_conversation():
    known, found = Conversations(), []
    threads = [Thread(target=lambda: found.append(known.of("one"))) for _ in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert 1 == len(set(map(id, found)))


def test_usage_feeds_the_budget_and_nothing_used_is_no_event():
    conversation = Conversation(settings={"global": {"max_tokens": 100}})
    conversation.used(None, None)
    assert 0 == conversation.monitor.session.event_count
    conversation.used(90, 20)
    assert "spend" == conversation.stopped.reason
    assert "Stopped by Headway (spend)" in conversation.called("bash", {}, "c1")


def test_cached_tokens_that_a_framework_counts_apart_are_part_of_the_prompt():
    """Bedrock tells what came from a cache beside the input, not in it."""
    apart, together = Conversation(max_cost_usd=1.0), Conversation(max_cost_usd=1.0)
    apart.used(10, 5, model="claude-sonnet-4-5", cached=100_000, written=1_000)
    together.used(101_010, 5, model="claude-sonnet-4-5", cached=100_000, written=1_000)
    spending = apart.monitor.session.spending
    assert (101_010, 5) == (spending.tokens_in, spending.tokens_out)
    assert together.monitor.session.spending.known_usd == spending.known_usd > 0.03


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"a": 1}, {"a": 1}),
        ('{"a": 1}', {"a": 1}),
        ("ls -l", {"input": "ls -l"}),
        ("[1]", {"input": [1]}),
        (None, {}),
        (b'{"a": 1}', {"a": 1}),
        ('{"a": 1', {"input": '{"a": 1'}),
        ("[" * 100_000, {"input": "[" * 100_000}),
        ("", {"input": ""}),
        (7, {"input": 7}),
    ],
)
def test_arguments_are_a_mapping_whatever_the_host_hands_on(given, expected):
    assert expected == as_arguments(given)


def test_the_text_of_a_message_is_found_in_its_parts():
    assert "a\nb\nc" == as_text(
        ["a", {"type": "text", "text": "b"}, type("Part", (), {"text": "c"}), {"image": "…"}, None]
    )


def test_a_limit_holds_when_the_user_speaks_until_it_is_raised():
    conversation = Conversation(max_tokens=100)
    conversation.used(90, 20)
    conversation.user_spoke("go on")
    assert "spend" == conversation.stopped.reason


def test_limits_can_be_given_by_their_own_name():
    given = Conversation(max_tokens=7, max_seconds=60, settings={"global": {"max_cost_usd": 2}}).monitor.session.limits
    assert (7, 60, 2) == (given.max_tokens, given.max_seconds, given.max_cost_usd)
    with pytest.raises(SettingsError, match="max_tokens must be more than 0"):
        Conversation(max_tokens=0)


@pytest.mark.parametrize("make", [Conversation, Conversations, guard])
def test_an_option_that_does_not_exist_is_named_with_the_one_that_was_meant(make):
    with pytest.raises(TypeError, match=r"unknown option `max_token`: did you mean `max_tokens`\?"):
        make(max_token=1_000)
    with pytest.raises(TypeError, match="unknown option `zzz`: expected one of: detectors, max_cost_usd"):
        make(zzz=1)


def test_a_decision_is_told_with_its_conversation_and_agent():
    told = []
    known = Conversations(on_decision=lambda decision, conversation, agent: told.append((conversation, agent)))
    run(known.of("one", "main"), times=3)
    run(known.of(7, "sub", None), times=3)
    assert [("one", "main"), ("7", "sub")] == told


def test_money_is_counted_at_list_prices_where_only_tokens_are_reported(caplog):
    conversation = Conversation(max_cost_usd=1.0)
    conversation.used(100_000, 10_000, model="claude-sonnet-4-5")
    assert 0.45 == pytest.approx(conversation.monitor.session.spending.known_usd)
    conversation.used(100_000, 0, model="claude-sonnet-4-5", cached=100_000)
    assert 0.48 == pytest.approx(conversation.monitor.session.spending.known_usd), "what comes from a cache costs less"
    conversation.used(100_000, 10_000, 0.5, model="claude-sonnet-4-5")
    assert 0.98 == pytest.approx(conversation.monitor.session.spending.known_usd), "a cost that is reported counts"
    assert "spend" == conversation.stopped.reason and not caplog.text


def test_the_model_of_the_options_is_priced_and_without_a_limit_nothing_is():
    conversation, free = (
        Conversation(max_cost_usd=1.0, model="claude-sonnet-4-5"),
        Conversation(model="claude-sonnet-4-5"),
    )
    for one in (conversation, free):
        one.used(100_000, 10_000)
    assert (0.45, 0) == (conversation.monitor.session.spending.known_usd, free.monitor.session.spending.known_usd)


@pytest.mark.parametrize(("model", "said"), [("homemade-1", "'homemade-1' is not known"), (None, "does not say which")])
def test_a_limit_of_money_that_cannot_be_kept_is_said_once(caplog, model, said):
    _warn.cache_clear()
    for _ in range(3):
        Conversation(max_cost_usd=1.0).used(100, 10, model=model)
    assert 1 == caplog.text.count("max_cost_usd cannot be enforced") and said in caplog.text


def moded(mode, **settings):
    said = []
    return Conversation(settings={"policy": {"mode": mode}, **settings}, on_decision=said.append), said


@pytest.mark.parametrize("mode", ["observe", "nudge"])
def test_in_a_weaker_mode_nothing_is_refused_and_the_run_goes_on(mode):
    conversation, said = moded(mode)
    assert [None] * 3 == run(conversation, times=3)
    assert (NUDGE if mode == "nudge" else None) == conversation.before_model()
    assert [None] * 9 == run(conversation, times=9) and conversation.stopped is None
    assert {"nudge", "block", "stop"} == {str(one.action) for one in said}, "who asked for decisions gets all of them"


def test_in_place_of_a_stop_the_model_is_told_once_what_enforce_would_do():
    conversation, _ = moded("nudge")
    told = []
    for _ in range(12):
        run(conversation)
        told.append(conversation.advice() or "")
    assert 1 == sum("would stop this run here" in one for one in told)


@pytest.mark.parametrize(("mode", "held"), [("observe", False), ("nudge", True), ("enforce", True)])
def test_a_limit_of_the_users_holds_in_every_mode_but_observe(mode, held):
    conversation, _ = moded(mode, **{"global": {"max_cost_usd": 1.0}})
    conversation.used(cost_usd=2.0)
    assert held == (conversation.called("bash", {"command": "ls"}, "c1") is not None)


def asking(times):
    """A conversation in which a person can be asked, after a loop; and the answer to its last call."""
    conversation = Conversation(settings={"policy": {"attended": True}})
    for n in range(times):
        answer = conversation.called("bash", {"command": "ls"}, f"c{n}", can_ask=True)
        if answer is None:
            conversation.returned(f"c{n}", "a.py b.py")
    return conversation, answer


def test_a_person_is_asked_in_place_of_a_stop_where_that_is_possible():
    conversation, answer = asking(6)
    assert isinstance(answer, Question) and SEEN in answer and conversation.stopped is None
    assert answer == conversation.called("bash", {"command": "ls"}, "c5", can_ask=True), "asked again, the same"
    conversation.returned("c5", "waiting")
    assert 3 == conversation.monitor.session.step_count, "what was said in its place is no result"
    assert conversation.answered("c5", may_run=True) is None
    assert conversation.called("bash", {"command": "ls"}, "c6", can_ask=True) is None, "a new turn"


def test_a_no_ends_the_run_and_a_new_message_forgets_the_question():
    conversation, _ = asking(6)
    assert SEEN in conversation.answered("c5", may_run=False)
    assert "exact_cycle" == conversation.stopped.reason
    conversation, _ = asking(6)
    conversation.user_spoke("never mind")
    assert conversation.called("bash", {"command": "ls"}, "c5", can_ask=True) is None


def test_a_question_waits_for_the_next_call_and_a_limit_does_not():
    conversation = Conversation(settings={"policy": {"attended": True}, "global": {"max_tokens": 100}})
    conversation.called("bash", {"command": "ls"}, "c0", can_ask=True)
    conversation.used(90, 20)
    assert "spend" == conversation.stopped.reason


def test_what_a_machine_reports_lifts_no_stop():
    conversation = Conversation()
    run(conversation, times=9)
    conversation.user_spoke("Agent a3 is done: 4 files changed.", "news")
    assert "exact_cycle" == conversation.stopped.reason
