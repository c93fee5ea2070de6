"""weakincentives under watch, with an adapter of its own kind and a scripted model."""

import gc
from datetime import UTC, datetime, timedelta

import pytest

pytest.importorskip("weakincentives", reason="weakincentives is not installed here; `make test-frameworks` runs this")

from weakincentives import Deadline
from weakincentives.adapters import PromptEvaluationError, PromptResponse, ProviderAdapter
from weakincentives.adapters._shared import create_bridged_tools
from weakincentives.budget import Budget, TokenUsage
from weakincentives.clock import SYSTEM_CLOCK
from weakincentives.prompt import MarkdownSection, Prompt, PromptTemplate, Tool, ToolResult, collect_feedback
from weakincentives.runtime import Session
from weakincentives.runtime.events import PromptExecuted, PromptRendered, ToolInvoked
from with_weakincentives import Command, DoomLoopClassifier, bash, headway, prompt, run

from headway.hosts.frameworks.weakincentives import Headway, RunStopped
from tests.hosts.said import NUDGE, REFUSAL, STOP


class Scripted(ProviderAdapter):
    """Evaluates as the framework's adapters do, with its bridge for tools, its feedback and deadlines.

    A turn is a list of commands for `bash`, or the answer. What the model gets to see is kept in `seen`.
    """

    def __init__(self, *turns, native=False, raises=False):
        self.turns, self.native, self.raises, self.seen, self.deadline = list(turns), native, raises, [], None

    def evaluate(self, prompt, *, session, deadline=None, **options):
        self.deadline = deadline
        with prompt.resources:
            return self._evaluate(prompt, session)

    def _is_over(self):
        over = self.deadline is not None and self.deadline.remaining().total_seconds() <= 0
        if over and self.raises:
            raise PromptEvaluationError("Deadline exceeded", prompt_name="x", phase="response")
        return over

    def _evaluate(self, prompt, session):
        rendered, name = prompt.render(session=session), prompt.name or f"{prompt.ns}:{prompt.key}"
        now = {"adapter": "scripted", "session_id": session.session_id, "created_at": SYSTEM_CLOCK.utcnow()}
        names = {"prompt_ns": prompt.ns, "prompt_key": prompt.key, "prompt_name": prompt.name}
        session.dispatcher.dispatch(PromptRendered(**names, render_inputs=(), rendered_prompt=rendered.text, **now))
        self.seen.append(rendered.text)
        bridge = {"session": session, "adapter": self, "prompt": prompt, "rendered_prompt": rendered}
        tools = create_bridged_tools(rendered.tools, **bridge, deadline=None, budget_tracker=None)
        while not isinstance(turn := self.turns.pop(0), str):
            for command in turn:
                if self.native:
                    told = {"name": "Bash", "params": {"command": command}, "result": {"stdout": "a.py b.py"}}
                    session.dispatcher.dispatch(
                        ToolInvoked(prompt_name=name, rendered_output="a.py b.py", **told, **now)
                    )
                    self.seen.append("a.py b.py")
                else:
                    self.seen.append(tools[0]({"command": command})["content"][0]["text"])
                feedback = collect_feedback(prompt=prompt, session=session)
                self.seen.extend([feedback] if feedback else [])
            if self._is_over():
                turn = "so far"
                break
        response = PromptResponse(prompt_name=name, text=turn, output=None)
        usage = TokenUsage(input_tokens=100, output_tokens=10)
        session.dispatcher.dispatch(PromptExecuted(prompt_name=name, result=response, usage=usage, **now))
        return response


def looping(times, **options):
    return Scripted(*[["ls"]] * times, "done", **options)


def template(watch=None, handler=bash, key="lister"):
    tool = Tool[Command, None](name="bash", description="Run a command.", handler=handler)
    section = MarkdownSection(title="Task", template="List the files.", key="task", tools=[tool])
    watched = {"policies": [watch], "feedback_providers": [watch.feedback]} if watch else {}
    return Prompt(PromptTemplate(ns="example", key=key, sections=[section], **watched))


def evaluate(adapter, prompt, session):
    return adapter.evaluate(prompt, session=session)


def as_feedback(text):
    return f"<feedback provider='headway'>\n{text}\n</feedback>"


def test_a_looping_agent_is_told_after_the_result():
    model = looping(3)
    assert "done" == run(model, Session())
    assert ["a.py b.py"] * 3 + [as_feedback(NUDGE)] == model.seen[1:]


