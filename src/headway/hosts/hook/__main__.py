"""`python -m headway.hosts.hook`: the hook without the command-line interface."""

import sys

from headway.hosts.hook.run import run

run(sys.argv[1:])
