"""What other projects do about loops, restated as small watchers, to be measured on the same runs.

Each rule is written down from its project's behaviour, not copied from its code. All see one step at a time, as a live
host would: what was called, with what, what came back. Most look at calls only, which is the point.
"""

from collections import Counter, deque
from collections.abc import Callable, Hashable

import msgspec

from headway.core import events
from headway.core.events import Event
from headway.study.judged import SILENCE, Answer, Watcher
from headway.tools.meaning import Vocabulary

VOCABULARY = Vocabulary.packaged()
CHANGES = ("edit", "write")
LOOKS = ("read", "search", "list")


class Seen(msgspec.Struct, frozen=True):
    """One step, as a peer sees it."""

    tool: str
    call: Hashable
    result: Hashable
    failed: bool
    kind: str
    words: frozenset[str] = frozenset()


class Peer:
    """Base: remembers the open calls and hands over whole steps."""

    forgets_on_user = True

    def __init__(self) -> None:
        self.open: dict[str, events.ToolCalled] = {}
        self.reset()

    def reset(self) -> None:
        """Begin anew."""

    def step(self, seen: Seen) -> str:
        """What is done about a step: nothing, "nudge" or "stop"."""
        return ""

    def message(self, text: str) -> str:
        """What is done about a message."""
        return ""

    def __call__(self, event: Event) -> Answer:
        """Take in one event."""
        word = ""
        match event:
            case events.AgentSpoke():
                word = self.message(event.text)
            case events.UserSpoke() if self.forgets_on_user:
                self.reset()
            case events.ToolCalled():
                self.open[event.call] = event
            case events.ToolReturned() if event.call in self.open:
                word = self.step(_seen(self.open.pop(event.call), event))
        return (word, "peer", "") if word else SILENCE


def _seen(call: events.ToolCalled, result: events.ToolReturned) -> Seen:
    kind = VOCABULARY.meaning(call.tool, call.args).kind
    identity = (call.tool, repr(sorted(call.args.items(), key=lambda item: item[0])))
    words = frozenset(result.output[:2000].split())
    return Seen(call.tool, identity, (identity, result.output), bool(result.failed), kind, words)


def laps(keys: deque[Hashable], length: int, times: int) -> bool:
    """Whether the latest keys are one block of this length, so many times."""
    tail = list(keys)[-length * times :]
    return len(tail) == length * times and all(tail[i] == tail[i % length] for i in range(len(tail)))


class OpenHandsV0(Peer):
    """Four equal steps, three equal calls that all fail, three equal messages, or A-B-A-B-A-B."""

    forgets_on_user = False

    def reset(self) -> None:
        self.steps: deque[Hashable] = deque(maxlen=6)
        self.errors: deque[Hashable] = deque(maxlen=3)
        self.said: deque[str] = deque(maxlen=3)

    def step(self, seen: Seen) -> str:
        self.steps.append(seen.result)
        self.errors.append((seen.call, seen.failed))
        self.said.clear()
        failing = len(self.errors) == 3 and len(set(self.errors)) == 1 and seen.failed
        return "stop" if laps(self.steps, 1, 4) or laps(self.steps, 2, 3) or failing else ""

    def message(self, text: str) -> str:
        self.said.append(text)
        return "stop" if len(self.said) == 3 and len(set(self.said)) == 1 else ""


class GeminiCLI(Peer):
    """Any cycle of one to five calls, five times over, whatever came back; here stopping at the first strike."""

    def reset(self) -> None:
        self.calls: deque[Hashable] = deque(maxlen=25)

    def step(self, seen: Seen) -> str:
        self.calls.append(seen.call)
        return "stop" if any(laps(self.calls, length, 5) for length in range(1, 6)) else ""


class OpenCode(Peer):
    """Three equal calls in a row."""

    times = 3

    def reset(self) -> None:
        self.calls: deque[Hashable] = deque(maxlen=self.times)

    def step(self, seen: Seen) -> str:
        self.calls.append(seen.call)
        return "stop" if laps(self.calls, 1, self.times) else ""


class Roo(OpenCode):
    """Refuses the fourth equal call in a row."""

    forgets_on_user = False
    times = 4


class Cline(OpenCode):
    """Warns at three equal calls in a row, stops at five."""

    forgets_on_user = False
    times = 5

    def step(self, seen: Seen) -> str:
        word = super().step(seen)
        return word or ("nudge" if laps(self.calls, 1, 3) else "")


class Crush(Peer):
    """One call with one result more than five times among ten steps."""

    def reset(self) -> None:
        self.steps: deque[Hashable] = deque(maxlen=10)

    def step(self, seen: Seen) -> str:
        self.steps.append(seen.result)
        return "stop" if len(self.steps) == 10 and self.steps.count(seen.result) > 5 else ""


