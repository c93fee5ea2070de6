"""Tokens of one answer, under the names that `usage_of` knows."""

from headway.shapes.values import Record


def beside_cache(fresh: object, out: object, read: object = None, written: object = None) -> Record:
    """For counts of prompt tokens that do not include those read from a cache or written to one."""
    return {
        "input_tokens": fresh,
        "output_tokens": out,
        "cache_read_input_tokens": read,
        "cache_creation_input_tokens": written,
    }


def with_cache(prompt: object, out: object, read: object = None, written: object = None) -> Record:
    """For counts of prompt tokens that include those read from a cache or written to one."""
    return {
        "prompt_tokens": prompt,
        "completion_tokens": out,
        "cache_read_input_tokens": read,
        "cache_creation_input_tokens": written,
    }
