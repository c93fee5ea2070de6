from agents import Agent, OpenAIResponsesModel, Runner, function_tool
from openai import AsyncOpenAI
from openinference.instrumentation.openai_agents import OpenAIAgentsInstrumentor


def run(provider, look_up_customer, address):
    OpenAIAgentsInstrumentor().instrument(tracer_provider=provider)
    model = OpenAIResponsesModel("scripted", AsyncOpenAI(base_url=address, api_key="none"))
    agent = Agent("clerk", tools=[function_tool(look_up_customer)], model=model)
    Runner.run_sync(agent, "Look up our customers.", max_turns=20)
