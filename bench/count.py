"""An independent count: every sample parsed in a few lines, without Headway's readers, beside what `headway scan` says.

    python bench/count.py [PACK.jsonl.gz …] [--runs 500]

Steps are calls with their results; failures are those that the format itself records (a flag, or an exit code other
than 0), and are left out where it records none. A pack has one run on each line; its runs are first written
in the native shape of their agent. Exits with 1 if anything differs or a valid file is refused.
"""

import argparse
import gzip
import json
import re
import shutil
import sqlite3
import struct
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import zstandard
from google.protobuf.empty_pb2 import Empty
from google.protobuf.unknown_fields import UnknownFieldSet

SAMPLES = Path(__file__).parent.parent / "tests" / "readers" / "samples"


class Count(NamedTuple):
    """What a recording adds up to; None where its format does not say."""

    steps: int
    failures: int | None = None
    tokens_in: int = 0
    tokens_out: int = 0
    cost: float = 0.0


def doc(path: Path) -> Any:
    return json.loads(path.read_text())


def lines(path: Path) -> list[Any]:
    return [json.loads(line) for line in path.read_text().splitlines() if line.strip()]


def either(path: Path) -> list[Any]:
    """The document, in a list, or the values on the lines."""
    try:
        return [doc(path)]
    except ValueError:
        return lines(path)


def rows(path: Path, sql: str) -> list[tuple[Any, ...]]:
    connection = sqlite3.connect(":memory:")
    connection.executescript(path.read_text())
    return connection.execute(sql).fetchall()


def total(items: Iterator[Any] | list[Any], *names: str) -> int:
    found = (item.get(name) or 0 for item in items for name in names)
    return sum(int(value) if isinstance(value, str) else value for value in found)  # OTLP writes numbers as texts


def blocks(messages: list[Any], kind: str) -> list[Any]:
    found = [m["content"] for m in messages if isinstance(m.get("content"), list)]
    return [block for content in found for block in content if block.get("type") == kind]


# ----------------------------------------------------------------------------------------------------
# One function for each format.


