"""What a person typed, without what Cursor puts around it."""

import re
from collections.abc import Iterable, Iterator

_QUERY = re.compile(r"<user_query>(.*?)</user_query>", re.DOTALL)
_MACHINE = ("<user_info>", "<system_reminder>", "<timestamp>", "<open_and_recently_viewed_files>", "<rules>")


def spoken(texts: Iterable[str]) -> Iterator[str]:
    """The queries in a message; a text without any is one, unless a machine wrote it."""
    for one in texts:
        found = _QUERY.search(one)
        if found:
            yield found[1].strip()
        elif not one.startswith(_MACHINE):
            yield one
