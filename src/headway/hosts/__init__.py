"""What runs Headway: agent programs (`hook/`) and frameworks (`frameworks/`). One file each; import the one you use.

A host translates events and answers. `delivery.py` chooses the strongest action that its abilities allow.
"""

from collections.abc import Mapping

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def as_arguments(given: object) -> "dict[str, Any]":
    """A call's arguments as a mapping, whatever the host passes; many pass the JSON text that the model wrote."""
    if isinstance(given, (str, bytes)) and given[:1] in ("{", "[", b"{", b"["):
        import json

        try:
            given = json.loads(given)
        except (ValueError, RecursionError):
            return {"input": given}
    if isinstance(given, dict) or isinstance(given, Mapping):  # noqa: SIM101 - a dict is found out far quicker alone
        return dict(given)
    return {} if given is None else {"input": given}
