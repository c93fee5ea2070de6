"""Records that each name the one before: which of them belong to the conversation that was gone on with."""

from collections.abc import Iterable


class Branches:
    """The tree of a recording's records.

    Who goes back and asks differently leaves the abandoned branch in the file. The conversation is the chain that ends
    at the last record; what hangs beside it (results of parallel calls, notes of hooks) belongs to it too, unless it
    begins with another prompt. Ids are kept, records are not.
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
        """Whether a record with this id stands in the file for the second time or more; asked of each in order."""
        before = self._repeated.get(id, False)
        if id in self._repeated:
            self._repeated[id] = True
        return before

    def leaves_out(self, id: str, parent: str, is_prompt: bool) -> bool:
        """Whether a record is on an abandoned branch; asked of each record in order."""
        chain = self._chain
        beside = is_prompt and parent in chain and parent != self._last and id not in chain
        if beside or parent in self._abandoned:
            self._abandoned.add(id)
            return True
        return False
