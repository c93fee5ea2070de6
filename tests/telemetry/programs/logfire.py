import logfire
from openai_loop import ask


def run(provider, look_up_customer, address):
    processors = provider._active_span_processor._span_processors  # it makes a provider of its own
    logfire.configure(send_to_logfire=False, console=False, additional_span_processors=processors)
    logfire.instrument_openai()
    ask(look_up_customer, address)
