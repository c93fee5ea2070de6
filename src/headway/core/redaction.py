"""What may be saved of a session: no output of a tool, and no secret that can be recognised.

Detectors compare past steps by fingerprint, not by text, so a session loaded from disk finds the same as one that
stayed in memory. Steps that were saved before are passed through unchanged: only new steps cost time.
"""

import msgspec

from headway.core.call import Call
from headway.core.session import Session
from headway.core.step import Step
from headway.rolling.secrets import masked


def redacted(session: Session) -> Session:
    """A copy of a session without outputs and secrets."""
    waiting = {id: _call(call) for id, call in session.pairing.waiting.items()}
    return msgspec.structs.replace(
        session,
        calls=[_call(call) for call in session.calls],
        steps=[_step(step) for step in session.steps],
        errors=[_step(step) for step in session.errors],
        pairing=msgspec.structs.replace(session.pairing, waiting=waiting),
    )


def _step(step: Step) -> Step:
    if step.fingerprint is not None:
        return step
    return msgspec.structs.replace(step, output="", fingerprint=step.normal, call=_call(step.call))


def _call(call: Call) -> Call:
    if call.masked:
        return call
    meaning = call.meaning
    if meaning.command or meaning.query:
        meaning = msgspec.structs.replace(meaning, command=masked(meaning.command), query=masked(meaning.query))
    return msgspec.structs.replace(call, params=masked(call.params), meaning=meaning, masked=True)
