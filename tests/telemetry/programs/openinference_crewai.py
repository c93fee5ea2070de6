from contextlib import suppress

from crewai import LLM, Agent, Crew, Task
from crewai.tools import tool
from crewai.tools.tool_failure import ToolExecutionFailedError
from openinference.instrumentation.crewai import CrewAIInstrumentor


def run(provider, look_up_customer, address):
    CrewAIInstrumentor().instrument(tracer_provider=provider)
    model = LLM("openai/scripted", base_url=address, api_key="none")
    clerk = Agent(
        role="clerk", goal="look up", backstory="none", llm=model, tools=[tool("look_up_customer")(look_up_customer)]
    )
    task = Task(description="Look up our customers.", expected_output="a word", agent=clerk)
    with suppress(ToolExecutionFailedError):  # after five equal calls it stops by itself
        Crew(agents=[clerk], tasks=[task]).kickoff()
