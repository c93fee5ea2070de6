from openai_loop import ask
from openinference.instrumentation.openai import OpenAIInstrumentor


def run(provider, look_up_customer, address):
    OpenAIInstrumentor().instrument(tracer_provider=provider)
    ask(look_up_customer, address)
