"""Conversations whose state is kept in Redis: a real server, and workers that are processes of their own."""

import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

pytest.importorskip("redis", reason="redis is not installed here; `make test-frameworks FRAMEWORKS=redis` runs this")

import redis

from headway import guard
from headway.hosts.frameworks.conversation import Conversation
from headway.hosts.stores import Store
from headway.hosts.stores.redis import RedisStore

SERVER = shutil.which("redis-server")
pytestmark = pytest.mark.skipif(SERVER is None, reason="there is no redis-server here: apt-get install redis-server")


@pytest.fixture
def url(tmp_path):
    """A server of this test's own, at a socket, that keeps nothing on disk."""
    socket = tmp_path / "redis.sock"
    options = ["--port", "0", "--unixsocket", str(socket), "--save", "", "--dir", str(tmp_path)]
    server = subprocess.Popen([SERVER, *options], stdout=subprocess.DEVNULL)
    while not socket.exists():
        assert server.poll() is None, "redis-server has ended"
        time.sleep(0.01)
    yield f"unix://{socket}"
    server.terminate()
    server.wait()


def test_a_store_gives_what_was_put_last_and_refuses_what_comes_too_late(url):
    store = RedisStore(url)
    assert isinstance(store, Store)
    assert store.newer("a", 0) is None
    assert store.swap("a", 0, b"one\xff\x00")
    assert not store.swap("a", 0, b"two"), "another worker was first"
    assert (1, b"one\xff\x00") == store.newer("a", 0) == store.newer("a", -1)
    assert store.newer("a", 1) is None, "this one is known"
    assert store.swap("a", 1, b"two") and not store.swap("a", 1, b"three")
    assert (2, b"two") == store.newer("a", 1)
    assert not store.swap("b", 1, b"out of nowhere")


def test_quiet_conversations_are_forgotten(url):
    RedisStore(url, keep_days=2).swap("a", 0, b"one")
    assert 2 * 86_400 == redis.Redis.from_url(url).ttl("headway:a")


def test_a_client_that_decodes_is_refused(url):
    with pytest.raises(TypeError, match="decode_responses"):
        RedisStore(redis.Redis.from_url(url, decode_responses=True))


def test_events_that_collide_are_all_taken_in(url):
    workers = [Conversation(conversation="one", store=RedisStore(url)) for _ in range(4)]

    def work(n):
        for k in range(10):
            workers[n].used(10, 1)
            workers[n].called("bash", {"command": f"{n} {k}"}, f"{n}-{k}")
            workers[n].returned(f"{n}-{k}", f"{n} {k}")

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(work, range(4)))
    session = Conversation(conversation="one", store=RedisStore(url)).monitor.session
    assert (40, 440) == (session.step_count, session.spending.tokens_in + session.spending.tokens_out)


WORKER = """
import sys
from headway import RunStopped, guard
from headway.hosts.stores.redis import RedisStore

watch = guard(conversation="one", store=RedisStore(sys.argv[1]))

@watch
def bash(command):
    return "a.py b.py"

for line in sys.stdin:
    try:
        print(repr(bash("ls")), flush=True)
    except RunStopped as stopped:
        print(repr(str(stopped)), flush=True)
"""


def test_two_processes_decide_at_the_same_step_as_one(url):
    start = [sys.executable, "-c", WORKER, url]
    workers = [subprocess.Popen(start, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    said = []
    for n in range(6):
        workers[n % 2].stdin.write("\n")
        workers[n % 2].stdin.flush()
        said.append(eval(workers[n % 2].stdout.readline()))
    for worker in workers:
        worker.communicate(timeout=60)

    def bash(command):
        return "a.py b.py"

    with guard() as alone:
        tool = alone(bash)
        for n in range(9):
            assert said[n] == tool("ls")
    assert alone.last_words == said[-1] and 5 == n


TURN = """
import sys
from headway import guard
from headway.hosts.stores.redis import RedisStore

watch = guard(conversation="one", store=RedisStore(sys.argv[1]), max_tokens=1_000)
watch.user_spoke("next")
if not watch.stopped:
    watch.used(100, 10)
    print("asked")
"""


def test_a_budget_holds_where_each_turn_is_a_process_of_its_own(url):
    start = [sys.executable, "-c", TURN, url]
    asked = [subprocess.run(start, capture_output=True, text=True, check=True).stdout for _ in range(12)]
    assert 880 <= 110 * asked.count("asked\n") <= 1_000
