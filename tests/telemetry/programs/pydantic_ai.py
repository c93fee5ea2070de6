import os

from pydantic_ai import Agent, InstrumentationSettings
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.openai import OpenAIProvider


def run(provider, look_up_customer, address):
    Agent.instrument_all(InstrumentationSettings(include_content=os.environ.get("RECORD") != "false"))
    model = OpenAIChatModel("scripted", provider=OpenAIProvider(base_url=address, api_key="none"))
    Agent(model, tools=[look_up_customer]).run_sync("Look up our customers.")
