"""Words for what real agents do and are told, and a way to hear what is said about it.

A word is a message or a call: the tool's name, its arguments, its output, and what else is known of it (`exit_code`,
`failed`, `denied`, `at`, `batch`). What is not given is not known, as with most agents.
"""

import pytest

from headway import Monitor, UserSpoke

ASKED = "please go through all of them"


def tool(name, args, output, **more):
    return (name, args, output, more)


def says(text):
    """The agent, between its calls."""
    return (None, {"by": "agent"}, text, {})


def ends(text):
    """The agent, as it ends its turn."""
    return (None, {"by": "agent at its end"}, text, {})


def news(text):
    """A machine that reports something in the user's place: a task that has ended, a team member, a watcher."""
    return (None, {"by": "machine"}, text, {})


def task_ended(id, summary, result=""):
    """What Claude Code writes when something that runs in the background is over."""
    return news(
        f"<task-notification>\n<task-id>{id}</task-id>\n<status>completed</status>\n<summary>{summary}</summary>\n"
        f"<result>{result}</result>\n</task-notification>"
    )


def asks(text):
    """The user, between the agent's calls."""
    return (None, {"by": "user"}, text, {})


def compacts():
    """The host makes the conversation shorter."""
    return (None, {"by": "host"}, "", {})


def bash(command, output="", exit_code=0, at=None):
    """Claude Code, whose exit codes are known."""
    return tool("Bash", {"command": command}, output, exit_code=exit_code, at=at)


def sh(command, output="", **more):
    """Claude Code, of which only the output is known."""
    return tool("Bash", {"command": command}, output, **more)


def codex(command, output="", code=0, chunk="c41f09", wall="0.0512", **more):
    """Codex, which writes the exit code into the output."""
    head = f"Chunk ID: {chunk}\nWall time: {wall} seconds\nProcess exited with code {code}\nOutput:\n"
    return tool("exec_command", {"cmd": command}, f"{head}{output}", **more)


def gemini(command, output="", **more):
    """Gemini CLI, of which only the output is known."""
    return tool("run_shell_command", {"command": command}, output or "(empty)", **more)


def read(path, output, first=None, count=None, **more):
    lines = {} if first is None else {"offset": first, "limit": count}
    return tool("Read", {"file_path": path, **lines}, output, **more)


def grep(pattern, output, path="src", **more):
    return tool("Grep", {"pattern": pattern, "path": path, "output_mode": "content"}, output, **more)


def edit(path, old, new, output="The file was updated.", **more):
    return tool("Edit", {"file_path": path, "old_string": old, "new_string": new}, output, **more)


def write(path, content, output=None, **more):
    said = f"File created successfully at: {path}" if output is None else output
    return tool("Write", {"file_path": path, "content": content}, said, **more)


def patch(path, old, new):
    text = f"*** Begin Patch\n*** Update File: {path}\n@@\n-{old}\n+{new}\n*** End Patch\n"
    return tool("apply_patch", {"input": text}, f"Success. Updated the following files:\nM {path}\n")


def change(n, path="cart.py"):
    return edit(path, f"v{n}", f"v{n + 1}")


def failing(command, test="a", message="assert 3 == 4", passed=5):
    output = (
        f"E   {message}\ntests/test_cart.py:12: AssertionError\nFAILED tests/test_cart.py::test_{test} - {message}\n"
    )
    return bash(command, f"{output}1 failed, {passed} passed in 0.31s", 1)


def rounds(count, *makers):
    """So many rounds of the same steps, each made from the number of its round."""
    return [make(n) for n in range(count) for make in makers]


def numbered(text, first=1):
    """The lines of a file as Claude Code's Read shows them."""
    return "\n".join(f"{number:6}\t{line}" for number, line in enumerate(text.splitlines(), first))


def clock(n, every=1, start=9 * 3600):
    """The time of day after so many seconds, as logs write it."""
    seconds = start + n * every
    return f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"


def uuid(n):
    """An id that looks drawn at random and is the same in every run of the tests."""
    text = f"{(n + 1) * 0x9E3779B97F4A7C15F39CC0605CEDC835 % 2**128:032x}"
    return "-".join((text[:8], text[8:12], text[12:16], text[16:20], text[20:]))


def _between(monitor, by, text):
    """The decisions about what is no call."""
    if by == "host":
        return [monitor.compacted()]
    if by in ("user", "machine"):
        return [monitor.feed(UserSpoke(text=text, **({"kind": "news"} if by == "machine" else {}))).decision]
    said = [monitor.agent_spoke(text)]
    return [*said, monitor.turn_ending(text)] if by == "agent at its end" else said


def _judged(monitor, number, step):
    """The decisions about one step: two about a call, one or two about anything else."""
    name, args, output, more = step
    if name is None:
        return _between(monitor, args["by"], output)
    result = {key: value for key, value in more.items() if key != "batch"}
    before = monitor.called(name, args, call=str(number), at=more.get("at"), batch=more.get("batch"))
    return [before, monitor.returned(str(number), output, **result)]


def decisions(steps, asked=ASKED):
    """What is said about steps that come one after the other: the step (counted from 1) and the decision."""
    monitor, said = Monitor(), []
    monitor.user_spoke(asked)
    for number, step in enumerate(steps, 1):
        said += [(number, decision) for decision in _judged(monitor, number, step) if decision.action != "continue"]
    return said


def watched(steps, asked=ASKED):
    """The actions alone."""
    return [str(decision.action) for _, decision in decisions(steps, asked)]


def cases(streams, not_yet=()):
    """The names of streams, for `parametrize`. Those of `not_yet` are judged wrong today; once right, they must leave it."""
    wrong = pytest.mark.xfail(strict=True, reason="judged wrong today")
    assert set(not_yet) <= set(streams)
    return [pytest.param(name, marks=wrong) if name in not_yet else name for name in streams]
