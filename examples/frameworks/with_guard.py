"""A loop written by hand

`guard` watches the tool functions themselves: plain functions, coroutines and (async) generators. A nudge is
added to the text a tool returns (otherwise it waits for `watch.advice()`), a refused call returns the reason
instead of a result, and when the run has to end, the next call raises `RunStopped`, which the `with` block catches:
`watch.stopped` has the reason. If your program catches it, end your loop with `while not watch.stopped`: every
further call only returns the reason. Calls that overlap, in threads or tasks, count as one parallel batch. Use one
guard per agent and conversation. If there is no function to decorate: `with watch.call("bash", {"command": "ls"}) as
call: call.output = …`.
"""

from headway import guard


def bash(command: str) -> str:
    """Run a command."""
    return "a.py b.py"


def run(model, question: str) -> list[str]:
    """Ask the model, run the tools it wants, and so on. It answers with (tool, arguments) or with text."""
    messages = [question]
    with guard() as watch:
        tools = {"bash": watch(bash)}
        watch.user_spoke(question)
        while not isinstance(answer := model(messages), str):
            tool, arguments = answer
            messages.append(tools[tool](**arguments))
        messages.append(answer)
    if watch.stopped:
        messages.append(watch.last_words)
    return messages
