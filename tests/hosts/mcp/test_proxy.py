"""`headway mcp-proxy` as a process: between a client and a server of the official SDK, and around odd servers."""

import asyncio
import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.command import RUN
from tests.slow import slow

SERVER = [sys.executable, str(Path(__file__).parent / "counting_server.py")]
PROXY = [*RUN, "mcp-proxy"]


def conversation(command, calls, mode):
    """What a client of the SDK gets for each call."""
    from mcp import Client, StdioServerParameters  # takes a second: only the process that needs it pays

    async def talk():
        parameters = StdioServerParameters(command=command[0], args=command[1:])
        async with Client(parameters, mode=mode) as client:
            assert {"look", "number"} == {tool.name for tool in (await client.list_tools()).tools}
            return [await client.call_tool(name, arguments) for name, arguments in calls]

    return asyncio.run(talk())


def texts(result):
    return [block.text for block in result.content]


@pytest.mark.parametrize("mode", ["auto", *slow("legacy")])
def test_a_client_of_the_sdk_is_told_then_refused_then_stopped(mode):
    got = conversation([*PROXY, "--", *SERVER], [("look", {"path": "a"})] * 7 + [("number", {})], mode)
    assert [["nothing new in a"]] * 2 == [texts(one) for one in got[:2]]
    said, nudge = texts(got[2])
    assert "nothing new in a" == said and nudge.startswith("[headway] ") and not got[2].is_error
    assert all(one.is_error for one in got[3:])
    assert texts(got[3])[0].startswith("[headway] This call was not run.")
    assert texts(got[-1])[0].startswith("Stopped by Headway (exact_cycle)"), "a stop is for all tools"


def test_of_an_honest_conversation_with_a_server_of_the_sdk_every_byte_is_the_same():
    about = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
    messages = [
        {"id": 0, "method": "initialize", "params": about},
        {"method": "notifications/initialized"},
        {"id": 1, "method": "tools/list"},
        *(
            {"id": 2 + n, "method": "tools/call", "params": {"name": "look", "arguments": {"path": f"{n}"}}}
            for n in range(9)
        ),
        {"id": 20, "method": "tools/call", "params": {"name": "unknown", "arguments": {}}},
        {"id": 21, "method": "no/such/method"},
    ]
    said = [one_by_one(command, messages) for command in (SERVER, [*PROXY, "--", *SERVER])]
    assert said[0] == said[1] and 13 == len(said[0])


def one_by_one(command, messages):
    """The lines of a server; each request waits for the answer to the one before."""
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as server:
        answers = []
        for message in messages:
            server.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
            server.stdin.flush()
            if "id" in message:
                answers.append(server.stdout.readline())
        rest, _ = server.communicate()
    assert b"" == rest and 0 == server.returncode
    return answers


def around(script, given=b"", *options):
    """A proxy around a server that is a few lines of Python."""
    command = [*PROXY, *options, "--", sys.executable, "-c", script]
    return subprocess.run(command, input=given, capture_output=True, timeout=60)


def test_all_lines_exit_code_and_standard_error_are_those_of_the_server():
    script = (
        "import sys; sys.stderr.write('trouble\\n'); sys.stdout.write(sys.stdin.read() + 'no line end'); sys.exit(7)"
    )
    ended = around(script, b"one\n\n[2\n" + b"x" * 3_000_000 + b"\nlast")
    assert b"one\n\n[2\n" + b"x" * 3_000_000 + b"\nlastno line end" == ended.stdout
    assert (7, b"trouble\n") == (ended.returncode, ended.stderr)


def test_a_server_that_is_killed_ends_the_proxy_at_once():
    script = "import os, signal; print('hello', flush=True); os.kill(os.getpid(), signal.SIGKILL)"
    with subprocess.Popen(
        [*PROXY, sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as proxy:  # the client says nothing, and does not close the pipe
        assert b"hello\n" == proxy.stdout.read()
        assert 128 + signal.SIGKILL == proxy.wait(120)


def test_a_signal_reaches_the_server():
    script = "import signal, sys; signal.signal(signal.SIGTERM, lambda *_: sys.exit(5)); print('up', flush=True); signal.pause()"
    with subprocess.Popen(
        [*PROXY, sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as proxy:
        assert b"up\n" == proxy.stdout.readline()
        proxy.terminate()
        assert 5 == proxy.wait(120)


def test_a_server_whose_client_is_gone_ends():
    script = "import itertools\nfor n in itertools.count(): print(n, flush=True)"
    with subprocess.Popen(
        [*PROXY, sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as proxy:
        assert b"0\n" == proxy.stdout.readline()
        proxy.stdout.close()
        assert 0 != proxy.wait(120)


def test_a_server_that_cannot_be_started_is_named():
    ended = subprocess.run([*PROXY, "--", "no-such-server"], capture_output=True, timeout=60)
    assert (
        2 == ended.returncode and b"no-such-server: No such file or directory" in ended.stderr and b"" == ended.stdout
    )
