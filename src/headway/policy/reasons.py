"""Reasons of decisions that are not detectors: what each means, and what clears it.

A decision's reason is mostly the id of a detector, which explains itself. The others stand here, so that
`headway explain` can tell about every reason there is.
"""

from typing import NamedTuple


class Reason(NamedTuple):
    """One reason, explained."""

    title: str
    when: str
    clears: str


REASONS = {
    "manual_stop": Reason(
        "A person stopped the run.",
        when="after `monitor.stop(...)` or a `Stopped` event. Every later event is answered with stop.",
        clears="when the user speaks again (`monitor.user_spoke(...)`).",
    ),
    "target_reached": Reason(
        "A round of work reached the quality that was asked for.",
        when="a round after the baseline has at least `policy.target_quality`, and no tests were deleted for it.",
        clears="the run ends here. Without `policy.target_quality` nothing is ever good enough to stop.",
    ),
    "nothing_left": Reason(
        "The rounds no longer move the work, and everything that is measured is as good as it can be.",
        when="a loop is stuck, all its tests pass, and no other measurement can get better.",
        clears="the loop ends here. Whether the task is done, only you can tell.",
    ),
    "claim_contradicted": Reason(
        "The agent's final message reports success, but tests failed in its last test run.",
        when="the agent ends its turn in a program that Headway is installed in. It is told once in a turn.",
        clears="with a test run that passes, or a final message that says what fails.",
    ),
    "untried_fix": Reason(
        "The agent's final message reports success, but its last run failed and nothing was run after its last change.",
        when="the agent ends its turn in a program that Headway is installed in. It is told once in a turn.",
        clears="when something is run after the change, or with a final message that says what was not tried.",
    ),
    "halted": Reason(
        "The run was stopped earlier, and the agent asks for another call.",
        when="every call after a stop, in a program whose run cannot be ended from outside. The message repeats why.",
        clears="when the user speaks again.",
    ),
    "held_back": Reason(
        "A call was refused once, to tell the agent something.",
        when="something is to be said in a program that passes on nothing but refusals. The call itself is fine.",
        clears="asked for again, the call runs.",
    ),
    "told_before": Reason(
        "What the agent was told in this turn is said again, because its context was compacted.",
        when="a session goes on after a compaction. Nothing follows from what was told before it.",
        clears="it is said once after each compaction, until the user speaks.",
    ),
    "owed": Reason(
        "What was found at the end of a turn is said after the next call.",
        when="something was to be said when the agent had ended its turn, where it would not have been read.",
        clears="it is said once.",
    ),
}
