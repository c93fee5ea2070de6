import asyncio

import record
from google.adk.agents import LlmAgent
from google.adk.models import BaseLlm, LlmResponse
from google.adk.runners import InMemoryRunner
from google.genai import types


class Scripted(BaseLlm):
    """Says what the script says."""

    said: list

    async def generate_content_async(self, request, stream=False):
        message = self.said.pop(0)
        calls = [types.FunctionCall(id=c["id"], name=c["name"], args=c["args"]) for c in message["calls"]]
        parts = [types.Part(function_call=call) for call in calls] or [types.Part(text=message["text"])]
        usage = types.GenerateContentResponseUsageMetadata(prompt_token_count=100, candidates_token_count=10)
        yield LlmResponse(content=types.Content(role="model", parts=parts), usage_metadata=usage)


said = []


def script(run):
    said.extend(record.script(run))
    return []


def run(provider, look_up_customer, address):
    asyncio.run(ask(look_up_customer))


async def ask(look_up_customer):
    agent = LlmAgent(name="clerk", model=Scripted(model="scripted", said=said), tools=[look_up_customer])
    runner = InMemoryRunner(agent, app_name="shop")
    session = await runner.session_service.create_session(app_name="shop", user_id="someone")
    message = types.Content(role="user", parts=[types.Part(text="Look up our customers.")])
    async for _ in runner.run_async(user_id="someone", session_id=session.id, new_message=message):
        pass
