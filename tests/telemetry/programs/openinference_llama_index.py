import asyncio

from llama_index.core.agent.workflow import FunctionAgent
from llama_index.llms.openai_like import OpenAILike
from openinference.instrumentation.llama_index import LlamaIndexInstrumentor


def run(provider, look_up_customer, address):
    LlamaIndexInstrumentor().instrument(tracer_provider=provider)
    asyncio.run(ask(look_up_customer, address))


async def ask(look_up_customer, address):
    model = OpenAILike("scripted", api_base=address, api_key="none", is_chat_model=True, is_function_calling_model=True)
    agent = FunctionAgent(tools=[look_up_customer], llm=model, streaming=False)
    await agent.run("Look up our customers.")
