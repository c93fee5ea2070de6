"""Loops written by hand."""

import asyncio
import time
from concurrent.futures import ThreadPoolExecutor
from itertools import cycle
from threading import Barrier

import pytest
from with_guard import bash, run

from headway import RunStopped, SettingsError, guard
from headway.hosts.frameworks.overlap import PAUSE
from tests.hosts.said import NUDGE, REFUSAL, STOP


def repeat(tool):
    return [tool(command="ls") for _ in range(20)]


def test_a_nudge_is_added_to_the_result_and_the_block_ends_with_the_run():
    said = []
    with guard() as watch:
        tool = watch(bash)
        for _ in range(20):
            said.append(tool("ls"))
        pytest.fail("the run should have ended")
    assert ["a.py b.py"] * 2 + [f"a.py b.py\n\n{NUDGE}", REFUSAL, REFUSAL] == said
    assert "exact_cycle" == watch.stopped.reason and STOP == watch.last_words


def test_a_loop_written_by_hand_ends_with_the_reason():
    asked = []

    def stubborn(messages):
        asked.append(messages[-1])
        return "bash", {"command": "ls"}

    messages = run(stubborn, "go")
    assert ["go", "a.py b.py", "a.py b.py", f"a.py b.py\n\n{NUDGE}", REFUSAL, REFUSAL, STOP] == messages
    assert messages[:-1] == asked, "the nudge was in the model's next input"


def test_a_loop_written_by_hand_that_is_healthy_is_left_alone():
    answers = iter([("bash", {"command": "ls"}), ("bash", {"command": "ls src"}), "done"])
    assert ["go", "a.py b.py", "a.py b.py", "done"] == run(lambda messages: next(answers), "go")


def test_without_the_block_the_stop_is_an_exception_that_explains_itself():
    tool = guard()(bash)
    with pytest.raises(RunStopped, match="The command `ls` gave the same result 3 times") as caught:
        repeat(tool)
    assert "exact_cycle" == caught.value.decision.reason


def test_the_block_lets_every_other_exception_through():
    watch = guard()

    @watch
    def broken(path):
        raise FileNotFoundError(path)

    with pytest.raises(FileNotFoundError), watch:
        broken("a.py")
    assert 1 == watch.monitor.session.error_count
    other = guard()
    with pytest.raises(RunStopped), guard():
        repeat(other(bash))


def test_coroutines_are_watched_alike():
    async def main():
        async with guard() as watch:

            @watch
            async def bash(command):
                await asyncio.sleep(0)
                return "a.py b.py"

            for _ in range(20):
                said.append(await bash("ls"))
        return watch

    said = []
    assert "exact_cycle" == asyncio.run(main()).stopped.reason
    assert [f"a.py b.py\n\n{NUDGE}", REFUSAL, REFUSAL] == said[2:]


def test_streams_are_watched_alike():
    with guard() as watch:

        @watch
        def bash(command):
            yield "a.py "
            yield "b.py"

        said = ["".join(bash("ls")) for _ in range(5)]
    assert ["a.py b.py"] * 2 + [f"a.py b.py\n\n{NUDGE}", REFUSAL, REFUSAL] == said


def test_streams_of_tasks_are_watched_alike():
    async def main():
        watch = guard()

        @watch
        async def bash(command):
            yield "a.py "
            yield "b.py"

        return ["".join([piece async for piece in bash("ls")]) for _ in range(4)]

    assert ["a.py b.py"] * 2 + [f"a.py b.py\n\n{NUDGE}", REFUSAL] == asyncio.run(main())


def test_a_result_that_is_no_text_is_not_touched_and_the_nudge_waits():
    watch = guard()
    tool = watch(lambda command: {"files": 2})
    assert [{"files": 2}] * 3 == [tool("ls") for _ in range(3)]
    assert "gave the same result 3 times" in watch.before_model()


def test_a_call_can_be_watched_where_there_is_no_function():
    watch = guard()
    answers = []
    for _ in range(4):
        with watch.call("bash", {"command": "ls"}) as call:
            call.output = call.refusal or "a.py b.py"
        answers.append(call.answer)
    assert [f"a.py b.py\n\n{NUDGE}", REFUSAL] == answers[2:]


