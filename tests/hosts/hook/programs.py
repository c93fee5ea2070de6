"""Simulated agents: what each program sends to its hook, and how it reads the answer."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from headway.hosts.hook.call import respond

CAPTURES = Path(__file__).parent / "captures"
PROGRAMS = (
    "claude-code",
    "codex",
    "gemini",
    "qwen",
    "copilot",
    "cursor",
    "openhands",
    "opencode",
    "kilo",
    "pi",
    "cline",
)

Data = dict[str, Any]


def captured(name: str) -> list[Data]:
    return [json.loads(line) for line in (CAPTURES / f"{name}.jsonl").read_text("utf-8").splitlines()]


def ask(data: Data, agent: str | None = None, mode: str = "enforce") -> Data:
    """The answer of the hook, in this process; {} where it says nothing. An empty mode is the hook's own default."""
    arguments = [*(["--agent", agent] if agent else []), *(["--mode", mode] if mode else [])]
    answer = respond(json.dumps(data).encode(), arguments)
    return json.loads(answer) if answer else {}


def run(sent: bytes, *arguments: str, **options: Any) -> subprocess.CompletedProcess[bytes]:
    """The same, as an agent does it: a process of its own."""
    command = [str(Path(sys.executable).parent / "headway"), "hook", *arguments]
    return subprocess.run(command, input=sent, capture_output=True, timeout=60, check=False, **options)


class Program:
    """One agent program, as far as a hook can see it."""

    def __init__(self, agent: str, session: str = "s1", mode: str = "enforce") -> None:
        self.agent, self.session, self.count, self.mode = agent, session, 0, mode

    def prompt(self, text: str) -> Data:
        return self._ask(self.spelled("prompt", prompt=text, message=text))

    def step(self, command: str, output: str, *, failed: bool = False) -> tuple[Data, Data]:
        """Ask for a call; if it is not refused, let it come back. The two answers."""
        self.count += 1
        before = self._ask(self.spelled("before", command=command))
        if refusal_in(before):
            if self.agent == "claude-code":
                self._ask(self._batch(command, f"PreToolUse:Bash hook error: {refusal_in(before)}"))
            return before, {}
        moment = "failed" if failed and self.agent in ("claude-code", "qwen", "copilot", "cursor") else "after"
        return before, self._ask(self.spelled(moment, command=command, output=output, code=int(failed)))

    def _batch(self, command: str, output: str) -> Data:
        """What Claude Code tells when all calls of an answer have ended, or did not run."""
        data = self.spelled("after", command=command, output=output)
        call = {name: data.pop(name) for name in ("tool_name", "tool_input", "tool_use_id")}
        del data["tool_response"]
        return data | {"hook_event_name": "PostToolBatch", "tool_calls": [call | {"tool_response": output}]}

    def end(self, text: str = "all done", again: bool = False) -> Data:
        return self._ask(self.spelled("end", message=text, again=again))

    def spelled(self, moment: str, **said: Any) -> Data:
        data: Data = _SPELLINGS[self.agent](self, moment, said)
        return data

    def _ask(self, data: Data) -> Data:
        return ask(data, self.agent, self.mode)


def refusal_in(answer: Data) -> str:
    """The reason why a call was refused; empty if it was not."""
    nested = answer.get("hookSpecificOutput", {})
    if nested.get("permissionDecision") == "deny":
        return str(nested["permissionDecisionReason"])
    if answer.get("permissionDecision") == "deny":
        return str(answer["permissionDecisionReason"])
    if answer.get("permission") == "deny":
        return str(answer["agent_message"])
    if answer.get("decision") == "deny":
        return str(answer["reason"])
    return str(answer.get("deny") or answer.get("stop") or "")


def told_in(answer: Data) -> str:
    """The message for the model after a call."""
    nested = answer.get("hookSpecificOutput", {})
    found = nested.get("additionalContext") or answer.get("additionalContext")
    return str(found or answer.get("additional_context") or answer.get("tell") or "")


