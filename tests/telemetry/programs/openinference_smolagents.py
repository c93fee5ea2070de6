import record
from openinference.instrumentation.smolagents import SmolagentsInstrumentor
from smolagents import OpenAIServerModel, ToolCallingAgent, tool


def script(run):
    *looks, _ = record.script(run)
    return [*looks, {"text": "", "calls": [{"id": "end", "name": "final_answer", "args": {"answer": "done"}}]}]


def run(provider, look_up_customer, address):
    SmolagentsInstrumentor().instrument(tracer_provider=provider)
    model = OpenAIServerModel("scripted", api_base=address, api_key="none")
    agent = ToolCallingAgent([tool(look_up_customer)], model, verbosity_level=0, max_steps=20)
    agent.run("Look up our customers.")