def test_a_stubborn_agent_is_refused_and_then_stopped_with_the_reason():
    model = looping(50)
    assert STOP == run(model, Session())
    assert [REFUSAL, REFUSAL, STOP, as_feedback(STOP)] == model.seen[5:]


@pytest.mark.parametrize(("raises", "answer"), [(False, "so far"), (True, None)])
def test_the_stop_is_one_the_framework_knows_and_loses_no_answer(raises, answer):
    watch = Headway()
    with pytest.raises(PromptEvaluationError) as caught:
        evaluate(watch.watch(looping(50, raises=raises)), template(watch), Session())
    assert isinstance(caught.value, RunStopped)
    assert ("exact_cycle", "tool") == (caught.value.decision.reason, caught.value.phase)
    assert answer == getattr(caught.value.response, "text", None)


def test_tools_of_the_provider_are_told_and_stopped_too():
    watch, model = Headway(), looping(50, native=True)
    with pytest.raises(RunStopped, match="exact_cycle"):
        evaluate(watch.watch(model), template(watch), Session())
    assert as_feedback(NUDGE.replace("bash", "Bash")) == model.seen[4]


def test_a_deadline_of_your_own_is_kept():
    soon = Deadline(expires_at=datetime.now(UTC) + timedelta(hours=1))
    for given in ({"deadline": soon}, {"budget": Budget(deadline=soon)}):
        watch, model = Headway(), looping(1)
        watch.watch(model).evaluate(template(watch), session=Session(), **given)
        assert (soon.expires_at, soon.started_at) == (model.deadline.expires_at, model.deadline.started_at)
        assert timedelta(minutes=59) < model.deadline.remaining() <= timedelta(hours=1)


def test_an_error_that_is_not_ours_passes_through():
    class Broken(ProviderAdapter):
        def evaluate(self, prompt, **options):
            raise PromptEvaluationError("no network", prompt_name="x", phase="request")

    watch = Headway()
    with pytest.raises(PromptEvaluationError, match="no network") as caught:
        evaluate(watch.watch(Broken()), template(watch), Session())
    assert not isinstance(caught.value, RunStopped)


def test_a_healthy_agent_is_left_alone_to_the_byte():
    def healthy():
        return Scripted(["ls", "pwd"], ["ls src"], "done")

    watched, alone = healthy(), healthy()
    assert "done" == run(watched, Session()) == evaluate(alone, template(), Session()).text
    assert alone.seen == watched.seen


def test_a_session_is_a_conversation_and_each_evaluation_a_turn():
    session, other = Session(), Session()
    assert [STOP, "done", "done"] == [run(looping(9), session), run(looping(2), session), run(looping(2), other)]
    turns = [headway.of(one, prompt()).monitor.session.user_turn_count for one in (session, other)]
    assert [2, 1] == turns


def test_prompts_that_share_a_session_are_kept_apart():
    watch, session = Headway(), Session()
    for n in range(5):
        assert "done" == evaluate(watch.watch(looping(1)), template(watch, key=f"sub{n}"), session).text
    assert 5 == len(watch.conversations)


def test_a_session_is_heard_once_and_forgotten_when_it_is_gone():
    watch, session = Headway(), Session()
    watch.subscribe(session)
    evaluate(watch.watch(looping(1)), template(watch), session)
    assert 1 == watch.of(session, template(watch)).monitor.session.step_count
    del session
    gc.collect()
    assert 0 == len(watch._subscribed)


def test_a_tool_that_fails_is_noted():
    def broken(params: Command, *, context) -> ToolResult[None]:
        return ToolResult.error("the disk is full")

    watch, session = Headway(), Session()
    evaluate(watch.watch(looping(1)), template(watch, broken), session)
    assert 1 == watch.of(session, template()).monitor.session.error_count


def test_what_the_model_used_counts_from_the_next_call_on():
    watch, session = Headway(settings={"global": {"max_tokens": 100}}), Session()
    assert "done" == evaluate(watch.watch(looping(1)), template(watch), session).text
    with pytest.raises(RunStopped, match="spend"):
        evaluate(watch.watch(looping(1)), template(watch), session)


def test_a_guidance_classifier_asks_the_trajectory():
    session, classifier = Session(), DoomLoopClassifier()
    run(Scripted(["ls", "pwd"], "done"), session)
    assert (False, 0.0, "") == classifier.classify(session, prompt())
    run(Scripted(*[["ls", "pwd"]] * 3, "done"), session)
    relevant, confidence, reason = classifier.classify(session, prompt())
    assert (True, "bash → bash, 3 times") == (relevant, reason) and confidence > 0.5
