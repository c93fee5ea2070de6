"""Calls and their results, brought together by id, however untidily they arrive."""

import msgspec

from headway.core.call import Call
from headway.rolling.bounded import put


class Pairing(msgspec.Struct):
    """Which calls wait for their result, and what did not fit."""

    waiting: dict[str, Call] = {}
    finished: dict[str, None] = {}
    results_without_call: int = 0
    results_repeated: int = 0
    calls_without_result: int = 0

    @property
    def latest(self) -> str | None:
        """The id of the latest call that has no result yet."""
        return next(reversed(self.waiting), None)

    def knows(self, id: str | None) -> bool:
        """Whether a call with this id waits for its result, or has had it lately."""
        return id in self.waiting or id in self.finished

    def is_repeated(self, call: Call) -> bool:
        """Whether this call is already open: some hosts announce a call twice."""
        waiting = self.waiting.get(call.id)
        return waiting is not None and waiting.digest == call.digest

    def open(self, call: Call, limit: int) -> None:
        """Wait for a call's result. A call whose id is taken over, or that waits for too long, will have none."""
        if call.id in self.waiting or len(self.waiting) >= limit:
            self.calls_without_result += 1
        self.finished.pop(call.id, None)
        put(self.waiting, call.id, call, limit)

    def close(self, id: str, limit: int) -> Call | None:
        """The call that a result belongs to; None for a result that has come before or that no call waits for."""
        call = self.waiting.pop(id, None)
        if call is not None:
            put(self.finished, id, None, limit)
        elif id in self.finished:
            self.results_repeated += 1
        else:
            self.results_without_call += 1
        return call
