"""A cycle of several calls that keeps repeating.

Why it matters: each call looks sensible on its own, but the cycle as a whole only returns known results.
Fires: when the same sequence of at least `doom_loop_min_length` calls was made `doom_loop_threshold` times with the
same results (times and ids aside). A cycle in which a tool moves on to the next key, page or row, or something is
restarted, needs three times as many repetitions; a cycle with status queries needs one more; both are advice only. One
with a change of unknown content (a reset, a new folder) needs twice as many and a call that fails each time, and is
advice only, too. If only the names of the tools repeat and no file was changed, the finding is low and unsure, and is
only recorded.
Clears: as soon as one call or one result differs or a result is missing, after a compaction, and when the user sends a
message.
Blind to: cycles that do not fit into the window, cycles that wait for something, and cycles of status queries only (see
busy_polling).
"""

from itertools import pairwise, takewhile

from headway.core.detector import Detector, Findings
from headway.core.finding import Finding, Severity
from headway.core.limits import Sizes
from headway.core.repeats import in_a_row, same_files_since, separate_asks
from headway.core.session import Session
from headway.core.step import Step
from headway.rolling.cycle import repeating_tail, repetitions_of_tail, sequence_similarity

WHY = "Find out why the same call fails each time before you run these calls again."
WAIT = "If you are waiting for something, wait with `sleep` before you ask again."


