"""Semantic Kernel under watch, with a scripted model of its own base class."""

import asyncio

import pytest

pytest.importorskip("semantic_kernel", reason="semantic-kernel is not installed here; `make test-frameworks` runs this")

import with_semantic_kernel
from semantic_kernel import Kernel
from semantic_kernel.connectors.ai.chat_completion_client_base import ChatCompletionClientBase
from semantic_kernel.contents import ChatHistory, ChatMessageContent, FunctionCallContent, TextContent
from with_semantic_kernel import Headway, Shell, run

from tests.hosts.said import NUDGE, REFUSAL, STOP

RESULT = "a.py b.py"


class Scripted(ChatCompletionClientBase):
    """Says what the script says, and keeps what it was asked."""

    SUPPORTS_FUNCTION_CALLING = True
    turns: list
    asked: list

    async def _inner_get_chat_message_contents(self, chat_history, settings):
        self.asked.append([message.model_copy(deep=True) for message in chat_history.messages])
        return [ChatMessageContent(role="assistant", items=self.turns.pop(0))]

    def _update_function_choice_settings_callback(self):
        return lambda *given, **named: None

    def _verify_function_choice_settings(self, settings):
        return


def calls(*commands, id="c"):
    return [
        FunctionCallContent(id=f"{id}-{n}", name="shell-bash", arguments='{"command": "%s"}' % command)
        for n, command in enumerate(commands)
    ]


DONE = [TextContent(text="done")]


def scripted(*turns):
    return Scripted(ai_model_id="scripted", turns=list(turns), asked=[])


def looping(times):
    return scripted(*(calls("ls", id=f"c{n}") for n in range(times)), DONE)


def ask(model, history=None):
    if history is None:
        history = ChatHistory()
        history.add_user_message("go")
    return asyncio.run(run(model, history))


def results(model):
    return [str(item.result) for message in model.asked[-1] for item in message.items if hasattr(item, "result")]


def test_a_looping_agent_is_told_in_its_next_request():
    model = looping(3)
    assert "done" == ask(model)
    assert [RESULT, RESULT, f"{RESULT}\n\n{NUDGE}"] == results(model)


def test_a_stubborn_agent_is_refused_and_then_stopped_with_the_reason():
    model = looping(49)
    assert STOP == ask(model)
    assert [REFUSAL, REFUSAL] == results(model)[3:]
    assert 6 == len(model.asked)


def test_a_healthy_agent_is_left_alone_to_the_byte(monkeypatch):
    def healthy():
        return scripted(calls("ls", "pwd", id="a"), calls("ls src", id="b"), DONE)

    def without_headway():
        kernel = Kernel()
        kernel.add_plugin(Shell(), "shell")
        return kernel

    watched, alone = healthy(), healthy()
    said = ask(watched)
    monkeypatch.setattr(with_semantic_kernel, "kernel", without_headway)
    assert said == ask(alone)
    assert [[one.to_dict() for one in asked] for asked in alone.asked] == [
        [one.to_dict() for one in asked] for asked in watched.asked
    ]


def test_equal_calls_in_one_parallel_batch_are_no_loop():
    model = scripted(calls(*["ls"] * 6), DONE)
    assert "done" == ask(model)
    assert [RESULT] * 6 == results(model)


def test_a_history_is_a_conversation_and_a_message_of_the_user_a_turn(monkeypatch):
    headway = Headway()
    kernel = Kernel()
    kernel.add_plugin(Shell(), "shell")
    kernel.add_filter("auto_function_invocation", headway)
    monkeypatch.setattr(with_semantic_kernel, "kernel", lambda: kernel)
    one, other = ChatHistory(), ChatHistory()
    for history in (one, one, other):
        history.add_user_message("go")
        assert "done" == ask(looping(2), history)
    assert [2, 1] == [known.monitor.session.user_turn_count for known in headway.conversations._known.values()]
