"""Reasons for decisions that are not detectors: what each means, and what clears it.

The reason of a decision is usually the id of a detector. The others are listed here, so that `headway explain` can
explain every reason.
"""

from typing import NamedTuple


class Reason(NamedTuple):
    """The explanation of one reason."""

    title: str
    when: str
    clears: str


REASONS = {
    "manual_stop": Reason(
        "A person stopped the run.",
        when="after `headway stop`, *Stop this agent* on the dashboard, or `monitor.stop(...)`. Every later event is "
        "answered with stop.",
        clears="with the user's next message (in code: `monitor.user_spoke(...)`), or `headway allow`.",
    ),
    "loop_detected": Reason(
        "The same call was made several times with the same target.",
        when="only in `session.stop_decision()`, when the task type limits such repeats (`loop_repeat_threshold`). "
        "Headway itself decides by the results of the calls; `headway explain exact_cycle` says how.",
        clears="with another call.",
    ),
    "target_reached": Reason(
        "A round reached the target quality.",
        when="a round after the baseline has at least `policy.target_quality`, and no tests were deleted.",
        clears="the run ends here. Without `policy.target_quality` this reason never occurs.",
    ),
    "nothing_left": Reason(
        "The rounds no longer improve the work, and everything that is measured is as good as it can be.",
        when="a loop is stuck, all its tests pass, and no other measurement can get better.",
        clears="the loop ends here. Only you can tell whether the task is done.",
    ),
    "claim_contradicted": Reason(
        "The agent's final message says that tests pass, and its last test run shows that they do not.",
        when="when the agent ends its turn, and says so of all tests or of tests by name. It is nudged once per turn.",
        clears="with a test run that passes, or a final message that says what fails.",
    ),
    "failed_change": Reason(
        "The last call that was to change something outside of files failed; the final message says nothing of it.",
        when="when the agent ends its turn, and no later call can have taken its place. It is nudged once per turn.",
        clears="when the call is made again and succeeds, or with a final message that says that it failed.",
    ),
    "halted": Reason(
        "The run was stopped earlier, and the agent makes another call.",
        when="for every call after a stop, in a program whose runs a hook cannot end. The message repeats the reason.",
        clears="when the user sends a message.",
    ),
    "held_back": Reason(
        "A call was refused once, to deliver a nudge to the agent.",
        when="when there is a nudge in a program that passes on only refusals. The call itself is fine.",
        clears="when the agent makes the call again. It then runs.",
    ),
    "told_before": Reason(
        "A nudge of this turn is repeated, because the agent's context was compacted.",
        when="when a session continues after a compaction. Earlier nudges no longer lead to a block or a stop.",
        clears="it is repeated once after each compaction, until the user sends a message.",
    ),
    "owed": Reason(
        "A nudge from the end of the last turn is delivered after the next call.",
        when="when a nudge came after the agent had ended its turn and could not be delivered then.",
        clears="it is delivered once.",
    ),
}
