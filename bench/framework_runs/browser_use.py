"""An agent of browser-use with a tool of its own, beside a real browser. Pages are not looked at: that takes long."""

import asyncio

from browser_use import Agent, BrowserProfile, BrowserSession, Tools
from browser_use.llm.messages import SystemMessage, UserMessage
from tests.hosts.test_browser_use import CHROMIUM, Scripted, done

from framework_runs import COMMANDS, Run, text_of
from headway.hosts.frameworks.browser_use import Headway

ELEMENTS = "\n".join(f"[{number}]<a href=/{number} />\n\tChapter {number}" for number in range(20))
PAGE = f"<browser_state>\n<page_stats>20 links</page_stats>\nInteractive elements:\n{ELEMENTS}\n</browser_state>\n"

tools = Tools()


@tools.action("Run a command.")
async def bash(command: str) -> str:
    return text_of(command)


def prepare() -> Run:
    loop = asyncio.new_event_loop()
    profile = BrowserProfile(
        executable_path=CHROMIUM,
        headless=True,
        chromium_sandbox=False,
        enable_default_extensions=False,
        user_data_dir=None,
    )
    browser = BrowserSession(browser_profile=profile)
    loop.run_until_complete(browser.start())

    def run(mode: str) -> None:
        model = Scripted(*({"bash": {"command": command}} for command in COMMANDS), done())
        agent = Agent(task="go", llm=model, browser=browser, tools=tools, use_judge=False)
        loop.run_until_complete(steps(Headway().watch(agent) if mode == "watched" else agent))

    return run


async def steps(agent: Agent) -> None:
    """What a step does beside looking at the page: ask the model, and act."""
    for _ in [*COMMANDS, "done"]:
        shown = [SystemMessage(content="You are an agent."), UserMessage(content=PAGE)]
        output = await agent.get_model_output(shown)
        await agent.multi_act(output.action)
