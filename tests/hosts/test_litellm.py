"""LiteLLM under watch, with models of its own kind of provider, and its real proxy."""

import asyncio
import os

import pytest

os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"  # no look at the newest prices in the net
pytest.importorskip("litellm", reason="litellm is not installed here; `make test-frameworks` runs this")

import litellm
from with_litellm import Headway
from with_litellm import run as run_example

import headway
from headway.hosts.frameworks.litellm import RunStopped, _warn
from headway.hosts.stores.sqlite import SQLiteStore
from tests.hosts.said import NUDGE, SEEN
from tests.hosts.said import STOP as STOP_AT_3

RESULT = "a.py b.py"
STOP = STOP_AT_3.replace("3 times", "5 times")  # no call can be refused before it has run


class Scripted(litellm.CustomLLM):
    """Says what the script says, and keeps what it was sent."""

    def __init__(self, *turns):
        super().__init__()
        self.turns, self.asked = list(turns), []

    def completion(self, messages, model_response, **rest):
        self.asked.append([{**(one if isinstance(one, dict) else one.model_dump())} for one in messages])
        turn = self.turns.pop(0)
        message = {"role": "assistant", "content": turn} if isinstance(turn, str) else turn
        usage = {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110}
        return litellm.ModelResponse(model="gpt-4o-mini", choices=[{"message": message}], usage=usage)

    async def acompletion(self, **options):
        return self.completion(**options)


def calls(*commands, id="c"):
    asked = [
        {
            "id": f"{id}-{n}",
            "type": "function",
            "function": {"name": "bash", "arguments": '{"command": "%s"}' % command},
        }
        for n, command in enumerate(commands)
    ]
    return {"role": "assistant", "content": None, "tool_calls": asked}


def loop(times, id="c"):
    return [*(calls("ls", id=f"{id}{n}") for n in range(times)), "done"]


@pytest.fixture
def watched(monkeypatch):
    """Register a Headway and a script; tell both."""

    def register(*turns, **options):
        litellm.logging_callback_manager._reset_all_callbacks()
        watch, model = Headway(**options), Scripted(*turns)
        monkeypatch.setattr(litellm, "callbacks", [watch])
        litellm.custom_provider_map = [{"provider": "scripted", "custom_handler": model}]
        litellm.utils.custom_llm_setup()
        return watch, model

    return register


def run(question="go", **options):
    return asyncio.run(run_example("scripted/m", question, **options))


def results(model):
    return [one["content"] for one in model.asked[-1] if one["role"] == "tool"]


def test_a_looping_agent_is_told_in_its_next_request(watched):
    _, model = watched(*loop(3))
    assert "done" == run()
    assert [RESULT, RESULT, f"{RESULT}\n\n{NUDGE}"] == results(model)


def test_a_stubborn_agent_is_stopped_with_the_reason(watched):
    _, model = watched(*loop(50))
    with pytest.raises(RunStopped, match="Stopped by Headway") as stopped:
        run()
    assert STOP in str(stopped.value) and "exact_cycle" == stopped.value.decision.reason
    assert isinstance(stopped.value, headway.RunStopped) and isinstance(stopped.value, litellm.BadRequestError)
    assert 5 == len(model.asked)


def test_a_healthy_agent_is_left_alone_to_the_byte(watched, monkeypatch):
    script = [calls("ls", "pwd", id="a"), calls("ls src", id="b"), "done"]
    _, model = watched(*script)
    assert "done" == run()
    alone, model.asked, model.turns = model.asked, [], script
    monkeypatch.setattr(litellm, "callbacks", [])
    assert "done" == run()
    assert model.asked == alone


def test_equal_calls_in_one_parallel_batch_are_no_loop(watched):
    _, model = watched(calls(*["ls"] * 6), "done")
    assert "done" == run()
    assert [RESULT] * 6 == results(model)


def synchronous(watch, question="go"):
    """The loop of the example, not async."""
    messages = [{"role": "user", "content": question}]
    while True:
        answer = watch.completion("scripted/m", messages).choices[0].message
        messages.append(answer)
        if not answer.tool_calls:
            return answer.content
        messages += [{"role": "tool", "tool_call_id": call.id, "content": RESULT} for call in answer.tool_calls]


def test_a_program_that_is_not_async_calls_our_method(watched, caplog):
    _warn.cache_clear()
    caplog.set_level("WARNING", "headway")
    watch, model = watched(*loop(50))
    with pytest.raises(RunStopped, match="exact_cycle"):
        synchronous(watch)
    assert 5 == len(model.asked) and NUDGE in model.asked[3][-1]["content"]
    assert not [record for record in caplog.records if record.name == "headway"]


