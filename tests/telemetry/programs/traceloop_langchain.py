from langchain_agent import ask
from opentelemetry.instrumentation.langchain import LangchainInstrumentor


def run(provider, look_up_customer, address):
    LangchainInstrumentor().instrument(tracer_provider=provider)
    ask(look_up_customer, address)
