"""What a host can do about a decision. Each host declares it; `delivery.py` picks the strongest action.

A mode limits what Headway may do by itself, whatever the host can do. This is imported in every hook call, so it
imports neither msgspec nor `typing`.
"""

from collections import namedtuple

OBSERVE, NUDGE, ENFORCE = MODES = ("observe", "nudge", "enforce")
"""The values of `policy.mode`; `policy.Mode` is their type, which would take a hook too long to import."""

Abilities = namedtuple(
    "Abilities", "tell tell_instead refuse stop hold ask at_once", defaults=(True, True, False, False, False, False)
)
"""All abilities of one host.

    tell           moments at which a message reaches the model (AFTER is one of them if it does after a call)
    tell_instead   the reason of a refused call reaches the model, so a call can be refused to deliver a message
    refuse         one call can be refused
    stop           the run can be ended
    hold           the agent continues if it gets a message at the end of its turn
    ask            a person can be asked about one call
    at_once        a stopped run ends without another answer of the model
"""


def only_telling(can: Abilities) -> Abilities:
    """The same host in the mode `nudge`: it delivers messages, but refuses, stops and asks nothing."""
    return can._replace(tell_instead=False, refuse=False, stop=False, ask=False)
