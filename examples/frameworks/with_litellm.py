"""LiteLLM

One callback for every model call that goes through LiteLLM, whatever program makes it. LiteLLM runs no tools: Headway
reads calls and results from the messages of the next request. So it cannot refuse a call. A nudge is added to the last
message of a request, and after it a stop is the exception `RunStopped`, a `BadRequestError`, in place of the model's
answer. A new message of the user lets a stopped run continue. The callback can act on `acompletion`, a `Router` and the
proxy; LiteLLM has no such hook for `completion`, so call `headway.completion(…)`, which takes the same arguments.

Pass `messages=` by name. A conversation is what `metadata={"session_id": …}` or `litellm_session_id=` names; use
`metadata={"agent": …}` to watch several agents in it separately. Without a name, a request continues the one of the
same user whose messages it begins with. Then a history that is shortened or summarised is a new conversation, and a
[store](#servers) is of no use. Costs are LiteLLM's own. Messages of an earlier request are recognised and not read
again.

The user is identified by `user=`, and in the proxy by the hash of the key, the user of the key, and the end user. If
there is none of these, two users with equal messages cannot be distinguished. What counts is then still only what a
request has in its own messages; the cost of one user's request may be counted in place of another's equal one, and
never in addition.

In the proxy, name an instance under `litellm_settings: callbacks:` in its `config.yaml`. A stop is then the model's
answer, without tool calls, so that any client ends its run. `/v1/chat/completions` and `/v1/messages` are watched, the
Responses API is not.
"""

import json

import litellm

from headway.hosts.frameworks.litellm import Headway

headway = Headway()
litellm.callbacks = [headway]

BASH = {"type": "function", "function": {"name": "bash", "parameters": {"properties": {"command": {"type": "string"}}}}}


def bash(command: str) -> str:
    return "a.py b.py"


async def run(model: str, question: str, **options) -> str:
    messages = [{"role": "user", "content": question}]
    while True:
        response = await litellm.acompletion(model=model, messages=messages, tools=[BASH], **options)
        answer = response.choices[0].message
        messages.append(answer)
        if not answer.tool_calls:
            return answer.content
        for call in answer.tool_calls:
            result = bash(**json.loads(call.function.arguments))
            messages.append({"role": "tool", "tool_call_id": call.id, "content": result})
