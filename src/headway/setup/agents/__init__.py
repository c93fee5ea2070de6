"""One file per agent program; nothing is registered by hand.

Each says where the settings of one program are, which events to ask for, and what an entry of ours looks like. How a
settings file is changed is in `headway.setup`, once for all programs. What the events mean is in
`hosts/hook/agents/`.
"""

from importlib import import_module
from pkgutil import iter_modules

from headway.setup.agent import Agent


def agents() -> dict[str, Agent]:
    """All agents that Headway can be installed in, by name."""
    found: dict[str, Agent] = {}
    for info in iter_modules(__path__):
        module = import_module(f"{__name__}.{info.name}")
        kinds = [kind for kind in vars(module).values() if isinstance(kind, type) and issubclass(kind, Agent)]
        found |= {kind.name: kind() for kind in kinds if kind.__module__ == module.__name__}
    return dict(sorted(found.items()))