class Hermes(Peer):
    """Equal failures 2 and 5, failures of one tool 3 and 8, equal reads 2 and 5, cycles of two to four calls thrice."""

    def reset(self) -> None:
        self.failures: Counter[Hashable] = Counter()
        self.of_tool: Counter[str] = Counter()
        self.reads: Counter[Hashable] = Counter()
        self.calls: deque[Hashable] = deque(maxlen=12)

    def step(self, seen: Seen) -> str:
        self.calls.append(seen.call)
        if any(laps(self.calls, length, 3) and len({*list(self.calls)[-length:]}) > 1 for length in (2, 3, 4)):
            return "stop"
        return (self._failed(seen) if seen.failed else self._went(seen)) or ("nudge" if laps(self.calls, 1, 3) else "")

    def _failed(self, seen: Seen) -> str:
        self.failures[seen.call] += 1
        self.of_tool[seen.tool] += 1
        exact, tool = self.failures[seen.call], self.of_tool[seen.tool]
        if exact >= 5 or (tool >= 8 and seen.kind not in ("run", "test", "build", "vcs")):
            return "stop"
        return "nudge" if exact >= 2 or tool >= 3 else ""

    def _went(self, seen: Seen) -> str:
        self.of_tool.pop(seen.tool, None)
        if seen.kind in CHANGES:
            self.failures.clear()
        if seen.kind not in LOOKS:
            return ""
        self.reads[seen.result] += 1
        return "stop" if self.reads[seen.result] >= 5 else "nudge" if self.reads[seen.result] >= 2 else ""


class OpenRouter(Peer):
    """A streak of equal arguments for each tool, other tools in between or not: refused at three, stopped at six."""

    forgets_on_user = False

    def reset(self) -> None:
        self.streaks: dict[str, tuple[Hashable, int]] = {}

    def step(self, seen: Seen) -> str:
        last, times = self.streaks.get(seen.tool, (None, 0))
        times = times + 1 if last == seen.call else 1
        self.streaks[seen.tool] = seen.call, times
        return "stop" if times >= 6 else "nudge" if times >= 3 else ""


class DeerFlow(Peer):
    """One call three and five times among twenty, one tool thirty and fifty times among fifty, or three problems."""

    forgets_on_user = False

    def reset(self) -> None:
        self.calls: deque[Hashable] = deque(maxlen=20)
        self.tools: deque[str] = deque(maxlen=50)
        self.problems: Counter[str] = Counter()
        self.shown: dict[str, frozenset[str]] = {}

    def step(self, seen: Seen) -> str:
        self.calls.append(seen.call)
        self.tools.append(seen.tool)
        before, self.shown[seen.tool] = self.shown.get(seen.tool, frozenset()), seen.words
        again = len(seen.words) >= 10 and len(seen.words & before) >= 0.8 * len(seen.words | before)
        self.problems[seen.tool] = self.problems[seen.tool] + 1 if seen.failed or again else 0
        calls, tools = self.calls.count(seen.call), self.tools.count(seen.tool)
        if calls >= 5 or tools >= 50:
            return "stop"
        return "nudge" if calls >= 3 or tools >= 30 or self.problems[seen.tool] >= 3 else ""


class ThreeRules(Peer):
    """Ten failures in a row; a call that is no edit with one result five times since the last edit; few calls distinct.

    No project's rules, but three that anybody would write down: what a watcher has to beat.
    """

    forgets_on_user = False

    def reset(self) -> None:
        self.failures = self.calls = 0
        self.distinct: set[Hashable] = set()
        self.since_edit: Counter[Hashable] = Counter()

    def step(self, seen: Seen) -> str:
        self.calls += 1
        self.distinct.add(seen.call)
        self.failures = self.failures + 1 if seen.failed else 0
        if seen.kind in CHANGES and not seen.failed:
            self.since_edit.clear()
        elif seen.kind not in LOOKS:
            self.since_edit[seen.result] += 1
        few = self.calls >= 10 and len(self.distinct) <= 0.3 * self.calls
        return "stop" if self.failures >= 10 or few or self.since_edit[seen.result] >= 5 else ""


PEERS: dict[str, Callable[[], Watcher]] = {
    "OpenHands V0": OpenHandsV0,
    "Gemini CLI, first strike": GeminiCLI,
    "opencode": OpenCode,
    "Roo": Roo,
    "Cline": Cline,
    "crush": Crush,
    "hermes": Hermes,
    "OpenRouter": OpenRouter,
    "deer-flow": DeerFlow,
    "three simple rules": ThreeRules,
}
