from pydantic_ai import Agent
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.openai import OpenAIProvider


def run(provider, look_up_customer, address):
    Agent.instrument_all()
    model = OpenAIChatModel("scripted", provider=OpenAIProvider(base_url=address, api_key="none"))
    Agent(model, tools=[look_up_customer]).run_sync("Look up our customers.")