def test_healthy_work_is_left_alone():
    watch = guard()

    @watch
    def read(path):
        """Read a file."""
        return f"the text of {path}"

    assert [f"the text of {n}.py" for n in range(20)] == [read(f"{n}.py") for n in range(20)]
    assert ("read", "Read a file.", None) == (read.__name__, read.__doc__, watch.stopped)


def test_arguments_have_their_names_and_self_is_none_of_them():
    watch = guard()

    class Tools:
        @watch
        def read(self, path, *more, limit=10):
            return path

    Tools().read("a.py", 1, 2, limit=5)
    assert {"path": "a.py", "args": [1, 2], "limit": 5} == watch.monitor.session.calls[-1].params


def test_calls_that_overlap_in_threads_are_one_batch():
    watch, together = guard(), Barrier(6)

    @watch
    def bash(command):
        together.wait(timeout=120)
        return "a.py b.py"

    with ThreadPoolExecutor(6) as pool:
        said = list(pool.map(bash, ["ls"] * 6))
    assert ["a.py b.py"] * 6 == said


def test_calls_that_overlap_in_tasks_are_one_batch():
    watch = guard()

    @watch
    async def bash(command):
        await asyncio.sleep(0.01)
        return "a.py b.py"

    async def main():
        return await asyncio.gather(*(bash("ls") for _ in range(6)))

    assert ["a.py b.py"] * 6 == asyncio.run(main())


SECONDS = (0.02, 0.001, 0.05, 0.02, 0.004)
"""How long calls take: some much longer than others."""


@pytest.mark.parametrize("seconds", [(0.02,), SECONDS], ids=["equally long", "of all lengths"])
def test_equal_calls_in_a_pool_are_not_taken_for_a_loop(seconds):
    """With 4 workers the calls run in parts, and for a moment no call may be open between two parts."""
    watch, naps = guard(), cycle(seconds)

    @watch
    def fetch(address):
        time.sleep(next(naps))
        return "the page"

    with ThreadPoolExecutor(4) as pool:
        said = list(pool.map(fetch, ["example.com"] * 20))
    assert watch.stopped is None and all(one.startswith("the page") for one in said)
    assert not watch.monitor.session.has_pattern("exact_cycle") and "in a row" not in "".join(said)


@pytest.mark.parametrize("seconds", [(0.02,), SECONDS], ids=["equally long", "of all lengths"])
@pytest.mark.parametrize("at_once", [20, 4])
def test_equal_calls_in_tasks_are_not_taken_for_a_loop(seconds, at_once):
    watch, naps = guard(), cycle(seconds)

    @watch
    async def fetch(address):
        await asyncio.sleep(next(naps))
        return "the page"

    async def main():
        free = asyncio.Semaphore(at_once)

        async def one():
            async with free:
                return await fetch("example.com")

        return await asyncio.gather(*(one() for _ in range(20)))

    said = asyncio.run(main())
    assert watch.stopped is None and all(one.startswith("the page") for one in said)
    assert not watch.monitor.session.has_pattern("exact_cycle") and "in a row" not in "".join(said)


def test_batches_that_a_model_asks_for_again_and_again_are_a_loop():
    watch = guard()

    @watch
    def fetch(address):
        time.sleep(0.01)
        return "the page"

    said = []
    with watch, ThreadPoolExecutor(4) as pool:
        for _ in range(6):
            said += pool.map(fetch, ["example.com"] * 4)
            time.sleep(1.5 * PAUSE)  # as long as a quick model takes
    assert "exact_cycle" == watch.stopped.reason and "3 times in a row" in "".join(said)


def test_a_call_that_never_ends_does_not_hide_a_loop_for_long():
    said = []

    async def main():
        with guard() as watch:

            @watch
            async def bash(command):
                await asyncio.sleep(60 if command == "hangs" else 0)
                return "a.py b.py"

            hanging = asyncio.ensure_future(bash("hangs"))
            await asyncio.sleep(0)
            try:
                while len(said) < 20:
                    said.append(await bash("ls"))
            finally:
                hanging.cancel()
        return watch.stopped

    assert "exact_cycle" == asyncio.run(main()).reason
    assert (8, REFUSAL) == (len(said), said[-1])


class MuteError(Exception):
    """An error that cannot tell what it is about."""

    def __str__(self):
        raise RuntimeError("no words")


