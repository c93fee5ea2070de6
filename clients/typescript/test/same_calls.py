"""What an adapter in Python does about a run: one JSON object in, one out. The tests of the client compare with it."""

import json
import sys

from headway.hosts.frameworks.conversation import Conversation

given = json.load(sys.stdin)
conversation = Conversation(settings=given.get("settings"))
conversation.user_spoke(given["prompt"])
steps = []
for number, calls in enumerate(given["steps"]):
    if conversation.stopped:
        break
    told = conversation.before_model()
    conversation.used(*given["tokens"])
    refused = [conversation.called(one["tool"], one["args"], f"{number}-{at}") for at, one in enumerate(calls)]
    for at, one in enumerate(calls):
        if refused[at] is None:
            conversation.returned(f"{number}-{at}", one["output"], one.get("failed"))
    steps.append({"told": told, "refused": refused})
json.dump({"steps": steps, "last": conversation.last_words if conversation.stopped else None}, sys.stdout)
