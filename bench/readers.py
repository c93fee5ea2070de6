"""How long reading takes, beside `json.loads` of the same bytes: one run of 500 calls, written in several formats.

Processor time, the best of several turns, both measured in turn. What a reader has to do for an event is the same
whether the output is long or short, so the ratio depends on the bytes an event has; they are printed as well.
"""

import json
import time

from headway.readers import read, readers
from headway.reports.atif import Trajectories
from headway.sources import Source

CALLS = 500
TURNS = 9
OUTPUT = "\n".join(f"src/module_{number}/file.py:{number}: def handler(request, context):" for number in range(40))
STEPS = [(f"c{number}", {"command": f"sed -n {number},{number + 40}p src/module.py"}) for number in range(CALLS)]


def flat(pairs):
    return [item for pair in pairs for item in pair]


def openai_chat():
    def turn(call, args):
        function = {"name": "bash", "arguments": json.dumps(args)}
        yield {
            "role": "assistant",
            "content": "Next.",
            "tool_calls": [{"id": call, "type": "function", "function": function}],
        }
        yield {"role": "tool", "tool_call_id": call, "content": OUTPUT}

    return flat(turn(*step) for step in STEPS)


def anthropic_messages():
    def turn(call, args):
        use = {"type": "tool_use", "id": call, "name": "bash", "input": args}
        yield {"role": "assistant", "content": [{"type": "text", "text": "Next."}, use]}
        yield {"role": "user", "content": [{"type": "tool_result", "tool_use_id": call, "content": OUTPUT}]}

    return flat(turn(*step) for step in STEPS)


def openai_responses():
    def turn(call, args):
        yield {"type": "function_call", "id": call, "call_id": call, "name": "shell", "arguments": json.dumps(args)}
        yield {"type": "function_call_output", "call_id": call, "output": OUTPUT}

    return flat(turn(*step) for step in STEPS)


def gemini_contents():
    def turn(call, args):
        yield {"role": "model", "parts": [{"text": "Next."}, {"functionCall": {"name": "bash", "args": args}}]}
        yield {"role": "user", "parts": [{"functionResponse": {"name": "bash", "response": {"output": OUTPUT}}}]}

    return flat(turn(*step) for step in STEPS)


def swe_agent():
    sent = [{"role": "user", "content": OUTPUT * 3}]
    return {
        "trajectory": [{"action": a["command"], "observation": OUTPUT, "state": {}, "query": sent} for _, a in STEPS]
    }


def atif():
    trajectories = Trajectories()
    for event in read(Source(content=json.dumps(openai_chat()).encode())):
        trajectories.take(event)
    return next(iter(trajectories.finished()))


def otel_genai():
    """Spans of a model that is sent the last ten messages again with each call, and of its tools."""
    found, messages = [], []
    for number, (call, args) in enumerate(STEPS):
        said = {"role": "assistant", "parts": [{"type": "tool_call", "id": call, "name": "bash", "arguments": args}]}
        answer = {"role": "tool", "parts": [{"type": "tool_call_response", "id": call, "response": OUTPUT}]}
        chat = {"gen_ai.input.messages": json.dumps(messages[-10:]), "gen_ai.output.messages": json.dumps([said])}
        tool = {"gen_ai.tool.name": "bash", "gen_ai.tool.call.id": call, "gen_ai.tool.call.arguments": json.dumps(args)}
        for offset, name, more in ((0, "chat", chat), (1, "execute_tool", {**tool, "gen_ai.tool.call.result": OUTPUT})):
            attributes = {"gen_ai.operation.name": name, "gen_ai.conversation.id": "c", **more}
            at = [1_780_000_000 + 2 * number + offset, 0]
            found.append(
                {"traceId": "t", "spanId": f"{name}{number}", "startTime": at, "endTime": at, "attributes": attributes}
            )
        messages += [said, answer]
    return found


def decode(content, reader):
    return json.loads(content)


def take(content, reader):
    return sum(1 for _ in read(Source(content=content), reader))


def seconds(work, content, reader):
    began = time.process_time()
    work(content, reader)
    return time.process_time() - began


def main():
    for make in (openai_chat, anthropic_messages, openai_responses, gemini_contents, swe_agent, atif, otel_genai):
        content = json.dumps(make()).encode()
        reader = readers()[make.__name__.replace("_", "-")]
        count = take(content, reader)
        pairs = [(seconds(decode, content, reader), seconds(take, content, reader)) for _ in range(TURNS)]
        plain, ours = (min(column) for column in zip(*pairs, strict=True))
        print(
            f"{reader.name:20} {ours / plain:5.2f} x json.loads  {ours / count * 1e6:5.1f} µs an event"
            f"  {len(content) / ours / 1e6:5.0f} MB/s  {len(content) // count:6,} bytes an event"
        )


if __name__ == "__main__":
    main()