def test_an_error_without_words_reaches_the_caller_as_it_is():
    watch = guard()

    @watch
    def bash(command):
        raise MuteError

    with pytest.raises(MuteError):
        bash("ls")
    assert "MuteError: <MuteError>" == watch.monitor.session.steps[-1].message


def test_pieces_without_words_pass():
    @guard()
    def stream():
        yield MuteError()
        yield MuteError()

    assert [MuteError, MuteError] == [type(piece) for piece in stream()]


def test_a_cancelled_task_is_no_failure_of_the_tool():
    watch = guard()

    @watch
    async def bash(command):
        await asyncio.sleep(60)

    async def main():
        await asyncio.wait_for(bash("sleep"), 0.01)

    with pytest.raises(TimeoutError):
        asyncio.run(main())
    assert (0, 0) == (watch.monitor.session.step_count, len(watch._overlap._open))


def test_the_spending_counts_and_its_limit_holds_until_it_is_raised():
    watch = guard(settings={"global": {"max_tokens": 100}})
    watch.used(tokens_in=90, tokens_out=20)
    for _ in range(2):
        with pytest.raises(RunStopped, match="The token budget is used up: 110 tokens used, limit 100 tokens"):
            watch(bash)("ls")
        watch.user_spoke("go on")


def test_the_users_word_ends_a_stop():
    watch = guard()
    with pytest.raises(RunStopped):
        [watch(bash)("ls") for _ in range(9)]
    watch.user_spoke("go on")
    assert "a.py b.py" == watch(bash)("ls")


class Page:
    """An object that says nothing about itself."""


@pytest.mark.parametrize(
    "result", [Page, lambda: [Page()], lambda: {"page": Page()}, lambda: iter("ab"), lambda: map(str, "ab")]
)
def test_a_result_that_cannot_be_compared_is_never_the_same(result):
    watch = guard()
    tool = watch(lambda command: result())
    for _ in range(20):
        assert type(result()) is type(tool("ls"))
    assert watch.advice() is None and 20 == watch.monitor.session.step_count


def spread(values):
    """A tool around another one, as a plain function: its results come later."""
    values = iter(values)

    async def fetch(command):
        return next(values)

    return lambda command: fetch(command)


def test_a_function_that_returns_an_awaitable_is_judged_by_what_comes_of_it():
    async def main():
        tool, healthy = watch(spread(["a.py b.py"] * 20)), guard()(spread(range(20)))
        assert list(range(20)) == [await healthy("ls") for _ in range(20)]
        return [await tool("ls") for _ in range(5)]

    watch = guard()
    assert ["a.py b.py"] * 2 + [f"a.py b.py\n\n{NUDGE_OF_FUNCTION}", *[REFUSAL_OF_FUNCTION] * 2] == asyncio.run(main())


NUDGE_OF_FUNCTION = NUDGE.replace("The command `ls`", "The same <lambda> call")
REFUSAL_OF_FUNCTION = REFUSAL.replace("The command `ls`", "The same <lambda> call")


def test_a_function_that_returns_a_future_is_judged_by_what_comes_of_it_and_refused_with_a_future():
    async def main():
        async def ls():
            return "a.py b.py"

        tool = watch(lambda command: asyncio.ensure_future(ls()))
        return [await tool("ls") for _ in range(4)]

    watch = guard()
    assert ["a.py b.py"] * 3 + [REFUSAL_OF_FUNCTION] == asyncio.run(main())
    with ThreadPoolExecutor(1) as pool:
        tool = guard()(lambda command: pool.submit(lambda: "a.py b.py"))
        assert ["a.py b.py"] * 3 + [REFUSAL_OF_FUNCTION] == [tool("ls").result(10) for _ in range(4)]


def test_a_future_that_fails_or_is_cancelled_still_does():
    async def main():
        loop = asyncio.get_running_loop()
        failing, cancelled = loop.create_future(), loop.create_future()
        failing.set_exception(OSError("the disk is full"))
        cancelled.cancel()
        with pytest.raises(OSError, match="disk"):
            await watch(lambda: failing)()
        with pytest.raises(asyncio.CancelledError):
            await watch(lambda: cancelled)()

    watch = guard()
    asyncio.run(main())
    assert (1, 0) == (watch.monitor.session.error_count, len(watch._overlap._open))


