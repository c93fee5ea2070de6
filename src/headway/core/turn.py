"""What is counted since the user last spoke."""

import msgspec

from headway.core.paths import folder_of, top_level
from headway.core.step import Step
from headway.rolling.bounded import count, push
from headway.tools.kinds import Kind

KEPT_SEARCHES = 50
KEPT_FOLDERS = 256
REPEATABLE: frozenset[Kind] = frozenset(("run", "test", "build", "web", "poll", "other"))
"""What a person may mean who asks for repeats."""


class Turn(msgspec.Struct):
    """One user turn, as far as it has gone."""

    first_step: int = 1
    """Number of the first step of this turn."""
    first_call: int = 1
    """Number of the first call of this turn."""
    about_tests: bool = False
    """The user's request speaks of tests."""
    asked_repeats: int = 0
    """Repeats that the user has asked for and that are still to come."""
    asked_until: int = 0
    """Step of the latest of them."""
    listed: int = 0
    """Items of lists in the user's request that ask for something and name files or code."""
    unmentioned: list[list[str]] = []
    """The names in each of these items, as long as no call and no result has mentioned one of them, plans aside."""
    file_access_count: dict[str, int] = {}
    """How often each file was read or changed."""
    total_searches: int = 0
    """Searches whose number of hits is known."""
    empty_results: int = 0
    """Searches that found nothing."""
    consecutive_empty: int = 0
    """Searches in a row, up to now, that found nothing."""
    found: list[bool] = []
    """Whether each of the latest searches found anything."""
    folders: list[str] = []
    unique_top_level_dirs: list[str] = []
    """Top-level folders that were visited."""

    def note_repeat(self, step: Step) -> None:
        """Take a call that was made before for one of those that the user has asked for."""
        if self.asked_repeats and _may_be_asked_for(step):
            self.asked_repeats -= 1
            self.asked_until = step.number

    def asked_for(self, step: Step) -> bool:
        """Whether the user has asked for this repeat."""
        return self.first_step <= step.number <= self.asked_until and _may_be_asked_for(step)

    def note_mentions(self, text: str) -> None:
        """Strike out the items of which a name occurs in the text of a call or of its result."""
        text = text.lower()
        self.unmentioned = [names for names in self.unmentioned if not any(name.lower() in text for name in names)]

    def note_search(self, hits: int) -> None:
        """Count a search whose number of hits is known."""
        self.total_searches += 1
        push(self.found, hits > 0, KEPT_SEARCHES)
        self.consecutive_empty = 0 if hits else self.consecutive_empty + 1
        self.empty_results += hits == 0

    def note_place(self, step: Step, path: str, limit: int) -> None:
        """Count where the agent went."""
        is_file = step.kind in ("read", "write", "edit")
        if is_file:
            count(self.file_access_count, path, limit)
        folder = folder_of(path, is_file)
        if folder not in self.folders:
            push(self.folders, folder, KEPT_FOLDERS)
            self.unique_top_level_dirs = top_level(self.folders)


def _may_be_asked_for(step: Step) -> bool:
    return step.again and step.kind in REPEATABLE
