"""An agent in ten lines around the client of OpenAI."""

import json

from openai import OpenAI

TOOL = {
    "type": "function",
    "function": {
        "name": "look_up_customer",
        "description": "Look up a customer.",
        "parameters": {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]},
    },
}


def ask(look_up_customer, address, tracer=None):
    client = OpenAI(base_url=address, api_key="none")
    messages = [{"role": "user", "content": "Look up our customers."}]
    while True:
        answer = client.chat.completions.create(model="scripted", messages=messages, tools=[TOOL]).choices[0].message
        if not answer.tool_calls:
            return
        messages.append(answer.model_dump(exclude_none=True))
        for call in answer.tool_calls:
            result = look_up_customer(**json.loads(call.function.arguments))
            messages.append({"role": "tool", "tool_call_id": call.id, "content": result})
