"""Haystack

One hook at two points of the Agent; pass your own hooks as `headway.hooks({"on_exit": [mine]})`. A nudge is a user
message before the next request, a refused call gets an error with the reason as its result, and a stop ends the run
with a last message and `exit_reason` `headway: exact_cycle`, which a pipeline can route by. A run is a conversation;
runs with the same `hook_context={"conversation": "user-42"}` are turns of one.
"""

from haystack.components.agents import Agent
from haystack.dataclasses import ChatMessage
from haystack.tools import tool

from headway.hosts.frameworks.haystack import Headway


@tool
def bash(command: str) -> str:
    """Run a command."""
    return "a.py b.py"


def agent(chat_generator) -> Agent:
    return Agent(chat_generator=chat_generator, tools=[bash], hooks=Headway().hooks())


def run(chat_generator, question: str) -> tuple[str, str]:
    result = agent(chat_generator).run(messages=[ChatMessage.from_user(question)])
    return result["last_message"].text, result["exit_reason"]
