"""Google ADK

One plugin for the runner (or the `App`), and every agent in it is watched, each separately. A nudge is added to the
tool's result under `headway`, a refused call gets `{"error": …}`, and a stop is the agent's last answer, with the
reason in its event's `custom_metadata["headway"]`. A session is a conversation. With `Headway(store="session")` (ADK
2.0 or newer) Headway's state is stored in the state of the session, wherever that is stored. With `policy.attended`,
the call waits for ADK's own tool confirmation.
"""

from google.adk.agents import LlmAgent
from google.adk.runners import InMemoryRunner
from google.genai import types

from headway.hosts.frameworks.google_adk import Headway


def bash(command: str) -> dict:
    """Run a command."""
    return {"output": "a.py b.py"}


def runner(model) -> InMemoryRunner:
    agent = LlmAgent(name="lister", model=model, tools=[bash])
    return InMemoryRunner(agent=agent, app_name="example", plugins=[Headway()])


async def run(model, question: str) -> str:
    with_headway = runner(model)
    session = await with_headway.session_service.create_session(app_name="example", user_id="me")
    message = types.Content(role="user", parts=[types.Part(text=question)])
    async for event in with_headway.run_async(user_id="me", session_id=session.id, new_message=message):
        last = event
    return last.content.parts[0].text
