from openinference.instrumentation.smolagents import SmolagentsInstrumentor
from record import NAMES
from smolagents import CodeAgent, OpenAIServerModel, tool


def script(run):
    asked = ["Ada"] * len(NAMES) if run == "loop" else NAMES
    code = [
        f"# attempt {n}\nattempt = {n}\nfound_{n} = look_up_customer('{name}')\nprint(attempt, found_{n})"
        for n, name in enumerate(asked)
    ]
    return [{"text": f"Thought: look\n<code>\n{one}\n</code>", "calls": []} for one in [*code, "final_answer('done')"]]


def run(provider, look_up_customer, address):
    SmolagentsInstrumentor().instrument(tracer_provider=provider)
    model = OpenAIServerModel("scripted", api_base=address, api_key="none")
    CodeAgent([tool(look_up_customer)], model, verbosity_level=0, max_steps=20).run("Look up our customers.")
