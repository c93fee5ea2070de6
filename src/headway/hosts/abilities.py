"""What a host can do about a decision. Each host declares it; `delivery.py` makes the most of it.

A mode limits that: what Headway may do by itself, whatever the host can do. This is imported in every hook call, so it
needs neither msgspec nor `typing`.
"""

from collections import namedtuple

OBSERVE, NUDGE, ENFORCE = MODES = ("observe", "nudge", "enforce")
"""The values of `policy.mode`."""

Abilities = namedtuple(
    "Abilities", "tell tell_instead refuse stop hold ask at_once", defaults=(True, True, False, False, False, False)
)
"""All abilities of one host.

    tell           moments at which what is said reaches the model (a host that tells after a call has AFTER among them)
    tell_instead   the reason of a refused call reaches the model, so something can be said in place of a call
    refuse         one call can be refused
    stop           the run can be ended
    hold           told something at the end of its turn, the agent goes on
    ask            a person can be asked about one call
    at_once        a run that is to be stopped ends without another answer of the model
"""


def only_telling(can: Abilities) -> Abilities:
    """The same host in the mode `nudge`: it may say what it can, and refuses, stops and asks nothing."""
    return can._replace(tell_instead=False, refuse=False, stop=False, ask=False)
