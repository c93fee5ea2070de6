"""Claude Code, started by the Claude Agent SDK, which asks a scripted model on this machine to read files."""

import asyncio
from atexit import register
from pathlib import Path
from tempfile import TemporaryDirectory

from claude_agent_sdk import ClaudeAgentOptions, HookMatcher, query
from tests.e2e.models import AnthropicModel, Call

from framework_runs import COMMANDS, Run, text_of
from headway.hosts.frameworks.claude_agent_sdk import Headway


async def idle(data, tool_use_id, context):
    return {}


async def all_of(messages) -> None:
    async for _ in messages:
        pass


def prepare() -> Run:
    folder = TemporaryDirectory(prefix="headway-bench-")
    register(folder.cleanup)
    home, project = Path(folder.name) / "home", Path(folder.name) / "project"
    home.mkdir()
    (project / "src").mkdir(parents=True)
    places = [project / command.removeprefix("cat ") for command in COMMANDS]
    for place, command in zip(places, COMMANDS, strict=True):
        place.write_text(text_of(command))
    headway = Headway()
    hooks = {"watched": headway.hooks(), "idle": {event: [HookMatcher(hooks=[idle])] for event in headway.hooks()}}

    def run(mode: str) -> None:
        with AnthropicModel(*([Call("Read", file_path=str(place))] for place in places)) as model:
            environment = {"ANTHROPIC_BASE_URL": model.url, "ANTHROPIC_API_KEY": "scripted", "HOME": str(home)}
            quiet = {"DISABLE_AUTOUPDATER": "1", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1"}
            options = {"model": "claude-sonnet-4-5", "env": {**environment, **quiet}, "allowed_tools": ["Read"]}
            messages = query(prompt="go", options=ClaudeAgentOptions(hooks=hooks[mode], cwd=str(project), **options))
            asyncio.run(all_of(headway.listen(messages) if mode == "watched" else messages))

    return run
