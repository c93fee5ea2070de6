"""`samples/weave/calls.jsonl`: a small agent watched by Weave, its calls as the trace server gives them out.

    pip install weave==0.51.59 openai emoji && WEAVE_CLIENT_PARALLELISM=0 python tests/readers/making/weave_calls.py

This version of Weave has a trace server of its own, in SQLite, so nothing leaves the machine. The model is scripted.
"""

import json
import tempfile
from pathlib import Path

import openai
import weave
from scripted_model import serve
from weave.integrations.openai.openai_sdk import get_openai_patcher
from weave.trace import weave_client
from weave.trace.context.weave_client_context import set_weave_client_global
from weave.trace_server import trace_server_interface as tsi
from weave.trace_server.external_to_internal_trace_server_adapter import ExternalTraceServer, IdConverter
from weave.trace_server.sqlite_trace_server import SqliteTraceServer

SAMPLE = Path(__file__).parent.parent / "samples" / "weave" / "calls.jsonl"
PROJECT = ("dev", "shop")
LONG = (
    "logprobs",
    "service_tier",
    "system_fingerprint",
    "audio",
    "annotations",
    "refusal",
    "sys_version",
    "os_version",
    "os_release",
    "self",
)


def asks(*calls):
    made = [
        {"id": f"call_{name}_{number}", "type": "function", "function": {"name": name, "arguments": json.dumps(args)}}
        for number, (name, args) in enumerate(calls)
    ]
    return {"role": "assistant", "content": None, "tool_calls": made}


SCRIPT = [
    asks(("read_file", {"path": "calc.py"}), ("run_tests", {"command": "pytest -q"})),
    asks(("edit_file", {"path": "calc.py", "old": "a * b", "new": "a + b"})),
    {"role": "assistant", "content": "The text to replace is not in calc.py."},
]


class Names(IdConverter):
    """A server knows projects by another name than people do."""

    def ext_to_int_project_id(self, project_id):
        return project_id.encode().hex()

    def int_to_ext_project_id(self, project_id):
        return bytes.fromhex(project_id).decode()

    def ext_to_int_run_id(self, run_id):
        return run_id

    def int_to_ext_run_id(self, run_id):
        return run_id

    def ext_to_int_user_id(self, user_id):
        return user_id

    def int_to_ext_user_id(self, user_id):
        return user_id


@weave.op
def read_file(path: str) -> str:
    return "def add(a, b):\n    return a - b\n"


@weave.op
def run_tests(command: str) -> str:
    return "E   assert -1 == 3\n1 failed in 0.02s"


@weave.op
def edit_file(path: str, old: str, new: str) -> str:
    raise ValueError(f"not found in {path}: {old}")


@weave.op
def note(text: str) -> None:
    """No tool: nobody asked for it by name."""


TOOLS = {"read_file": read_file, "run_tests": run_tests, "edit_file": edit_file}


@weave.op
def agent(task: str) -> str:
    client = openai.OpenAI(base_url=MODEL, api_key="none")
    messages = [{"role": "user", "content": task}]
    while True:
        answer = client.chat.completions.create(model="gpt-5", messages=messages).choices[0].message
        messages.append(answer.model_dump(exclude_none=True))
        note("answered")
        if not answer.tool_calls:
            return answer.content
        for call in answer.tool_calls:
            try:
                output = TOOLS[call.function.name](**json.loads(call.function.arguments))
            except ValueError as error:
                output = f"ValueError: {error}"
            messages.append({"role": "tool", "tool_call_id": call.id, "content": output})


def shortened(value):
    """Without what only the provider needs."""
    if isinstance(value, dict):
        kept = {name: item for name, item in value.items() if name not in LONG and "openai.Omit" not in str(item)[:20]}
        return {name: shortened(item) for name, item in kept.items()}
    return [shortened(item) for item in value] if isinstance(value, list) else value


def main(folder):
    store = SqliteTraceServer(f"{folder}/calls.db")
    store.setup_tables()
    server = ExternalTraceServer(store, Names())
    client = weave_client.WeaveClient(*PROJECT, server, ensure_project_exists=False)
    set_weave_client_global(client)
    get_openai_patcher().attempt_patch()
    with weave.thread("conversation-1"):
        agent("add() is wrong, please fix it")
    client.flush()
    calls = server.calls_query(tsi.CallsQueryReq(project_id="/".join(PROJECT))).calls
    found = [shortened(json.loads(call.model_dump_json())) for call in calls]
    assert all(call["ended_at"] for call in found), (
        "the server has not stored all of it; is WEAVE_CLIENT_PARALLELISM=0 set?"
    )
    for call in found:
        if call["exception"]:
            call["exception"] = json.dumps(json.loads(call["exception"]) | {"traceback": []})
    lines = [json.dumps(call) for call in found]
    SAMPLE.parent.mkdir(exist_ok=True)
    SAMPLE.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    MODEL = serve("gpt-5", lambda messages: SCRIPT.pop(0))
    with tempfile.TemporaryDirectory() as folder:
        main(folder)
