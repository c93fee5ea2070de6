"""One process that calls the hook many times, as fast as it can: `python -m tests.hosts.hook.caller SESSION FIRST LAST`.

It prints the number of a call as soon as that has been answered.
"""

import os
import sys

from headway.hosts.hook.call import respond
from tests.hosts.hook.test_process import result_of

if __name__ == "__main__":
    session, first, last = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    for number in range(first, last + 1):
        respond(result_of(session, number), ["--agent", "claude-code"])
        os.write(1, b"%d\n" % number)
