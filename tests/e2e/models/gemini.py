"""The generateContent API, as Gemini CLI speaks it."""

import json

from tests.e2e.models.scripted import Say, ScriptedModel, event

_CLASSIFIED = {  # Gemini CLI asks a small model which model to use and who speaks next
    "reasoning": "scripted",
    "model_choice": "flash",
    "next_speaker": "user",
    "complexity_reasoning": "scripted",
    "complexity_score": 10,
}


class GeminiModel(ScriptedModel):
    """Point `GOOGLE_GEMINI_BASE_URL` at its `url`."""

    @staticmethod
    def messages(request):
        return request["contents"]

    def answer(self, path, request):
        if "countTokens" in path:
            return {"totalTokens": 10}
        if "enerateContent" not in path:
            return {}
        parts = [_part(item) for item in self._items(request)]
        document = {
            "candidates": [{"content": {"role": "model", "parts": parts}, "finishReason": "STOP", "index": 0}],
            "usageMetadata": {"promptTokenCount": 100, "candidatesTokenCount": 20, "totalTokenCount": 120},
            "modelVersion": "scripted",
            "responseId": "scripted",
        }
        return [event(document)] if "streamGenerateContent" in path else document

    def _items(self, request):
        settings = request.get("generationConfig", {})
        if "responseJsonSchema" in settings or "responseMimeType" in settings:
            return [Say(json.dumps(_CLASSIFIED))]
        return self.next_turn(request)[1] if request.get("tools") else [Say("ok")]


def _part(item):
    if isinstance(item, Say):
        return {"text": item.text}
    return {"functionCall": {"name": item.tool, "args": item.args}}
