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


def turns_of_models():
    """Each turn of conversations of 20 calls: names of conversation and turn, all that was said before, the call."""
    for number, (call, args) in enumerate(STEPS):
        if number % 20 == 0:
            before = [{"role": "user", "content": "Find the handler."}]
        asked = {"id": call, "type": "function", "function": {"name": "bash", "arguments": json.dumps(args)}}
        said = {"role": "assistant", "content": "Next.", "tool_calls": [asked]}
        yield f"c{number // 20}", number, list(before), said, call, args
        before += [said, {"role": "tool", "tool_call_id": call, "content": OUTPUT}]


def moment(number, plus=0):
    return f"2026-11-15T{number // 3600:02}:{number // 60 % 60:02}:{number % 60:02}.{plus}00Z"


def langsmith():
    found = []
    for talk, number, before, said, call, args in turns_of_models():
        both = {"trace_id": f"t{number}", "start_time": moment(number), "extra": {"metadata": {"thread_id": talk}}}
        model = {"inputs": {"messages": [before]}, "outputs": {"generations": [[{"text": "", "message": said}]]}}
        used = {"prompt_tokens": 10 * number, "completion_tokens": 5, "end_time": moment(number, 3)}
        found.append({"id": f"m{number}", "run_type": "llm", "name": "Chat", **both, **model, **used})
        answer = {"output": {"type": "tool", "tool_call_id": call, "content": OUTPUT, "status": "success"}}
        tool = {"inputs": args, "outputs": answer, "start_time": moment(number, 5), "end_time": moment(number, 6)}
        found.append({"id": f"t{number}", "run_type": "tool", "name": "bash", **both, **tool})
    return found


def langfuse():
    found = []
    for talk, number, before, said, call, args in turns_of_models():
        both = {"traceId": f"t{number}", "sessionId": talk, "level": "DEFAULT", "metadata": {}, "statusMessage": None}
        used = {"usageDetails": {"input": 10 * number, "output": 5}, "model": "m", "input": before, "output": said}
        times = {"startTime": moment(number), "endTime": moment(number, 3)}
        found.append({"id": f"m{number}", "type": "GENERATION", "name": "Chat", **both, **used, **times})
        answer = {"type": "tool", "tool_call_id": call, "content": OUTPUT, "status": "success"}
        times = {"startTime": moment(number, 5), "endTime": moment(number, 6)}
        found.append(
            {"id": f"t{number}", "type": "TOOL", "name": "bash", "input": args, "output": answer, **both, **times}
        )
    return {"data": found}


def spans(described):
    """OTLP JSON of spans: the name, number and attributes of each."""
    found = []
    for name, number, attributes in described:
        at = str(1_780_000_000_000_000_000 + number * 1_000_000)
        pairs = [{"key": key, "value": {"stringValue": value}} for key, value in attributes.items()]
        one = {"traceId": "t", "spanId": f"s{number}", "name": name, "kind": 1, "attributes": pairs}
        found.append({**one, "startTimeUnixNano": at, "endTimeUnixNano": at})
    return {"resourceSpans": [{"resource": {"attributes": []}, "scopeSpans": [{"spans": found}]}]}


def otel_genai():
    """Messages as JSON texts in attributes."""

    def described():
        for talk, number, before, said, call, args in turns_of_models():
            both = {"gen_ai.conversation.id": talk, "gen_ai.system": "openai", "server.address": "api.example.com"}
            sent = {"gen_ai.input.messages": json.dumps(before), "gen_ai.output.messages": json.dumps([said])}
            yield "chat m", 2 * number, {**both, "gen_ai.operation.name": "chat", **sent}
            ran = {"gen_ai.tool.call.arguments": json.dumps(args), "gen_ai.tool.call.result": OUTPUT}
            tool = {"gen_ai.tool.name": "bash", "gen_ai.tool.call.id": call, **ran}
            yield "execute_tool bash", 2 * number + 1, {**both, "gen_ai.operation.name": "execute_tool", **tool}

    return spans(described())


def openinference():
    """Messages flattened, one attribute a field."""

    def flattened(prefix, value):
        inner = value.items() if isinstance(value, dict) else enumerate(value)
        for key, item in inner:
            if isinstance(item, str):
                yield f"{prefix}.{key}", item
            elif isinstance(value, list):
                yield from flattened(f"{prefix}.{key}.{'message' if 'role' in item else 'tool_call'}", item)
            else:
                yield from flattened(f"{prefix}.{key}", item)

    def described():
        for talk, number, before, said, call, args in turns_of_models():
            both = {"session.id": talk, "input.mime_type": "application/json"}
            sent = {**dict(flattened("llm.input_messages", before)), **dict(flattened("llm.output_messages", [said]))}
            yield "Chat", 2 * number, {**both, "openinference.span.kind": "LLM", **sent}
            tool = {"tool.name": "bash", "tool.id": call, "input.value": json.dumps(args), "output.value": OUTPUT}
            yield "bash", 2 * number + 1, {**both, "openinference.span.kind": "TOOL", **tool}

    return spans(described())


def inspect_log():
    """Samples of 20 calls. Inputs of models and long texts are kept apart, as Inspect does."""
    samples = {}
    for talk, number, _, said, call, args in turns_of_models():
        begun = [{"role": "user", "source": "input", "content": "Find the handler."}]
        sample = {"id": talk, "epoch": 1, "messages": begun, "events": [], "attachments": {}}
        sample = samples.setdefault(talk, sample)
        message = {**said, "id": f"m{number}", "tool_calls": [{"id": call, "function": "bash", "arguments": args}]}
        output = {"choices": [{"message": message}], "usage": {"input_tokens": 9, "output_tokens": 5}}
        model = {"event": "model", "model": "m", "input": [], "output": output, "completed": moment(number, 3)}
        tool = {"event": "tool", "id": call, "function": "bash", "arguments": args, "completed": moment(number, 6)}
        sample["events"] += [model, {**tool, "result": f"attachment://{number}"}]
        sample["attachments"][str(number)] = OUTPUT
        sample["messages"] += [message, {"role": "tool", "tool_call_id": call, "content": f"attachment://{number}"}]
    return {"eval": {"eval_id": "e"}, "plan": {}, "status": "success", "samples": list(samples.values())}


MADE = (
    openai_chat, anthropic_messages, openai_responses, gemini_contents, swe_agent, atif, langsmith, langfuse,
    otel_genai, openinference, inspect_log,
)  # fmt: skip


def decode(content, reader):
    return json.loads(content)


def take(content, reader):
    return sum(1 for _ in read(Source(content=content), reader))


def seconds(work, content, reader):
    began = time.process_time()
    work(content, reader)
    return time.process_time() - began


def main():
    for make in MADE:
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
