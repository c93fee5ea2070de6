"""Plain algorithms over streams: no agents, no tools, no policy."""
