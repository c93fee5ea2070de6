"""The examples are what the tests run, and what the documentation shows."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent.parent / "examples" / "frameworks"))