def test_a_call_that_cannot_be_watched_is_named_in_the_log(watched, caplog):
    watch, _ = watched()
    _warn.cache_clear()
    watch.log_success_event({"call_type": "completion", "litellm_call_id": "x"}, None, None, None)
    assert ["call the method `completion` of Headway" in record.message for record in caplog.records] == [True]


def test_messages_without_a_name_are_named_in_the_log(watched, caplog):
    _warn.cache_clear()
    watched("done")
    asyncio.run(litellm.acompletion("scripted/m", [{"role": "user", "content": "go"}]))
    assert ["write messages=…" in record.message for record in caplog.records if record.name == "headway"] == [True]


def test_a_new_message_of_the_user_lets_a_stopped_run_go_on(watched):
    async def main():
        messages = [{"role": "user", "content": "go"}]
        for n in range(5):
            messages += [calls("ls", id=f"c{n}"), {"role": "tool", "tool_call_id": f"c{n}-0", "content": RESULT}]
            try:
                await litellm.acompletion(model="scripted/m", messages=messages)
            except RunStopped:
                reached.append(n)
        messages.append({"role": "user", "content": "go on"})
        return await litellm.acompletion(model="scripted/m", messages=messages)

    reached = []
    watched(*["answer"] * 9)
    assert "answer" == asyncio.run(main()).choices[0].message.content
    assert [4] == reached


def test_equal_beginnings_are_different_conversations(watched):
    """Two users say the same; each calls `ls` twice."""
    watch, model = watched(*loop(2, id="a"), *loop(2, id="b"))
    assert ["done", "done"] == [run(), run()]
    assert [RESULT] * 2 == results(model)
    assert 2 == len(watch.conversations)


@pytest.mark.parametrize("names", [("a", "b"), (None, None)], ids=["named users", "nothing tells them apart"])
def test_what_one_user_has_used_is_not_counted_against_another(watched, names):
    """Both say the same at the same time. A request is 110 tokens."""

    async def ask(messages, name):
        answer = await litellm.acompletion(model="slow/m", messages=messages, **({"user": name} if name else {}))
        call = answer.choices[0].message
        return [*messages, call, {"role": "tool", "tool_call_id": call.tool_calls[0].id, "content": RESULT}]

    async def main():
        ours, theirs = [[{"role": "user", "content": "go"}]] * 2
        for _ in range(3):
            ours, theirs = await asyncio.gather(ask(ours, names[0]), ask(theirs, names[1]))

    class Slow(Scripted):
        async def acompletion(self, **options):
            await asyncio.sleep(0.02)
            return self.completion(**options)

    watch, _ = watched(max_tokens=400)
    model = Slow(*(calls(f"ls {n}", id=f"c{n}") for n in range(6)))
    litellm.custom_provider_map = [{"provider": "slow", "custom_handler": model}]
    litellm.utils.custom_llm_setup()
    asyncio.run(main())
    used = [one.monitor.session.spending.tokens for one in watch.conversations._known.values()]
    assert 6 * 110 == sum(used) and 3 * 110 == max(used)


def test_an_attempt_that_failed_is_made_again_in_the_same_conversation(watched):
    async def main():
        messages = [{"role": "user", "content": "go"}]
        for n in range(9):
            try:
                answer = await litellm.acompletion(model="scripted/m", messages=messages)
            except litellm.APIConnectionError:
                answer = await litellm.acompletion(model="scripted/m", messages=messages)
            messages += [answer.choices[0].message, {"role": "tool", "tool_call_id": f"c{n}-0", "content": RESULT}]

    _, model = watched(calls("ls 0", id="c0"), 5, calls("ls 1", id="c1"), 5, calls("ls 2", id="c2"), max_tokens=400)
    with pytest.raises(RunStopped, match="spend"):
        asyncio.run(main())
    assert [] == model.turns


def test_a_session_has_its_name_and_survives_a_summary(watched):
    async def main(metadata):
        messages = [{"role": "user", "content": "go"}]
        for n in range(20):
            answer = await litellm.acompletion(model="scripted/m", messages=messages, metadata=metadata)
            messages += [answer.choices[0].message, {"role": "tool", "tool_call_id": f"c{n}-0", "content": RESULT}]
            if n % 2:
                messages = [{"role": "user", "content": f"Summary {n}"}, *messages[-2:]]

    watch, model = watched(*loop(20))
    with pytest.raises(RunStopped, match="exact_cycle"):
        asyncio.run(main({"session_id": "s-7", "agent": "lister"}))
    assert 5 == len(model.asked)
    assert ("s-7", "lister") in watch.conversations