def test_a_function_that_returns_a_stream_is_judged_by_its_pieces():
    watch, told = guard(), guard()
    tool = watch(lambda command: (piece for piece in ["a.py ", "b.py"]))
    said = ["".join(tool("ls")) for _ in range(4)]
    assert ["a.py b.py"] * 2 + [f"a.py b.py\n\n{NUDGE_OF_FUNCTION}", REFUSAL_OF_FUNCTION] == said

    async def pieces():
        yield "a.py b.py"

    async def main():
        tool = told(lambda command: pieces())
        return ["".join([piece async for piece in tool("ls")]) for _ in range(4)]

    assert said == asyncio.run(main())


def test_what_is_sent_to_a_stream_reaches_it_and_its_return_value_comes_back():
    heard = []

    def talk():
        try:
            heard.append((yield "one"))
            heard.append((yield "two"))
        except KeyError as error:
            heard.append(repr(error))
            yield "caught"
        return "the end"

    def whole(make, thrown=None):
        stream = make()
        pieces = [next(stream), stream.send(1)]
        if thrown:
            pieces.append(stream.throw(thrown))
        with pytest.raises(StopIteration) as ended:
            stream.send(2)
        return pieces, ended.value.value

    for thrown in (None, KeyError("x")):
        plain, heard[:] = (whole(talk, thrown), [*heard]), []
        assert plain == (whole(guard()(talk), thrown), [*heard])
        heard.clear()


def test_what_is_sent_to_a_stream_of_tasks_reaches_it():
    async def echo():
        sent = yield "ready"
        while True:
            try:
                sent = yield sent
            except KeyError:
                sent = yield "caught"

    async def main(make):
        stream = make()
        said = [await anext(stream), await stream.asend(1), await stream.athrow(KeyError("x")), await stream.asend(2)]
        await stream.aclose()
        return said

    assert ["ready", 1, "caught", 2] == asyncio.run(main(echo)) == asyncio.run(main(guard()(echo)))


def test_a_stop_that_is_caught_is_the_answer_to_every_further_call():
    watch, answers = guard(), []
    tool = watch(bash)
    while not watch.stopped:
        try:
            answers.append(tool("ls"))
        except Exception as error:
            answers.append(str(error))
    assert [REFUSAL, STOP] == answers[-2:] and 6 == len(answers)
    assert [STOP, STOP] == [tool("ls"), tool("pwd")], "and nothing was run"
    watch.user_spoke("go on")
    with pytest.raises(RunStopped):
        repeat(tool)


def test_a_stop_in_a_task_group_is_caught_and_the_rest_of_the_group_is_raised():
    async def main(*others):
        async with guard() as watch:
            tool = watch(bash)

            async def use():
                for _ in range(20):
                    tool("ls")

            async with asyncio.TaskGroup() as group:
                group.create_task(use())
                for other in others:
                    group.create_task(other())
        return watch

    async def broken():
        raise OSError("the disk is full")

    assert "exact_cycle" == asyncio.run(main()).stopped.reason
    with pytest.raises(ExceptionGroup) as caught:
        asyncio.run(main(broken))
    assert [OSError] == [type(one) for one in caught.value.exceptions]


@pytest.mark.parametrize("limit", ["max_tokens", "max_cost_usd", "max_seconds"])
def test_a_limit_that_is_no_number_is_refused_by_name(limit):
    with pytest.raises(SettingsError, match=f"{limit} must be a number, not '100'"):
        guard(**{limit: "100"})


def test_what_cannot_be_called_is_refused_with_what_to_use_instead():
    with pytest.raises(TypeError, match=r"not 'bash'; without one, use `with watch\.call"):
        guard()("bash")


@pytest.mark.parametrize("name", ["save", "note", "write_note", "append_file", "send_message", "log_progress"])
@pytest.mark.parametrize("text", ["nothing found", "nothing found, try {}"])
def test_notes_between_equal_searches_do_not_hide_that_they_are_equal(name, text):
    """The first program that somebody writes: a search and a place to keep words in."""

    def search(query):
        return "0 hits"

    def keep(text):
        return "saved"

    keep.__name__ = name
    answers = []
    with guard() as watch:
        search, keep = watch(search), watch(keep)
        for number in range(60):
            answers.append(search(query="refunds"))
            answers.append(keep(text=text.format(number)))
    said = next(n for n, answer in enumerate(answers, 1) if answer not in ("0 hits", "saved"))
    assert said <= (24 if "{}" in text else 12)
