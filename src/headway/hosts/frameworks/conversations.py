"""The conversations of an adapter: one for each agent of each conversation, by the names that the framework uses."""

from collections import OrderedDict
from collections.abc import Hashable
from threading import Lock
from typing import Unpack

from headway.hosts.abilities import Abilities
from headway.hosts.frameworks.conversation import FRAMEWORK, NEEDS_NAME, Conversation
from headway.hosts.frameworks.options import Options, check_names, checked_store, monitor_options
from headway.monitor import Monitor

CONVERSATIONS = 256
"""Maximum number of (conversation, agent) pairs to remember; the least recently used one is forgotten first."""


def check_options(options: Options, conversation: str | None = None) -> None:
    """Report a wrong option or setting before any run; with a conversation, also a store that needs its name."""
    check_names(options)
    if checked_store(options) is not None and conversation == "":
        raise TypeError(NEEDS_NAME)
    Monitor(**monitor_options(options))


class Conversations:
    """The conversations an adapter has seen lately, each agent separately."""

    def __init__(self, can: Abilities = FRAMEWORK, about: str = "", **options: Unpack[Options]) -> None:
        check_options(options)
        self._has_store = options.get("store") is not None
        self._can, self._about, self._options = can, about, options
        self._known: OrderedDict[Hashable, Conversation] = OrderedDict()
        self._lock = Lock()

    def of(self, conversation: Hashable, *agent: Hashable) -> Conversation:
        """The conversation of an agent; a new one if there is none yet."""
        key = (conversation, *agent)
        with self._lock:
            found = self._known.get(key)
            if found is None:
                name, who = str(conversation), "/".join(str(part) for part in agent if part)
                found = Conversation(can=self._can, about=self._about, conversation=name, agent=who, **self._options)
                self._known[key] = found
                if len(self._known) > CONVERSATIONS:
                    self._known.popitem(last=False)
                return found
            self._known.move_to_end(key)
        if self._has_store:
            found.refresh()
        return found

    def __contains__(self, key: object) -> bool:
        return key in self._known

    def __len__(self) -> int:
        return len(self._known)
