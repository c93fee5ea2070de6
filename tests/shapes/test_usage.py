"""Tokens and money, as providers and frameworks tell them: what came from a cache is counted once."""

import pytest

from headway.shapes.message import cached_of, usage_of
from tests.readers.samples_read import of, spent

LITELLM = {
    "prompt_tokens": 7_119, "completion_tokens": 3, "total_tokens": 7_122,
    "prompt_tokens_details": {"cached_tokens": 7_000}, "cache_creation_input_tokens": 117, "cache_read_input_tokens": 7_000,
}  # fmt: skip
"""Usage as LiteLLM passes it on for Anthropic's models: the prompt already holds what was cached."""


@pytest.mark.parametrize(
    ("usage", "expected"),
    [
        (LITELLM, (7_119, 3)),
        (
            {
                "input_tokens": 2,
                "cache_creation_input_tokens": 117,
                "cache_read_input_tokens": 7_000,
                "output_tokens": 3,
            },
            (7_119, 3),
        ),
        (
            {"input_tokens": 2, "cache_creation_input_tokens": None, "cache_read_input_tokens": 0, "output_tokens": 3},
            (2, 3),
        ),
        ({"prompt_tokens": 2, "cache_read_input_tokens": 7_000, "completion_tokens": 3}, (7_002, 3)),
        ({"prompt_tokens": 0, "input_tokens": 5, "cache_read_input_tokens": 7}, (12, 0)),
        ({"input_tokens": 5, "cache_read_tokens": 70, "cache_write_tokens": 20, "output_tokens": 3}, (95, 3)),
        ({"prompt_tokens": 5, "prompt_tokens_details": {"cached_tokens": 70}, "completion_tokens": 3}, (75, 3)),
        ({"input_tokens": 90, "input_tokens_details": {"cached_tokens": 80}, "output_tokens": 4}, (90, 4)),
        (
            {"promptTokenCount": 90, "cachedContentTokenCount": 80, "candidatesTokenCount": 4, "thoughtsTokenCount": 2},
            (90, 6),
        ),
    ],
    ids=[
        "litellm",
        "anthropic",
        "no cache",
        "a prompt beside its cache",
        "zero",
        "other names",
        "details",
        "openai responses",
        "gemini",
    ],
)
def test_what_was_cached_is_counted_once(usage, expected):
    assert expected == usage_of(usage)


@pytest.mark.parametrize(
    ("usage", "expected"),
    [
        (LITELLM, (7_000, 117)),
        ({"input_tokens": 90, "input_tokens_details": {"cached_tokens": 80}}, (80, 0)),
        ({"promptTokenCount": 90, "cachedContentTokenCount": 80}, (80, 0)),
        ({"input_tokens": 90, "input_token_details": {"cache_read": 70, "cache_creation": 15}}, (70, 15)),
        ({"prompt_tokens": 90, "cached_tokens": 60}, (60, 0)),
        ({"prompt_tokens": 90}, (0, 0)),
        (None, (0, 0)),
    ],
    ids=["litellm", "openai responses", "gemini", "langchain", "atif", "none", "nothing"],
)
def test_what_was_cached_is_told_apart(usage, expected):
    assert expected == cached_of(usage)


def test_the_log_of_a_completion_tells_its_cost():
    """As OpenHands writes one for each request."""
    answer = {"choices": [{"message": {"role": "assistant", "content": "done"}}], "usage": LITELLM}
    log = {
        "messages": [{"role": "user", "content": "go"}],
        "response": answer,
        "cost": 0.0314,
        "timestamp": 1762517060.0,
    }
    stream, _ = of(log)
    assert (7_119, 3, 0.0314) == spent(stream)


def test_an_answer_that_brings_its_own_usage_still_has_the_cost_beside_it():
    answer = {
        "role": "assistant",
        "content": [{"type": "text", "text": "done"}],
        "usage": {"input_tokens": 5, "output_tokens": 2},
    }
    stream, _ = of({"messages": [{"role": "user", "content": "go"}], "response": answer, "cost": 0.01})
    assert (5, 2, 0.01) == spent(stream)


def test_a_cost_within_the_usage_counts():
    usage = {"prompt_tokens": 9, "completion_tokens": 1, "cost": 0.002}
    stream, _ = of([{"role": "user", "content": "go"}, {"role": "assistant", "content": "done", "usage": usage}])
    assert (9, 1, 0.002) == spent(stream)
