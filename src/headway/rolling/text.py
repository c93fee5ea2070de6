"""Texts of any size and any bytes, made safe to keep."""


def clean(text: str) -> str:
    """Replace what cannot be written as UTF-8 (lone surrogates from undecodable bytes)."""
    if text.isascii():
        return text
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace").decode("utf-8")
    return text


def clip(text: str, limit: int) -> str:
    """Keep the head and the tail of a long text, and say how much is missing in between."""
    if len(text) <= limit:
        return text
    head, tail = limit * 3 // 5, limit * 2 // 5
    return f"{text[:head]}\n… {len(text) - head - tail} characters left out …\n{text[-tail:]}"
