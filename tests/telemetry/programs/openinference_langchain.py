from langchain_agent import ask
from openinference.instrumentation.langchain import LangChainInstrumentor


def run(provider, look_up_customer, address):
    LangChainInstrumentor().instrument(tracer_provider=provider)
    ask(look_up_customer, address)