class DoomLoop(Detector):
    """A cycle of two or more calls, repeated with the same results."""

    severity: Severity = Severity.HIGH
    doom_loop_threshold: int = 3
    """Repetitions of the cycle that trigger a finding."""
    doom_loop_min_length: int = 2
    """Length of the shortest cycle that counts, in calls."""
    doom_loop_max_length: int = 12
    """Length of the longest cycle to look for, in calls."""
    similarity_threshold: float = 0.8
    """How similar the tool names of two repetitions must be (0-1) for the unsure finding."""
    similar_max_length: int = 6
    """Length of the longest cycle to compare by tool names, in calls."""
    confidence = 0.95
    clears = "Run these calls again after a change and they will be accepted."

    def on_step(self, step: Step, session: Session) -> Findings:
        """Look for the shortest cycle at the end of this turn's steps."""
        finding, times, shortest = None, self.doom_loop_threshold, self.doom_loop_min_length
        if step.again and all(other.again for other in session.steps[-shortest * (times - 1) :]):  # rarely true
            finding = self._exact(session.fresh_steps, session)
        if finding is None:
            finding = self._by_names(step.number - same_files_since(session), session)
        return (finding,) if finding else ()

    def settings_error(self, sizes: Sizes) -> str | None:
        """The threshold must be at least 2, and the shortest cycle must fit into the steps that the session keeps."""
        if self.doom_loop_threshold < 2:
            return f"doom_loop_threshold is {self.doom_loop_threshold}, but a repetition needs at least 2"
        if self.doom_loop_min_length > self.doom_loop_max_length:
            return f"doom_loop_min_length is {self.doom_loop_min_length}, above doom_loop_max_length"
        needed = self.doom_loop_threshold * self.doom_loop_min_length
        if needed > sizes.window_size:
            return f"{needed} steps are needed, but the session keeps only session.window_size = {sizes.window_size}"
        return None

    def _exact(self, steps: list[Step], session: Session) -> Finding | None:
        calls = [step.call.digest for step in steps]
        length = repeating_tail(
            calls,
            repetitions=self.doom_loop_threshold,
            min_length=self.doom_loop_min_length,
            max_length=self.doom_loop_max_length,
        )
        if length is None or any(_is_expected(step, session) for step in steps[-length:]):
            return None
        changes = any(map(_changes_more, steps[-length:]))
        if changes and not any(step.failed for step in steps[-length:]):
            return None
        repetitions = _with_same_results(steps, length, repetitions_of_tail(calls, length))
        if repetitions < self.doom_loop_threshold or not in_a_row(session, steps[-length * repetitions], steps[-1]):
            return None
        if separate_asks(steps[-length * self.doom_loop_threshold :]) == 1:
            return None
        if all(step.kind == "poll" for step in steps[-length:]):
            return None
        moves_on = any(step.acts_again for step in steps[-length:])
        polls = any(step.kind == "poll" for step in steps[-length:])
        if repetitions < self.doom_loop_threshold * (3 if moves_on else 1 + changes) + polls:
            return None
        compared = range(1, length * (repetitions - 1) + 1)
        literal = all(steps[-back].digest == steps[-back - length].digest for back in compared)
        return self.finding(
            f"The last {length * repetitions} calls were the same {length} calls{_aside(steps[-length:])}, "
            f"repeated {repetitions} times with the same results"
            f"{'' if literal else ', apart from details such as times and ids'}.",
            identity=f"{min(calls[-length:]):x}",
            repeats=calls[-length:],
            advisory=self.advisory or moves_on or polls or changes,
            clears=WAIT if polls else WHY if changes else None,
            cycle_length=length,
            repetitions=repetitions,
            cycle_actions=tuple(step.tool_name for step in steps[-length:]),
        )

    def _by_names(self, unchanged: int, session: Session) -> Finding | None:
        """Compare the names of the tools in the latest `unchanged` steps."""
        times = self.doom_loop_threshold
        longest = min(self.similar_max_length, unchanged // times, len(session.steps) // times)
        if longest < self.doom_loop_min_length:
            return None
        names = tuple([other.call.tool_name for other in session.steps[-longest * times :]])
        if names.count(names[-1]) == len(names):
            return None
        for length in range(self.doom_loop_min_length, longest + 1):
            latest = names[-length:]
            if latest.count(latest[0]) == length or not self._are_alike(names[-2 * length : -length], latest):
                continue  # usually the latest two already differ
            tail = names[-length * times :]
            rounds = [tail[i : i + length] for i in range(0, length * times, length)]
            first, last = session.steps[-length * times], session.steps[-1]
            if all(self._are_alike(*pair) for pair in pairwise(rounds)) and in_a_row(session, first, last):
                alike = "the same" if len(set(rounds)) == 1 else "a similar"
                return self.finding(
                    f"In the last {length * times} calls, {alike} series of {length} tools occurred {times} times.",
                    identity=" ".join(sorted(rounds[-1])),
                    severity=Severity.LOW,
                    confidence=0.3,
                    cycle_length=length,
                    repetitions=times,
                    cycle_actions=rounds[-1],
                )
        return None

    def _are_alike(self, one: tuple[str, ...], other: tuple[str, ...]) -> bool:
        return one == other or sequence_similarity(one, other) >= self.similarity_threshold


def _with_same_results(steps: list[Step], length: int, repetitions: int) -> int:
    """How many of the last repetitions of a cycle had the same results."""
    compared = range(1, length * (repetitions - 1) + 1)
    same = takewhile(lambda back: steps[-back].same_result(steps[-back - length]), compared)
    return 1 + len(list(same)) // length


def _aside(cycle: list[Step]) -> str:
    """What may differ between equal calls that run code."""
    return " (comments, names and unused values aside)" if any(step.call.is_code for step in cycle) else ""


def _changes_more(step: Step) -> bool:
    """A change of unknown content: its effect may differ each time."""
    return step.changed and step.call.edit is None


def _is_expected(step: Step, session: Session) -> bool:
    """Whether the step waits or was requested by the user. A cycle may contain status queries, but not only those."""
    if step.kind == "ask" and not step.meaning.guessed:
        return True  # a person answers in each round, and may have done something before that
    if step.kind == "poll" and not step.let_time_pass:
        return session.rested(step, session.sizes.poll_gap) or session.turn.asked_for(step)
    return session.is_expected_repeat(step)
