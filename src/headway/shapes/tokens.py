"""Tokens of one answer, under the names that `usage_of` knows."""

from headway.shapes.values import Record


def beside_cache(fresh: object, out: object, read: object = None, written: object = None) -> Record:
    """Where the tokens of the prompt are told without those that came from a cache or were put into one."""
    return {
        "input_tokens": fresh,
        "output_tokens": out,
        "cache_read_input_tokens": read,
        "cache_creation_input_tokens": written,
    }


def with_cache(prompt: object, out: object, read: object = None, written: object = None) -> Record:
    """Where the tokens of the prompt are all of them, and those of the cache a part of these."""
    return {
        "prompt_tokens": prompt,
        "completion_tokens": out,
        "cache_read_input_tokens": read,
        "cache_creation_input_tokens": written,
    }
