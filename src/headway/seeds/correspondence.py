"""Lets the tracker of seed 003 exchange typed messages, without any transport.

`send` calls the recipient's `receive`. An incoming message is answered by one of the tracker's four hook points.
"""

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from headway.core.finding import Severity
from headway.scoring.assessment import LoopReport, Recommendation, RoundReport
from headway.seeds.messages import (
    BaselineRequest,
    BestIterationSelection,
    IterationComplete,
    LoopComplete,
    LoopDecision,
    LoopDecisionRequest,
    ProgressReport,
    RegressionAlert,
    TrackerMessage,
)


class Correspondent(Protocol):
    """Anything that can receive a message."""

    def receive(self, message: TrackerMessage, sender: Any) -> None:
        """Receive a message."""


class Correspondence:
    """Answers messages with the hook points of its subclass."""

    human: Correspondent | None = None
    """Also gets alerts about broken tests."""

    pre_loop: Callable[..., RoundReport]
    post_iteration: Callable[..., RoundReport]
    loop_decision: Callable[[], Recommendation]
    post_loop: Callable[..., LoopReport]

    def send(self, message: TrackerMessage, recipient: Correspondent) -> None:
        """Send a message."""
        recipient.receive(message, self)

    def receive(self, message: TrackerMessage, sender: Correspondent) -> None:
        """Receive a message and answer it. Alerts also go to the person."""
        for reply in self.generate_reply([message]):
            self.send(reply, sender)
            if isinstance(reply, RegressionAlert) and self.human is not None:
                self.send(reply, self.human)

    def generate_reply(self, messages: Sequence[TrackerMessage]) -> list[TrackerMessage]:
        """The answers to messages, in order."""
        return [reply for message in messages for reply in self._answer(message)]

    def initiate_chat(self, recipient: Correspondent, message: TrackerMessage) -> None:
        """Begin a conversation: request a baseline, or raise an alert."""
        self.send(message, recipient)

    def _answer(self, message: TrackerMessage) -> list[TrackerMessage]:
        match message:
            case BaselineRequest():
                one = self.pre_loop(message.measured, message.output, snapshot=message.snapshot, at=message.at)
                return [ProgressReport(round=one)]
            case IterationComplete():
                one = self.post_iteration(
                    message.measured,
                    message.output,
                    changes=message.changes,
                    based_on=message.based_on,
                    snapshot=message.snapshot,
                    at=message.at,
                )
                return [ProgressReport(round=one), *_alert(one)]
            case LoopDecisionRequest():
                return [LoopDecision(recommendation=self.loop_decision())]
            case LoopComplete():
                return [
                    BestIterationSelection(loop=self.post_loop(choose_round=message.choose, because=message.because))
                ]
        raise TypeError(f"a tracker does not understand {type(message).__name__}")


def _alert(one: RoundReport) -> list[TrackerMessage]:
    grave = tuple(alert for alert in one.alerts if alert.severity.rank >= Severity.HIGH.rank)
    if one.iteration.verdict != "regression" or not grave:
        return []
    return [RegressionAlert(iteration=one.iteration.number, alerts=grave)]
