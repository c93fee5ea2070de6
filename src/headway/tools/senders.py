"""Who wrote a message in the user's place, and why: one table of data about each agent program.

Programs wake an agent with messages that no person wrote: a task in the background has ended, a timer has run out, a
hook wants the agent to go on. Hooks, readers and adapters ask here, so that all of them tell the kernel the same. A
field of the event decides where the program has one; the beginning of the text decides only where it has none.
"""

from headway.tools import program_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Literal

    Sender = Literal["", "person", "continue", "schedule", "news", "correction"]
    """As in `core.events`. Empty: it is not known; then it counts as a person, who types most messages."""


class SenderMarks:
    """How one agent program marks who wrote a message."""

    def __init__(
        self,
        fields: "Mapping[str, Mapping[str, Sender]]",
        beginnings: "Mapping[str, Sender]",
        not_said: "tuple[str, ...]",
    ) -> None:
        self.fields = fields
        """Fields of its events, with the sender that each of their values means; other values mean nothing."""
        self.beginnings = beginnings
        """How texts begin, with the sender that this means."""
        self.not_said = not_said
        """How texts begin that are no message: instructions of the program, or what a command printed."""


_CLAUDE_CODE = SenderMarks(
    {
        "source": {  # of a hook event
            "user": "person", "loop_wakeup": "schedule", "schedule_wakeup": "schedule", "poll_event": "news",
            "system": "news",
        },
        "origin": {"human": "person", "task-notification": "news", "peer": "news"},  # of a line in a transcript
        "mode": {"task-notification": "news"},  # of a message that waited until the agent had time
    },
    {"<task-notification>": "news", "<teammate-message": "news", "<cross-session-message": "news"},
    (
        "<system-reminder>", "<local-command-", "<command-", "<bash-", "<ide_", "<user-prompt-submit-hook>",
        "Caveat: The messages below", "[Request interrupted",
    ),
)  # fmt: skip
_CODEX = SenderMarks(
    {},
    {"<subagent_notification>": "news", '<codex_internal_context source="goal">': "continue"},
    (
        "<environment_context", "<user_instructions", "<hook_prompt", "<turn_aborted", "<user_shell_command", "<skill>",
        "<skill ", "<permissions instructions", "<collaboration_mode", "<recommended_plugins", "<model_switch",
        "# AGENTS.md instructions",
    ),
)  # fmt: skip
_OF_PROGRAMS = {"codex": _CODEX, "gemini-cli": SenderMarks({}, {}, ("<session_context>", "<state_snapshot>"))}
"""The other programs mark messages as Claude Code does, if they mark them at all."""


def sender_of(program: str, text: str, **fields: object) -> "Sender | None":
    """Who wrote a message in the user's place, by the fields of its event or by its text; None if it is none."""
    marks = _OF_PROGRAMS.get(program_name(program), _CLAUDE_CODE)
    for name, value in fields.items():
        sender = marks.fields.get(name, {}).get(value) if isinstance(value, str) else None
        if sender:
            return sender
    begins = text.lstrip()
    if begins.startswith(marks.not_said):
        return None
    return next((sender for mark, sender in marks.beginnings.items() if begins.startswith(mark)), "")


def sender_of_all(senders: "Sequence[Sender]") -> "Sender":
    """Who wrote a message of several parts: it is news only if all of it is."""
    return next((sender for sender in senders if sender != "news"), "news")
