"""Where recordings come from, opened safely: files, folders, archives, databases, standard input."""

from headway.sources.head import Head
from headway.sources.packed import UnreadableError, readable
from headway.sources.source import Source
from headway.sources.times import seconds
from headway.sources.walk import sources_in

__all__ = ["Head", "Source", "UnreadableError", "readable", "seconds", "sources_in"]
