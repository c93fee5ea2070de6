"""Names of files as text: a name on disk may hold any bytes, and reports are UTF-8."""

import os
from pathlib import Path


def readable(path: Path | str) -> str:
    """A path as text that can be printed and stored anywhere; what is no UTF-8 becomes replacement characters."""
    return os.fsencode(path).decode("utf-8", "replace")
