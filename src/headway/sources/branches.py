"""Finds the records of the final conversation where each record names its parent."""

from collections.abc import Iterable


class Branches:
    """The tree of a recording's records.

    A user who goes back and asks differently leaves the abandoned branch in the file. The conversation is the chain
    that ends at the last record. Side branches (results of parallel calls, notes of hooks) belong to it too, unless
    they begin with another prompt. Only ids are stored, not records.
    """

    def __init__(self, links: Iterable[tuple[str, str]]) -> None:
        parents: dict[str, str] = {}
        self._repeated: dict[str, bool] = {}
        self._last = ""
        for id, parent in links:
            if id in parents:
                self._repeated[id] = False
            parents[id] = parent
            self._last = id
        self._chain: set[str] = set()
        node = self._last
        while node and node not in self._chain:
            self._chain.add(node)
            node = parents.get(node, "")
        self._abandoned: set[str] = set()

    def has_come_before(self, id: str) -> bool:
        """Whether a record with this id came earlier in the file. Call it for each record in order."""
        before = self._repeated.get(id, False)
        if id in self._repeated:
            self._repeated[id] = True
        return before

    def leaves_out(self, id: str, parent: str, is_prompt: bool) -> bool:
        """Whether a record is on an abandoned branch. Call it for each record in order."""
        chain = self._chain
        beside = is_prompt and parent in chain and parent != self._last and id not in chain
        if beside or parent in self._abandoned:
            self._abandoned.add(id)
            return True
        return False
