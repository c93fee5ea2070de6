"""Model servers on loopback that say what a script says, and remember what they were asked.

    with AnthropicModel([Call("Bash", command="ls")], [Say("That is all.")]) as model:
        ...  # run an agent against model.url
    model.asked[1]  # the second request of the conversation, as text: what the model was told

Each class speaks the wire format of one kind of service. A turn is a list of what the model says and calls; after the
last turn it says "done".
"""

from tests.e2e.models.anthropic import AnthropicModel
from tests.e2e.models.gemini import GeminiModel
from tests.e2e.models.openai import OpenAIModel
from tests.e2e.models.scripted import Call, Full, Say, ScriptedModel

__all__ = ["AnthropicModel", "Call", "Full", "GeminiModel", "OpenAIModel", "Say", "ScriptedModel"]
