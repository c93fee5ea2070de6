"""Conversations whose state is kept in a store: several workers decide like one."""

import sqlite3
import subprocess
import sys
import zlib
from concurrent.futures import ThreadPoolExecutor

import pytest

from headway import guard
from headway.hosts.frameworks.conversation import Conversation
from headway.hosts.frameworks.conversations import Conversations
from headway.hosts.stores import MemoryStore, Store
from headway.hosts.stores.sqlite import SQLiteStore
from tests.hosts.said import NUDGE, REFUSAL, STOP


@pytest.fixture(params=["memory", "sqlite"])
def store(request, tmp_path):
    made = MemoryStore() if request.param == "memory" else SQLiteStore(tmp_path / "states.db")
    yield made
    if isinstance(made, SQLiteStore):
        made.close()


def test_a_store_gives_what_was_put_last_and_refuses_what_comes_too_late(store):
    assert isinstance(store, Store)
    assert store.newer("a", 0) is None
    assert store.swap("a", 0, b"one")
    assert not store.swap("a", 0, b"two"), "another worker was first"
    assert (1, b"one") == store.newer("a", 0) == store.newer("a", -1)
    assert store.newer("a", 1) is None, "this one is known"
    assert store.swap("a", 1, b"two") and not store.swap("a", 1, b"three")
    assert (2, b"two") == store.newer("a", 1)
    assert store.newer("b", 0) is None and not store.swap("b", 1, b"out of nowhere")


def ls(conversation, n):
    """Ask for the same call, and run it where it may."""
    conversation.before_model()
    refusal = conversation.called("bash", {"command": "ls"}, f"c{n}")
    if refusal is None:
        conversation.returned(f"c{n}", "a.py b.py")
    return refusal or conversation.advice()


def test_workers_that_take_turns_decide_like_one(store):
    told = []
    workers = [
        Conversation(conversation="one", store=store, on_decision=lambda *args: told.append(args[1:])) for _ in range(2)
    ]
    answers = [ls(workers[n % 2], n) for n in range(7)]
    assert [None, None, NUDGE, REFUSAL, REFUSAL, STOP, STOP] == answers
    assert 4 == len(told), "each decision was told once, by the worker that made it"
    assert ["exact_cycle"] * 2 == [worker.stopped.reason for worker in workers]
    workers[0].user_spoke("go on")
    workers[1].refresh()
    assert workers[1].stopped is None


def test_a_worker_that_begins_anew_goes_on_from_the_store(store):
    answers = [ls(Conversation(conversation="one", store=store), n) for n in range(6)]
    assert [None, None, NUDGE, REFUSAL, REFUSAL, STOP] == answers
    assert ls(Conversation(conversation="two", store=store), 1) is None, "another conversation is apart"
    assert ls(Conversation(conversation="one", agent="sub", store=store), 1) is None, "and so is another agent"


def test_a_budget_holds_over_all_turns(store):
    """Each turn in a worker of its own."""
    used = 0
    for _ in range(50):
        conversation = Conversations(store=store, max_tokens=1_000).of("one", "a")
        conversation.user_spoke("next")
        if conversation.stopped:
            break
        conversation.used(100, 10)
        used += 110
    assert 880 <= used <= 1_000


def test_events_that_collide_are_all_taken_in(store):
    workers = [Conversation(conversation="one", store=store) for _ in range(4)]

    def work(n):
        for k in range(10):
            workers[n].used(10, 1)
            workers[n].called("bash", {"command": f"{n} {k}"}, f"{n}-{k}")
            workers[n].returned(f"{n}-{k}", f"{n} {k}")

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(work, range(4)))
    session = Conversation(conversation="one", store=store).monitor.session
    assert (40, 440) == (session.step_count, session.spending.tokens_in + session.spending.tokens_out)


def test_a_store_that_fails_is_logged_and_the_agent_goes_on(caplog):
    class Broken(MemoryStore):
        def swap(self, key, version, state):
            raise OSError("the disk is full")

    watch = guard(conversation="one", store=Broken())
    assert ["a.py b.py"] * 9 == [watch(lambda command: "a.py b.py")("ls") for _ in range(9)]
    assert "the disk is full" in caplog.text


def test_a_store_needs_the_name_of_the_conversation():
    with pytest.raises(TypeError, match="pass conversation="):
        guard(store=MemoryStore())


def test_the_file_is_private_and_holds_no_outputs(tmp_path):
    path = tmp_path / "states.db"
    store = SQLiteStore(path)
    conversation = Conversation(conversation="one", store=store)
    conversation.called("bash", {"command": "cat notes"}, "c1")
    conversation.returned("c1", "the contents of a private file")
    assert "0o600" == oct(path.stat().st_mode & 0o777)
    state = zlib.decompress(store.newer('["one",""]', 0)[1])
    assert b"cat notes" in state and b"private file" not in state


def test_quiet_conversations_are_forgotten(tmp_path):
    path = tmp_path / "states.db"
    SQLiteStore(path).swap("old", 0, b"x")
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE conversations SET changed = 0")
    assert SQLiteStore(path).newer("old", 0) is None


def bash(command):
    return "a.py b.py"


WORKER = """
import sys
from headway import RunStopped, guard
from headway.hosts.stores.sqlite import SQLiteStore

watch = guard(conversation="one", store=SQLiteStore(sys.argv[1]))

@watch
def bash(command):
    return "a.py b.py"

for line in sys.stdin:
    try:
        print(repr(bash("ls")), flush=True)
    except RunStopped as stopped:
        print(repr(str(stopped)), flush=True)
"""


def test_two_processes_decide_at_the_same_step_as_one(tmp_path):
    workers = [
        subprocess.Popen(
            [sys.executable, "-c", WORKER, str(tmp_path / "states.db")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(2)
    ]
    said = []
    for n in range(6):
        worker = workers[n % 2]
        worker.stdin.write("\n")
        worker.stdin.flush()
        said.append(eval(worker.stdout.readline()))
    for worker in workers:
        worker.communicate(timeout=60)
    with guard() as alone:
        tool = alone(bash)
        for n in range(9):
            assert said[n] == tool("ls")
    assert alone.last_words == said[-1] and 5 == n


class Contended(MemoryStore):
    """A store in which another worker is first, every other time."""

    tries = 0

    def swap(self, key, version, state):
        self.tries += 1
        return super().swap(key, version, state) if self.tries % 2 == 0 else False


def test_an_event_that_is_taken_in_again_is_counted_and_told_once():
    told = []
    conversation = Conversation(conversation="one", store=Contended(), on_decision=told.append)
    answers = [ls(conversation, n) for n in range(6)]
    assert [None, None, NUDGE, REFUSAL, REFUSAL, STOP] == answers
    assert ["nudge", "block", "block", "stop"] == [decision.action for decision in told]
    assert 3 == conversation.monitor.session.step_count


def test_a_state_that_cannot_be_read_is_replaced(store, caplog):
    key = '["one",""]'
    assert store.swap(key, 0, b"of another version")
    conversation = Conversation(conversation="one", store=store)
    assert [None, None, NUDGE] == [ls(conversation, n) for n in range(3)]
    assert "cannot be read and is replaced" in caplog.text
    assert 3 == Conversation(conversation="one", store=store).monitor.session.step_count