def test_what_the_model_used_counts_against_the_limits(watched):
    for limits in ({"max_tokens": 250}, {"max_cost_usd": 0.00005}):  # a request is 110 tokens and 0.000021 dollars
        watch, model = watched(*(calls(f"ls {n}", id=f"c{n}") for n in range(9)), **limits)
        with pytest.raises(RunStopped, match="spend"):
            run()
        assert len(model.asked) <= 3
        known = [one.monitor.session.spending.tokens for one in watch.conversations._known.values()]
        assert [len(model.asked) * 110] == known


def test_a_streamed_request_is_counted_when_litellm_logs_it(watched):
    async def main():
        messages = [{"role": "user", "content": "go"}]
        stream = await litellm.acompletion(model="gpt-4o-mini", messages=messages, mock_response="hello", stream=True)
        said = "".join([chunk.choices[0].delta.content or "" async for chunk in stream])
        for _ in range(100):
            if next(iter(watch.conversations._known.values())).monitor.session.spending.tokens:
                break
            await asyncio.sleep(0.05)
        return said

    watch, _ = watched()
    assert "hello" == asyncio.run(main())
    assert next(iter(watch.conversations._known.values())).monitor.session.spending.tokens > 0


def test_a_router_does_not_repeat_a_stopped_request(watched):
    async def main():
        models = [{"model_name": "m", "litellm_params": {"model": "scripted/m"}}]
        router = litellm.Router(model_list=models, num_retries=3)
        messages = [{"role": "user", "content": "go"}]
        while (answer := (await router.acompletion(model="m", messages=messages)).choices[0].message).tool_calls:
            messages.append(answer.model_dump())
            messages += [{"role": "tool", "tool_call_id": one.id, "content": RESULT} for one in answer.tool_calls]

    decisions = []
    _, model = watched(*loop(50), on_decision=lambda decision, *_: decisions.append(str(decision.action)))
    with pytest.raises(litellm.BadRequestError, match="Stopped by Headway"):
        asyncio.run(main())
    assert 5 == len(model.asked)
    assert ["nudge", "block", "block", "stop"] == decisions


def test_two_processes_decide_like_one(watched, tmp_path):
    """The second has the history from the request, and what was decided from the store."""
    _, model = watched(*loop(3), store=SQLiteStore(tmp_path / "a.db"))
    assert "done" == run(metadata={"session_id": "s"})
    history = [{**one, "content": RESULT} if one["role"] == "tool" else one for one in model.asked[-1]]
    _, model = watched("again", "again", store=SQLiteStore(tmp_path / "a.db"))

    async def main():
        await litellm.acompletion(model="scripted/m", messages=history, metadata={"session_id": "s"})
        for n in range(7, 9):
            history.extend([calls("ls", id=f"c{n}"), {"role": "tool", "tool_call_id": f"c{n}-0", "content": RESULT}])
            await litellm.acompletion(model="scripted/m", messages=history, metadata={"session_id": "s"})

    with pytest.raises(RunStopped, match="exact_cycle"):
        asyncio.run(main())
    assert NUDGE not in str(model.asked)


def test_the_proxy_answers_with_the_reason(watched):
    testclient = pytest.importorskip("fastapi.testclient", reason="the proxy of LiteLLM is not installed here")
    from litellm.proxy import proxy_server

    watch, model = watched(*loop(50))
    models = [{"model_name": "m", "litellm_params": {"model": "scripted/m"}}]
    proxy_server.llm_router = litellm.Router(model_list=models)
    messages = [{"role": "user", "content": "go"}]
    client = testclient.TestClient(proxy_server.app)
    for _ in range(9):
        reply = client.post("/v1/chat/completions", json={"model": "m", "messages": messages})
        assert 200 == reply.status_code, reply.text
        answer = reply.json()["choices"][0]["message"]
        messages.append(answer)
        if not answer.get("tool_calls"):
            break
        messages += [{"role": "tool", "tool_call_id": one["id"], "content": RESULT} for one in answer["tool_calls"]]
    assert STOP == answer["content"]
    assert 5 == len(model.asked) and 1 == model.asked[3][-1]["content"].count(SEEN)
    known = [one.monitor.session.spending.tokens for one in watch.conversations._known.values()]
    assert [5 * 110] == known
