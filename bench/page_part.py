"""Puts one part into a page that several benchmarks write: in place of the part of that title, or before another."""

from pathlib import Path


def put(page: Path, title: str, text: str, before: str) -> None:
    """Write a part under its title (`## …`), where it was, or before the part with the other title, or at the end."""
    there = page.read_text("utf-8") if page.exists() else ""
    start = _place(there, title)
    if start is None:
        start = _place(there, before)
        start = len(there) if start is None else start
        end = start
    else:
        end = there.find("\n## ", start + 1) + 1 or len(there)
    page.write_text(f"{there[:start]}{title}\n\n{text.strip()}\n\n{there[end:]}".rstrip() + "\n", "utf-8")


def put_each(page: Path, text: str) -> None:
    """Write the parts of a text, each in place of the part of its title; parts that others wrote stay."""
    if not page.exists():
        page.write_text(text, "utf-8")
        return
    for part in text.split("\n## ")[1:]:
        title, _, body = f"## {part}".partition("\n")
        put(page, title, body, before=title)


def _place(text: str, title: str) -> int | None:
    if text.startswith(f"{title}\n"):
        return 0
    found = text.find(f"\n{title}\n")
    return None if found < 0 else found + 1
