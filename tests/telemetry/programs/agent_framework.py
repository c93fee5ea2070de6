import asyncio

from agent_framework import Agent
from agent_framework.observability import enable_instrumentation
from agent_framework.openai import OpenAIChatCompletionClient


def run(provider, look_up_customer, address):
    enable_instrumentation()
    client = OpenAIChatCompletionClient(model="scripted", base_url=address, api_key="none")
    agent = Agent(client, "Be brief.", name="clerk", tools=[look_up_customer])
    asyncio.run(agent.run("Look up our customers."))
