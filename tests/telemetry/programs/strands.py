from strands import Agent, tool
from strands.models.openai import OpenAIModel


def run(provider, look_up_customer, address):
    model = OpenAIModel(client_args={"base_url": address, "api_key": "none"}, model_id="scripted", stream=False)
    Agent(model, tools=[tool(look_up_customer)], callback_handler=None)("Look up our customers.")
