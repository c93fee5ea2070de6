"""Plain algorithms over streams: no agents, no tools, no policy.

Cycles, similarity, novelty, normalised texts and masked secrets. What grows has a limit. There is no clock, network or
randomness here, and the only files are those that come with Headway (`lazy.py`). This is the lowest layer: every
package may import it, and it imports none of them.
"""
