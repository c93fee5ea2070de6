"""`python -m headway.hosts.hook`: the hook without the command line around it."""

import sys

from headway.hosts.hook.call import main

sys.exit(main(sys.argv[1:]))