def kept_going_in(answer: Data) -> str:
    """What keeps the agent from ending its turn."""
    if answer.get("decision") in ("block", "deny"):
        return str(answer["reason"])
    return str(answer.get("followup_message") or answer.get("go_on") or answer.get("tell") or "")


def _claude_like(program: Program, moment: str, said: Data) -> Data:
    name = {"prompt": "UserPromptSubmit", "before": "PreToolUse", "after": "PostToolUse", "end": "Stop"}
    data: Data = {
        "session_id": program.session, "cwd": "/home/dev/project", "permission_mode": "default",
        "transcript_path": "/home/dev/t.jsonl", "hook_event_name": name.get(moment, "PostToolUseFailure"),
    }  # fmt: skip
    if moment == "prompt":
        return data | {"prompt": said["prompt"], "prompt_id": f"p{program.count}"}
    if moment == "end":
        return data | {"stop_hook_active": said["again"], "last_assistant_message": said["message"]}
    call = {"tool_name": "Bash", "tool_input": {"command": said["command"]}, "tool_use_id": f"call-{program.count}"}
    results = {"before": {}, "after": {"tool_response": {"stdout": said.get("output"), "stderr": ""}}}
    return data | call | results.get(moment, {"error": f"Exit code 1\n{said.get('output')}"})


def _codex(program: Program, moment: str, said: Data) -> Data:
    data = _claude_like(program, moment, said) | {"model": "gpt-5", "turn_id": f"t{program.count}"}
    return data | ({"tool_response": said["output"]} if moment == "after" else {})


def _qwen(program: Program, moment: str, said: Data) -> Data:
    data = _claude_like(program, moment, said) | {"timestamp": f"2026-11-15T17:00:{program.count % 60:02d}.000Z"}
    text = f"Output: {said.get('output')}\nExit Code: {int(moment == 'failed')}"
    return data | {"after": {"tool_response": {"llmContent": text}}, "failed": {"error": text}}.get(moment, {})


def _gemini(program: Program, moment: str, said: Data) -> Data:
    name = {"prompt": "BeforeAgent", "before": "BeforeTool", "after": "AfterTool", "end": "AfterAgent"}[moment]
    data: Data = {
        "session_id": program.session, "cwd": "/home/dev/project", "hook_event_name": name, "transcript_path": "/t",
        "timestamp": f"2026-11-15T17:{program.count // 60:02d}:{program.count % 60:02d}.{len(name):03d}Z",
    }  # fmt: skip
    if moment == "prompt":
        return data | {"prompt": said["prompt"]}
    if moment == "end":
        return data | {"prompt": "x", "prompt_response": said["message"], "stop_hook_active": said["again"]}
    call = {"tool_name": "run_shell_command", "tool_input": {"command": said["command"]}}
    return data | call | ({"tool_response": {"llmContent": f"Output: {said['output']}"}} if moment == "after" else {})


def _copilot(program: Program, moment: str, said: Data) -> Data:
    data: Data = {
        "sessionId": program.session,
        "cwd": "/home/dev/project",
        "timestamp": 1_794_765_250_000 + program.count,
    }
    if moment == "prompt":
        return data | {"prompt": said["prompt"]}
    if moment == "end":
        return data | {"stopReason": "end_turn", "stop_hook_active": said["again"]}
    call = {"toolName": "bash", "toolArgs": {"command": said["command"]}}
    text = f"{said.get('output')}\n<shellId: 0 completed with exit code {said.get('code')}>"
    result = {"toolResult": {"resultType": "success", "textResultForLlm": text}}
    return data | call | ({} if moment == "before" else result)