def claude_code(path: Path) -> Count:
    records = lines(path)
    messages = {r["message"]["id"]: r["message"] for r in records if r["type"] == "assistant"}
    results = blocks([r["message"] for r in records if r["type"] == "user"], "tool_result")
    usage = [m["usage"] for m in messages.values()]
    cost = [r.get("totalCostUSD") or r.get("total_cost_usd") or 0 for r in records]
    tokens_in = total(usage, "input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
    return Count(
        len(results),
        sum(r.get("is_error") is True for r in results),
        tokens_in,
        total(usage, "output_tokens"),
        max(cost),
    )


def claude_telemetry(path: Path) -> Count:
    text = json.dumps(either(path))
    spans = re.findall(r'"name": "claude_code.tool", .*?"tool_use_id", "value": \{"stringValue": "([^"]+)"', text)
    every = [pairs(item) for item in records_in(either(path))]
    used = [item for item in every if "input_tokens" in item and ("cost_usd" in item or not has_cost(every))]
    steps = {item["tool_use_id"] for item in every if "tool_use_id" in item} | set(spans)
    return Count(
        len(steps),
        None,
        int(sum(float(i["input_tokens"]) for i in used)),
        int(sum(float(i["output_tokens"]) for i in used)),
        sum(float(i.get("cost_usd") or 0) for i in used),
    )


def has_cost(every: list[dict[str, Any]]) -> bool:
    return any("cost_usd" in item for item in every)


def records_in(value: Any) -> Iterator[dict[str, Any]]:
    """Everything that has attributes, wherever it stands."""
    if isinstance(value, list):
        for item in value:
            yield from records_in(item)
    elif isinstance(value, dict):
        if "attributes" in value and ("spanId" in value or "body" in value or "span_id" in value or "context" in value):
            yield value
        if "span_attributes" in value:
            yield {"attributes": value["span_attributes"], "status": value["status_code"].upper()}
        for item in value.values():
            yield from records_in(item)


def pairs(record: dict[str, Any]) -> dict[str, Any]:
    found = record["attributes"]
    if isinstance(found, dict):
        return found
    return {pair["key"]: next(iter(pair["value"].values()), None) for pair in found}


def codex(path: Path) -> Count:
    payloads = [line["payload"] for line in lines(path)]
    used = [p["info"]["last_token_usage"] for p in payloads if p.get("type") == "token_count" and p["info"]]
    results = [p for p in payloads if p.get("type") == "function_call_output"]
    return Count(len(results), None, total(used, "input_tokens"), total(used, "output_tokens"))


def codex_exec(path: Path) -> Count:
    records = lines(path)
    done = [r["item"] for r in records if r["type"] == "item.completed"]
    steps = [item for item in done if item["type"] not in ("agent_message", "reasoning", "error")]
    used = [r["usage"] for r in records if r["type"] == "turn.completed"]
    return Count(
        len(steps),
        sum(bool(s.get("exit_code")) for s in steps),
        total(used, "input_tokens"),
        total(used, "output_tokens"),
    )


def copilot_cli(path: Path) -> Count:
    data = [(r["type"], r["data"]) for r in lines(path)]
    done = [d for kind, d in data if kind == "tool.execution_complete"]
    bad = [d for d in done if not d["success"] or (d.get("shellExecution") or {}).get("exitCode")]
    used = [d["usage"] for kind, d in data if kind == "session.usage_record"]
    return Count(len(done), len(bad), total(used, "inputTokens"), total(used, "outputTokens"))


def gemini_cli(path: Path) -> Count:
    messages = list({line["id"]: line for line in lines(path) if "id" in line}.values())
    calls = [call for message in messages for call in message.get("toolCalls", []) if call["result"]]
    used = [m["tokens"] for m in messages if "tokens" in m]
    bad = [c for c in calls if c["status"] == "error" or re.search(r"Exit Code: [1-9]", json.dumps(c["result"]))]
    return Count(len(calls), len(bad), total(used, "input", "tool"), total(used, "output", "thoughts"))


def gemini_stream(path: Path) -> Count:
    records = lines(path)
    results = [r for r in records if r["type"] == "tool_result"]
    bad = [r for r in results if r["status"] == "error" or re.search(r"Exit Code: [1-9]", str(r.get("output")))]
    used = [r["stats"] for r in records if r["type"] == "result"]
    return Count(len(results), len(bad), total(used, "input_tokens"), total(used, "output_tokens"))


def qwen_code(path: Path) -> Count:
    seen = [r["systemPayload"]["uiEvent"] for r in lines(path) if r.get("subtype") == "ui_telemetry"]
    calls = [event for event in seen if event["event.name"] == "qwen-code.tool_call"]
    answers = [event for event in seen if event["event.name"] == "qwen-code.api_response"]
    return Count(len(calls), None, total(answers, "input_token_count"), total(answers, "output_token_count"))


def opencode(path: Path) -> Count:
    if path.is_dir():
        parts = [doc(file) for file in path.glob("part/*/*.json")]
    elif path.suffix == ".sql":
        parts = [json.loads(data) for (data,) in rows(path, "SELECT data FROM part")]
    elif path.suffix == ".jsonl":
        parts = [line["part"] for line in lines(path) if "part" in line]
    else:
        parts = [part for message in doc(path)["messages"] for part in message["parts"]]
    tools = [part["state"] for part in parts if part["type"] == "tool"]
    over = [state for state in tools if state["status"] in ("completed", "error")]
    bad = [state for state in over if state["status"] == "error" or (state.get("metadata") or {}).get("exit")]
    ends = [part for part in parts if part["type"] == "step-finish"]
    tokens = [end["tokens"] for end in ends]
    return Count(
        len(over),
        len(bad),
        total(tokens, "input") + total([t["cache"] for t in tokens], "read", "write"),
        total(tokens, "output", "reasoning"),
        total(ends, "cost"),
    )


def openhands(path: Path) -> Count:
    if path.is_dir():
        events = [doc(file) for file in sorted(path.glob("events/*.json"))]
        kinds = ("ObservationEvent", "AgentErrorEvent", "UserRejectObservation")
        results = [e for e in events if e["kind"] in kinds and e["tool_name"] != "finish"]
        metrics = list(doc(path / "base_state.json")["stats"]["usage_to_metrics"].values())
        used = [m["accumulated_token_usage"] for m in metrics if m.get("accumulated_token_usage")]
        return Count(
            len(results),
            None,
            total(used, "prompt_tokens"),
            total(used, "completion_tokens"),
            total(metrics, "accumulated_cost"),
        )
    outputs = lines(path)
    results = [e for o in outputs for e in o["history"] if e.get("observation") not in (None, "agent_state_changed")]
    return Count(len(results), None, 0, 0, sum(o["metrics"]["accumulated_cost"] for o in outputs))


def aider(path: Path) -> Count:
    told = re.findall(r"Tokens: ([\d.]+)(k?) sent, ([\d.]+)(k?) received", path.read_text())
    number = {"": 1, "k": 1000}
    return Count(
        -1,
        None,
        int(sum(float(a) * number[b] for a, b, _, _ in told)),
        int(sum(float(c) * number[d] for _, _, c, d in told)),
    )


def swe_agent(path: Path) -> Count:
    file = doc(path)
    steps = [step for step in file.get("trajectory") or [] if (step["action"] or "").strip()]
    observed = [
        m
        for m in file["history"]
        if m["role"] in ("user", "tool") and m.get("message_type") == "observation" and not m.get("is_demo")
    ]
    # the first observation is the issue
    stats = (file.get("info") or {}).get("model_stats") or {}
    return Count(
        len(steps) or len(observed) - 1,
        None,
        stats.get("tokens_sent") or 0,
        stats.get("tokens_received") or 0,
        stats.get("instance_cost") or 0,
    )


def mini_swe_agent(path: Path) -> Count:
    file = doc(path)
    observed = [m["extra"] for m in file["messages"] if "returncode" in (m.get("extra") or {})]
    return Count(
        len(observed),
        sum(bool(extra["returncode"]) for extra in observed),
        0,
        0,
        file["info"]["model_stats"]["instance_cost"],
    )


def chats(path: Path) -> Count:
    """Lists of messages of OpenAI, Anthropic and Gemini; requests repeat what came before, so ids count once."""
    ids: set[tuple[str, str]] = set()
    usage = []
    for line, value in enumerate(either(path)):
        found = list(messages_in(value))
        talk = str(value.get("id")) if isinstance(value, dict) and "messages" in value else ""
        for message, place in found:
            place = f"{place} {line}" if message is value else place
            for number, block in enumerate(parts_of(message)):
                if "functionResponse" in block:
                    ids.add((talk, f"{place} {number}"))
                elif (
                    block.get("type") in ("tool_result", "web_search_tool_result")
                    or "tool_call_id" in block
                    or block.get("role") == "function"
                ):
                    ids.add((talk, block.get("tool_use_id") or block.get("tool_call_id") or f"{place} {number}"))
        usage += usages(value)
    tokens_in = sum(u.get("prompt_tokens") or u.get("promptTokenCount") or 0 for u in usage)
    tokens_in += total(
        [u for u in usage if "prompt_tokens" not in u],
        "input_tokens",
        "cache_creation_input_tokens",
        "cache_read_input_tokens",
    )
    return Count(len(ids), None, tokens_in, total(usage, "completion_tokens", "output_tokens", "candidatesTokenCount"))


def messages_in(value: Any, place: str = "") -> Iterator[tuple[dict[str, Any], str]]:
    if isinstance(value, list):
        for number, item in enumerate(value):
            yield from messages_in(item, f"{place}.{number}")
    elif isinstance(value, dict):
        if "role" in value:
            yield value, place
        for name, item in value.items():
            if name not in ("content", "parts"):
                yield from messages_in(
                    item, f"{place}.{name}" if name not in ("messages", "contents", "request") else place
                )


def parts_of(message: dict[str, Any]) -> list[dict[str, Any]]:
    if message["role"] in ("tool", "function"):
        return [message]
    found = message.get("content") or message.get("parts")
    return [part for part in found if isinstance(part, dict)] if isinstance(found, list) else []


def usages(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, list):
        for item in value:
            yield from usages(item)
    elif isinstance(value, dict):
        for name, item in value.items():
            if name in ("usage", "usageMetadata") and isinstance(item, dict):
                yield item
            else:
                yield from usages(item)


def openai_responses(path: Path) -> Count:
    text = [item for value in either(path) for item in every_dict(value)]
    answers = {i["call_id"] for i in text if str(i.get("type")).endswith("_call_output")}
    own = {
        i["id"]
        for i in text
        if i.get("type") in ("mcp_call", "web_search_call", "file_search_call", "code_interpreter_call")
    }
    usage = [found for value in either(path) for found in usages(value)]
    return Count(len(answers | own), None, total(usage, "input_tokens"), total(usage, "output_tokens"))


def every_dict(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, list):
        for item in value:
            yield from every_dict(item)
    elif isinstance(value, dict):
        yield value
        for item in value.values():
            yield from every_dict(item)


def atif(path: Path) -> Count:
    if path.is_dir():
        file = doc(path / "agent/trajectory.json")
        results = [r for step in file["steps"] for r in step.get("observation", {}).get("results", [])]
        sums = file["final_metrics"]
        names = ("total_prompt_tokens", "total_completion_tokens", "total_cost_usd")
        return Count(len(results), None, *map(sums.get, names))
    found = list(every_dict(doc(path)))
    results = [
        r for step in found for r in (step.get("observation") or {}).get("results", []) if step.get("tool_calls")
    ]
    metrics = [step["metrics"] for step in found if step.get("source") == "agent" and step.get("metrics")]
    return Count(
        len(results),
        None,
        total(metrics, "prompt_tokens"),
        total(metrics, "completion_tokens"),
        total(metrics, "cost_usd"),
    )


def inspect_log(path: Path) -> Count:
    if zipfile.is_zipfile(path):
        samples = [json.loads(content) for name, content in unzipped(path) if name.startswith("samples/")]
    else:
        samples = doc(path)["samples"]
    events = [event for sample in samples for event in sample["events"]]
    tools = [event for event in events if event["event"] == "tool"]
    used = [event["output"]["usage"] for event in events if event["event"] == "model" and event["output"].get("usage")]
    tokens_in = total(used, "input_tokens", "input_tokens_cache_read", "input_tokens_cache_write")
    return Count(len(tools), sum(bool(tool.get("error")) for tool in tools), tokens_in, total(used, "output_tokens"))


def unzipped(path: Path) -> Iterator[tuple[str, bytes]]:
    """The files of an archive, packed with zstd, which Python's own zipfile does not know."""
    data = path.read_bytes()
    with zipfile.ZipFile(path) as archive:
        for info in archive.infolist():
            name, extra = struct.unpack_from("<HH", data, info.header_offset + 26)
            start = info.header_offset + 30 + name + extra
            packed = data[start : start + info.compress_size]
            yield (
                info.filename,
                zstandard.ZstdDecompressor().decompressobj().decompress(packed)
                if info.compress_type == 93
                else archive.read(info),
            )


def langsmith(path: Path) -> Count:
    runs = [run for value in either(path) for run in every_dict(value) if "run_type" in run]
    tools, models = ([run for run in runs if run["run_type"] == kind] for kind in ("tool", "llm"))
    used = [
        item["usage_metadata"]
        for model in models
        for item in every_dict(model["outputs"])
        if item.get("usage_metadata")
    ]
    return Count(
        len(tools),
        sum(bool(tool.get("error")) for tool in tools),
        total(used, "input_tokens"),
        total(used, "output_tokens"),
    )


def langfuse(path: Path) -> Count:
    found = [item for item in every_dict(doc(path)) if "traceId" in item and "type" in item]
    tools, models = ([item for item in found if item["type"] == kind] for kind in ("TOOL", "GENERATION"))
    used = [model["usageDetails"] for model in models]
    return Count(
        len(tools),
        sum(t["level"] == "ERROR" for t in tools),
        total(used, "input", "input_cache_read"),
        total(used, "output"),
        total(models, "totalCost"),
    )


def otel_genai(path: Path) -> Count:
    spans = [pairs(record) for record in records_in(either(path))]
    tools = [s for s in spans if s.get("gen_ai.operation.name") == "execute_tool"]
    models = [s for s in spans if "gen_ai.usage.input_tokens" in s and s.get("gen_ai.operation.name") != "invoke_agent"]
    steps = len(tools) or -1  # without spans of tools, results stand in messages in three different ways
    return Count(steps, None, total(models, "gen_ai.usage.input_tokens"), total(models, "gen_ai.usage.output_tokens"))


def openinference(path: Path) -> Count:
    records = list(records_in(either(path)))
    tools = [r for r in records if pairs(r).get("openinference.span.kind") == "TOOL"]
    models = [pairs(r) for r in records if pairs(r).get("openinference.span.kind") == "LLM"]
    numbers = [{name: int(value) for name, value in m.items() if name.startswith("llm.token_count")} for m in models]
    bad = [r for r in tools if "ERROR" in json.dumps(r["status"]) or '"code": 2' in json.dumps(r["status"])]
    return Count(
        len(tools), len(bad), total(numbers, "llm.token_count.prompt"), total(numbers, "llm.token_count.completion")
    )


def headway_events(path: Path) -> Count:
    records = lines(path)
    return Count(sum(r["type"] == "tool_returned" for r in records), None)


def packed_sessions(path: Path) -> Count:
    import pyarrow.parquet

    rows = [event for events in pyarrow.parquet.read_table(path)["events"].to_pylist() for event in events]
    used = [r for r in rows if r["type"] == "used"]
    calls = sum(r["type"] == "tool_returned" for r in rows)
    return Count(calls, None, sum(r["tokens_in"] or 0 for r in used), sum(r["tokens_out"] or 0 for r in used))


def pi(path: Path) -> Count:
    messages = [r["message"] for r in lines(path) if r["type"] == "message"]
    results = [m for m in messages if m["role"] == "toolResult"]
    used = [m["usage"] for m in messages if "usage" in m]
    return Count(
        len(results),
        sum(r["isError"] for r in results),
        total(used, "input", "cacheRead", "cacheWrite"),
        total(used, "output"),
        sum(u["cost"]["total"] for u in used),
    )


def grok(path: Path) -> Count:
    results = [r for r in lines(path / "chat_history.jsonl") if r["type"] == "tool_result"]
    updates = [r["params"]["update"] for r in lines(path / "updates.jsonl")]
    bad = [u for u in updates if u.get("status") == "failed" or (u.get("rawOutput") or {}).get("exit_code")]
    used = [u["usage"] for u in updates if u["sessionUpdate"] == "turn_completed"]
    return Count(len(results), len(bad), total(used, "inputTokens"), total(used, "outputTokens"))


def kimi(path: Path) -> Count:
    records = lines(path / "wire.jsonl") if path.is_dir() else lines(path)
    if path.is_dir():
        sent = [(r["message"]["type"], r["message"]["payload"]) for r in records if "message" in r]
        results = [p["return_value"]["is_error"] for kind, p in sent if kind == "ToolResult"]
        used = [p["token_usage"] for kind, p in sent if kind == "StatusUpdate" and p["token_usage"]]
        return Count(
            len(results),
            sum(results),
            total(used, "input_other", "input_cache_read", "input_cache_creation"),
            total(used, "output"),
        )
    inner = [r["event"] for r in records if r["type"] == "context.append_loop_event"]
    results = [e["result"].get("isError", False) for e in inner if e["type"] == "tool.result"]
    used = [e["usage"] for e in inner if e["type"] == "step.end"]
    return Count(
        len(results),
        sum(results),
        total(used, "inputOther", "inputCacheRead", "inputCacheCreation"),
        total(used, "output"),
    )


def cline(path: Path) -> Count:
    if path.is_dir():
        history, shown = doc(path / "api_conversation_history.json"), doc(path / "ui_messages.json")
        texts = [b["text"] for b in blocks([m for m in history if m["role"] == "user"], "text")]
        results = [t for t in texts if re.match(r"\[\w+ .*\] Result:", t, re.DOTALL)]
        results += [b["content"] for b in blocks(history, "tool_result")]
        said = json.dumps(history)
        bad = len(re.findall(r"Exit code: [1-9]|is_error\W+true", said)) if blocks(history, "tool_use") else None
    elif isinstance(doc(path), list):
        shown = doc(path)
        results = [m for m in shown if m.get("say") in ("tool", "command") or m.get("ask") == "tool"]
        bad = None
    else:
        messages = doc(path)["messages"]
        used = [m["metrics"] for m in messages if "metrics" in m]
        answers = blocks(messages, "tool_result")
        bad = sum('success": false' in json.dumps(b) or 'success\\":false' in json.dumps(b) for b in answers)
        return Count(len(answers), bad, total(used, "inputTokens"), total(used, "outputTokens"), total(used, "cost"))
    asked = [json.loads(m["text"]) for m in shown if m.get("say") == "api_req_started"]
    names = ("tokensIn",) if "apiProtocol" in asked[0] else ("tokensIn", "cacheWrites", "cacheReads")
    return Count(len(results), bad, total(asked, *names), total(asked, "tokensOut"), total(asked, "cost"))


def continue_dev(path: Path) -> Count:
    file = doc(path)
    states = [state for item in file["history"] for state in item.get("toolCallStates", [])]
    used = [item["message"]["usage"] for item in file["history"] if "usage" in item["message"]]
    return Count(
        len(states),
        sum(s["status"] != "done" for s in states),
        total(used, "prompt_tokens"),
        total(used, "completion_tokens"),
        file["usage"]["totalCost"],
    )


def vercel_ai(path: Path) -> Count:
    records = lines(path)
    tools = [r for r in records if r["name"] == "ai.toolCall"]
    models = [r["attributes"] for r in records if r["name"].endswith((".doGenerate", ".doStream"))]
    return Count(
        len(tools),
        sum(t["status"]["code"] == 2 for t in tools),
        total(models, "ai.usage.inputTokens"),
        total(models, "ai.usage.outputTokens"),
    )


def mlflow(path: Path) -> Count:
    spans = doc(path)["data"]["spans"]
    tools = [s for s in spans if s["attributes"]["mlflow.spanType"] == '"TOOL"']
    used = [
        json.loads(s["attributes"]["mlflow.chat.tokenUsage"])
        for s in spans
        if "mlflow.chat.tokenUsage" in s["attributes"]
    ]
    return Count(
        len(tools),
        sum("ERROR" in t["status"]["code"] for t in tools),
        total(used, "input_tokens"),
        total(used, "output_tokens"),
    )


def autogen(path: Path) -> Count:
    messages = [m for value in either(path) for m in value.get("messages", [value])]
    results = [r for m in messages if m["type"] == "ToolCallExecutionEvent" for r in m["content"]]
    used = [m["models_usage"] for m in messages if m["models_usage"]]
    return Count(
        len(results),
        sum(r["is_error"] for r in results),
        total(used, "prompt_tokens"),
        total(used, "completion_tokens"),
    )


def langgraph(path: Path) -> Count:
    """By the marks that a MessagePack of LangChain's messages has; a decoder for it is what this checks."""
    values = [value for (value,) in rows(path, "SELECT value FROM writes WHERE channel = 'messages'")]
    numbers = [
        (v[v.index(b"\xacinput_tokens") + 13], v[v.index(b"\xadoutput_tokens") + 14])
        for v in values
        if b"\xacinput_tokens" in v
    ]
    return Count(
        sum(v.count(b"\xabToolMessage") for v in values),
        sum(b"status\xa5error" in v for v in values),
        sum(a for a, _ in numbers),
        sum(b for _, b in numbers),
    )


def goose(path: Path) -> Count:
    if path.suffix == ".sql":
        contents = [json.loads(content) for (content,) in rows(path, "SELECT content_json FROM messages")]
        sessions = rows(
            path, "SELECT accumulated_input_tokens, accumulated_output_tokens, accumulated_cost FROM sessions"
        )
    else:
        first, *messages = lines(path)
        contents = [m["content"] for m in messages]
        sessions = [(first["accumulated_input_tokens"], first["accumulated_output_tokens"], None)]
    results = [b["toolResult"] for content in contents for b in content if b["type"] == "toolResponse"]
    bad = [r for r in results if r["status"] == "error" or r["value"].get("isError")]
    return Count(len(results), len(bad), *(sum(s[place] or 0 for s in sessions) for place in range(3)))


def crush(path: Path) -> Count:
    parts = [part for (data,) in rows(path, "SELECT parts FROM messages") for part in json.loads(data)]
    results = [part["data"] for part in parts if part["type"] == "tool_result"]
    bad = [r for r in results if r["is_error"] or re.search(r"Exit code [1-9]", r["content"])]
    ((cost,),) = rows(path, "SELECT sum(cost) FROM sessions WHERE parent_session_id IS NULL")
    return Count(len(results), len(bad), 0, 0, cost)


def cursor(path: Path) -> Count:
    if path.suffix == ".sql":
        found = [json.loads(data) for (data,) in rows(path, "SELECT data FROM blobs") if data.startswith(b"{")]
        return Count(len(blocks(found, "tool-result")), None)
    records = lines(path)
    if "role" in records[0]:
        return Count(len(blocks([r["message"] for r in records if "message" in r], "tool_use")), 0)
    done = [
        next(iter(r["tool_call"].values()))["result"]
        for r in records
        if r.get("subtype") == "completed" and "tool_call" in r
    ]
    used = [r["usage"] for r in records if "usage" in r]
    return Count(
        len(done),
        sum("success" not in result for result in done),
        total(used, "inputTokens", "cacheReadTokens", "cacheWriteTokens"),
        total(used, "outputTokens"),
    )


def amp(path: Path) -> Count:
    messages = doc(path)["messages"]
    runs = [block["run"] for block in blocks(messages, "tool_result")]
    bad = [r for r in runs if r["status"] != "done" or (r.get("result") or {}).get("exitCode")]
    used = [m["usage"] for m in messages if "usage" in m]
    return Count(len(runs), len(bad), total(used, "totalInputTokens"), total(used, "outputTokens"))


def vscode_chat(path: Path) -> Count:
    text = path.read_text()
    found = [item for value in (lines(path) if path.suffix == ".jsonl" else [doc(path)]) for item in every_dict(value)]
    results = [item["toolCallResults"] for item in found if "toolCallResults" in item]
    turns = [item for item in found if "metadata" in item]
    used = [turn["metadata"] for turn in turns]
    assert text.count('"toolCallResults"') == len(results)
    return Count(sum(map(len, results)), None, total(used, "promptTokens"), total(used, "outputTokens"))


def antigravity(path: Path) -> Count:
    steps = {(r["step_index"], r["type"]): r for r in lines(path)}
    others = ("USER_INPUT", "PLANNER_RESPONSE", "CONVERSATION_HISTORY", "CHECKPOINT", "EPHEMERAL_MESSAGE")
    results = [r for (_, kind), r in steps.items() if kind not in others]
    return Count(len(results), sum(r["status"] == "ERROR" or bool(r.get("exit_code")) for r in results))


def droid(path: Path) -> Count:
    results = blocks([r["message"] for r in lines(path) if r["type"] == "message"], "tool_result")
    used = [doc(path.with_suffix(".settings.json"))["tokenUsage"]]
    tokens_in = total(used, "inputTokens", "cacheReadTokens", "cacheCreationTokens")
    return Count(len(results), sum(r["is_error"] for r in results), tokens_in, total(used, "outputTokens"))


def tau_bench(path: Path) -> Count:
    value = doc(path)
    runs = value if isinstance(value, list) else value["simulations"]
    messages = [m for run in runs for m in run.get("traj") or run["messages"]]
    results = [m for m in messages if m["role"] == "tool" and m.get("requestor") != "user"]
    agent = [m for m in messages if m["role"] == "assistant"]
    used = [m["usage"] for m in agent if m.get("usage")]
    flags = [r["error"] for r in results if "error" in r]
    return Count(
        len(results),
        sum(flags) if flags else None,
        total(used, "prompt_tokens"),
        total(used, "completion_tokens"),
        total(agent, "cost"),
    )


def terminal_bench(path: Path) -> Count:
    known, episodes = doc(path / "results.json"), sorted(path.glob("agent-logs/episode-*"))
    if episodes:
        steps = [e for e in episodes if doc(e / "response.txt")["commands"]]
        bad = [e for e in steps if "Error" in (e.parent / f"episode-{int(e.name[8:]) + 1}" / "prompt.txt").read_text()]
        return Count(len(steps), len(bad), known["total_input_tokens"], known["total_output_tokens"])
    moments = lines(path / "sessions" / "agent.cast")[1:]
    typed = [data for _, kind, data in moments if kind == "i" and data not in ("clear\r", "\x04")]
    return Count(len(typed), sum("AssertionError" in data for _, kind, data in moments if kind == "o"))


def weave(path: Path) -> Count:
    calls = either(path)
    asked = {c["function"]["name"] for d in every_dict(calls) for c in d.get("tool_calls") or []}
    steps = [c for c in calls if c["op_name"].split("/op/")[1].split(":")[0] in asked]
    usage = [c["output"]["usage"] for c in calls if isinstance(c["output"], dict) and "usage" in c["output"]]
    bad = [c for c in steps if c["exception"] or "1 failed" in c["output"]]
    return Count(len(steps), len(bad), total(usage, "prompt_tokens"), total(usage, "completion_tokens"))


def windsurf(path: Path) -> Count:
    records = [(r["type"], r[r["type"]], r["status"]) for r in lines(path)]
    last_words = [n for n, (kind, _, _) in enumerate(records) if kind == "planner_response"]
    turns = [n for n, (kind, _, _) in enumerate(records) if kind == "user_input"] + [len(records)]
    told = [(a, max(n for n in last_words if n < b)) for a, b in pairwise(turns)]
    steps = [r for a, b in told for r in records[a:b] if r[0] not in ("user_input", "planner_response")]
    bad = [r for r in steps if r[2] == "error" or r[1].get("exit_code") or r[1].get("user_rejected")]
    return Count(len(steps), len(bad))


def zed(path: Path) -> Count:
    found = rows(path, "SELECT data_type, data FROM threads")
    threads = [json.loads(zstandard.decompress(data) if kind == "zstd" else data) for kind, data in found]
    every = [m for t in threads for m in t["messages"] if isinstance(m, dict)]
    results = [r for m in every for r in m.get("Agent", {}).get("tool_results", {}).values()]
    results += [r for m in every for r in m.get("tool_results", [])]
    bad = [r for r in results if r["is_error"] or "failed with exit code" in str(r["content"])]
    usage = [t["cumulative_token_usage"] for t in threads]
    tokens_in = total(usage, "input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
    return Count(len(results), len(bad), tokens_in, total(usage, "output_tokens"))


def warp(path: Path) -> Count:
    """Results are field 5 of a message; in it, 2 and 27 are commands, and an error is field 2 of every other."""
    tasks = [data for (data,) in rows(path, "SELECT task FROM agent_tasks")]
    results = [numbered(r) for task in tasks for m in numbered(task)[5] for r in numbered(m).get(5, [])]
    finished = [numbered(done) for r in results for n, f in ((2, 5), (27, 3)) for done in wired(r, n, f)]
    codes = sum(done.get(2, [0]) != [0] for done in finished)
    errors = [r for r in results if 14 in r or any(2 in numbered(v) for n in (5, 6, 9, 16) for v in r.get(n, []))]
    return Count(len(results), codes + len(errors))


def numbered(data: bytes) -> dict[int, list[Any]]:
    """The fields of a protocol buffer, by Google's own library."""
    message = Empty.FromString(data)
    found: dict[int, list[Any]] = {}
    for field in UnknownFieldSet(message):
        found.setdefault(field.field_number, []).append(field.data)
    return found


def wired(fields: dict[int, list[Any]], *path: int) -> list[Any]:
    """What is at a path of fields."""
    found = fields.get(path[0], [])
    return found if len(path) == 1 else [one for data in found for one in wired(numbered(data), *path[1:])]


def claude_web(path: Path) -> Count:
    results = blocks([m for chat in doc(path) for m in chat["chat_messages"]], "tool_result")
    return Count(len(results), sum(r["is_error"] for r in results))


COUNTERS: dict[str, Callable[[Path], Count]] = {
    "anthropic-messages": chats,
    "continue": continue_dev,
    "gemini-contents": chats,
    "headway": headway_events,
    "openai-chat": chats,
    "packed-sessions": packed_sessions,
    **{
        f.__name__.replace("_", "-"): f
        for f in (
            aider,
            amp,
            atif,
            autogen,
            claude_code,
            claude_telemetry,
            cline,
            codex,
            codex_exec,
            copilot_cli,
            crush,
            cursor,
            gemini_cli,
            gemini_stream,
            goose,
            grok,
            inspect_log,
            kimi,
            langfuse,
            langgraph,
            langsmith,
            mini_swe_agent,
            mlflow,
            openai_responses,
            opencode,
            openhands,
            openinference,
            otel_genai,
            pi,
            qwen_code,
            swe_agent,
            antigravity,
            vercel_ai,
            claude_web,
            droid,
            tau_bench,
            vscode_chat,
            terminal_bench,
            warp,
            weave,
            windsurf,
            zed,
        )
    },
}


def scanned(path: Path) -> dict[str, Count]:
    """What `headway scan --format json` says of each recording below a path."""
    command = [Path(sys.executable).with_name("headway"), "scan", "--format", "json", "--fail-on", "never", path]
    report = json.loads(subprocess.run(command, capture_output=True, check=False, text=True).stdout)
    found: dict[str, Count] = {}
    for run in report["runs"]:
        before, spent = found.get(run["source"], Count(0, 0)), run["spent"]
        more = (run["steps"], run["failed_steps"], spent["tokens_in"], spent["tokens_out"], spent["cost_usd"] or 0.0)
        found[run["source"]] = Count(*(a + b for a, b in zip(before, more, strict=True)))
    return found


def differences(counted: Count, said: Count | None) -> list[str]:
    """Where the two counts differ; a figure that the format does not record is not compared."""
    if said is None:
        return ["refused"]
    found = []
    for name, ours, theirs in zip(Count._fields, counted, said, strict=True):
        if ours is not None and ours != -1 and abs(ours - (theirs or 0)) > 1e-9:
            found.append(f"{name}: counted {ours:g}, scanned {theirs:g}")
    return found


def samples(folder: Path) -> Iterator[tuple[str, Path, Count]]:
    """Every sample as a copy that can be scanned, with its reader and its count; databases are made from their text."""
    for original in sorted(path for path in SAMPLES.glob("*/*") if not path.name.endswith(".settings.json")):
        reader, copy = original.parent.name, folder / original.relative_to(SAMPLES)
        copy.parent.mkdir(parents=True, exist_ok=True)
        if original.is_dir():
            shutil.copytree(original, copy)
        elif original.suffix == ".sql":
            copy = copy.with_suffix(".db")
            with closing(sqlite3.connect(copy)) as connection:
                connection.executescript(original.read_text())
        else:
            for beside in original.parent.glob(f"{original.stem}.*"):
                shutil.copy(beside, copy.with_name(beside.name))
        yield reader, copy, COUNTERS[reader](original)


# ----------------------------------------------------------------------------------------------------
# Runs of a pack, in the shape that their agent writes.


def as_mini_swe_agent(run: dict[str, Any], number: int) -> tuple[str, Any]:
    messages: list[Any] = [{"role": "user", "content": run["id"]}]
    for step in (step for step in run["steps"] if step["tool"]):
        messages.append({"role": "assistant", "content": step["text"] or "", "extra": {"actions": [step["args"]]}})
        code = None if step["error"] is None else int(step["error"])
        messages.append(
            {
                "role": "user",
                "content": step["output"] or "",
                "extra": {"returncode": code, "raw_output": step["output"] or ""},
            }
        )
    patch = "+ a line of a patch\n" * (45_000 if number % 50 == 0 else 40)  # in front of everything, up to 900 kB
    info = {
        "submission": patch,
        "model_stats": {"instance_cost": run["meta"].get("instance_cost") or 0},
        "mini_version": "1",
    }
    return "traj.json", {"info": info, "messages": messages}


def as_swe_agent(run: dict[str, Any], number: int) -> tuple[str, Any]:
    steps = [s for s in run["steps"] if s["tool"]]
    trajectory = [
        {
            "action": s["args"].get("command") or json.dumps(s["args"]),
            "observation": s["output"] or "",
            "thought": s["text"] or "",
            "state": "{}",
        }
        for s in steps
    ]
    stats = {name: run["meta"].get(name) or 0 for name in ("instance_cost", "tokens_sent", "tokens_received")}
    return "traj", {"environment": "e", "trajectory": trajectory, "history": [], "info": {"model_stats": stats}}


def as_openai_chat(run: dict[str, Any], number: int) -> tuple[str, Any]:
    messages: list[Any] = [{"role": "user", "content": run["id"]}]
    for place, step in enumerate(step for step in run["steps"] if step["tool"]):
        function = {"name": step["tool"], "arguments": json.dumps(step["args"])}
        messages.append(
            {
                "role": "assistant",
                "content": step["text"],
                "tool_calls": [{"id": f"c{place}", "type": "function", "function": function}],
            }
        )
        messages.append({"role": "tool", "tool_call_id": f"c{place}", "content": step["output"] or ""})
    return "json", {"id": run["id"], "messages": messages}


def found_nothing(step: dict[str, Any]) -> bool:
    """A search that finds nothing exits with 1; it has not failed."""
    return (
        re.match(r"(?:which|grep|rg) ", step["args"]["command"]) is not None and "<output>\n</output>" in step["output"]
    )


def written(pack: Path, folder: Path, most: int) -> Iterator[tuple[str, Path, Count]]:
    """Runs of a pack as files of their agent, with the count taken from the pack."""
    shapes = {"mini-swe-agent": as_mini_swe_agent, "SWE-agent": as_swe_agent, "tool-calling": as_openai_chat}
    with gzip.open(pack, "rt") as file:
        for number, line in enumerate(file):
            run = json.loads(line)
            agent = next((name for name in shapes if run["agent"].startswith(name)), "")
            steps = [step for step in run["steps"] if step["tool"]]
            if not agent or not steps or most <= 0:
                continue
            most -= 1
            ending, content = shapes[agent](run, number)
            path = folder / f"{pack.name}-{number}.{ending}"
            path.write_text(json.dumps(content))
            meta = run["meta"]
            known = agent == "mini-swe-agent" and all(step["error"] is not None for step in steps)
            failures = sum(step["error"] and not found_nothing(step) for step in steps) if known else None
            costs = agent in ("mini-swe-agent", "SWE-agent")
            tokens = (
                [meta.get(name) or 0 for name in ("tokens_sent", "tokens_received")] if agent == "SWE-agent" else [0, 0]
            )
            yield agent, path, Count(len(steps), failures, *tokens, (meta.get("instance_cost") or 0) if costs else 0)


def compare(counted: list[tuple[str, Path, Count]], folder: Path) -> list[tuple[str, Path, Count, list[str]]]:
    said = scanned(folder)
    return [(reader, path, count, differences(count, said.get(str(path)))) for reader, path, count in counted]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("packs", nargs="*", type=Path, help="runs, one on each line")
    parser.add_argument("--runs", type=int, default=500, help="how many runs of the packs")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="headway-count-") as place:
        folder = Path(place) / "samples"
        found = compare(list(samples(folder)), folder)
        for reader, path, count, wrong in found:
            name = str(path.relative_to(folder)).removeprefix(f"{reader}/")
            figures = ["–" if figure in (None, -1) else f"{figure:,.6g}" for figure in count]
            print(
                f"{reader:19} {name[:36]:36} "
                + " ".join(f"{figure:>9}" for figure in figures)
                + "  "
                + ("; ".join(wrong) or "equal")
            )
        runs: list[tuple[str, Path, Count]] = []
        (packed := Path(place) / "packs").mkdir()
        for pack in options.packs:
            runs += written(pack, packed, options.runs - len(runs))
        real = compare(runs, packed) if runs else []
    tell(found, real)


def tell(found: list[tuple[str, Path, Count, list[str]]], real: list[tuple[str, Path, Count, list[str]]]) -> None:
    for name, rows_ in (("samples", found), ("runs of packs", real)):
        refused = sum(wrong == ["refused"] for *_, wrong in rows_)
        equal = sum(not wrong for *_, wrong in rows_)
        print(f"{name}: {len(rows_)}, equal {equal}, refused {refused}, different {len(rows_) - equal - refused}")
    for agent, path, _, wrong in real:
        if wrong:
            print(f"  {agent} {path.name}: {'; '.join(wrong)}")
    sys.exit(any(wrong for *_, wrong in [*found, *real]))


if __name__ == "__main__":
    main()