def _cursor(program: Program, moment: str, said: Data) -> Data:
    name = {"prompt": "beforeSubmitPrompt", "before": "preToolUse", "after": "postToolUse", "end": "stop"}
    data: Data = {
        "conversation_id": program.session, "generation_id": f"g{program.count}", "cursor_version": "3.1.0",
        "workspace_roots": ["/home/dev/project"], "hook_event_name": name.get(moment, "postToolUseFailure"),
    }  # fmt: skip
    if moment == "prompt":
        return data | {"prompt": said["prompt"]}
    if moment == "end":
        return data | {"status": "completed", "loop_count": int(said["again"])}
    call = {"tool_name": "Shell", "tool_input": {"command": said["command"]}, "tool_use_id": f"call-{program.count}"}
    results = {"before": {}, "after": {"tool_output": said.get("output")}}
    return data | call | results.get(moment, {"error_message": said.get("output")})


def _openhands(program: Program, moment: str, said: Data) -> Data:
    name = {"prompt": "UserPromptSubmit", "before": "PreToolUse", "after": "PostToolUse", "end": "Stop"}[moment]
    data: Data = {"event_type": name, "session_id": program.session, "working_dir": "/home/dev/project"}
    if moment == "prompt":
        return data | {"message": said["message"]}
    if moment == "end":  # `Stop` itself, which follows, does not tell what was said
        call = {"tool_name": "finish", "tool_input": {"message": said["message"], "kind": "FinishAction"}}
        return data | call | {"event_type": "PreToolUse"}
    call = {
        "tool_name": "terminal", "tool_input": {"command": said["command"], "timeout": None, "kind": "TerminalAction"}
    }  # fmt: skip
    seen = {"content": [{"type": "text", "text": said.get("output")}], "is_error": False, "exit_code": said.get("code")}
    return data | call | ({"tool_response": seen} if moment == "after" else {})


def _opencode(program: Program, moment: str, said: Data) -> Data:
    name = {
        "prompt": "chat.message",
        "before": "tool.execute.before",
        "after": "tool.execute.after",
        "end": "session.idle",
    }
    data: Data = {
        f"{program.agent}_event": name[moment],
        "sessionID": program.session,
        "directory": "/home/dev/project",
    }
    if moment in ("prompt", "end"):
        return data | {"prompt": said.get("prompt", "")}
    call = {"tool": "bash", "callID": f"call-{program.count}", "args": {"command": said["command"]}}
    return (
        data
        | call
        | ({"output": {"output": said["output"], "metadata": {"exit": said.get("code")}}} if moment == "after" else {})
    )


def _pi(program: Program, moment: str, said: Data) -> Data:
    name = {
        "prompt": "before_agent_start", "before": "tool_call", "after": "tool_result", "end": "agent_before_settle"
    }  # fmt: skip
    data: Data = {"pi_event": name[moment], "sessionID": program.session, "directory": "/home/dev/project"}
    if moment in ("prompt", "end"):
        return data | {"prompt": said.get("prompt", ""), "message": said["message"]}
    call = {"tool": "bash", "callID": f"call-{program.count}", "args": {"command": said["command"]}}
    return (
        data
        | call
        | ({"output": {"output": said["output"], "failed": bool(said["code"])}} if moment == "after" else {})
    )


def _cline(program: Program, moment: str, said: Data) -> Data:
    name = {"prompt": "beforeRun", "before": "beforeTool", "after": "afterTool", "end": "afterRun"}[moment]
    data: Data = {"cline_event": name, "sessionID": program.session, "directory": "/home/dev/project"}
    if moment in ("prompt", "end"):
        return data | {"prompt": f'<user_input mode="act">{said["message"]}</user_input>', "message": said["message"]}
    call = {"tool": "run_commands", "callID": f"call-{program.count}", "args": {"commands": [said["command"]]}}
    seen = {"query": said["command"], "result": said.get("output"), "success": not said.get("code")}
    return data | call | ({"output": {"output": [seen]}} if moment == "after" else {})


_SPELLINGS = {
    "claude-code": _claude_like, "codex": _codex, "gemini": _gemini, "qwen": _qwen, "copilot": _copilot,
    "cursor": _cursor, "openhands": _openhands, "opencode": _opencode, "kilo": _opencode, "pi": _pi,
    "cline": _cline,
}  # fmt: skip
