"""What `bench/scan.py` compares a scan with: `json.loads` of all files of a folder, in a process that does no more."""

import json
import sys
from pathlib import Path


def parse(path: Path) -> None:
    """Every line by `json.loads`; a file that is one document, as one."""
    with path.open("rb") as lines:
        try:
            for line in lines:
                json.loads(line)
            return
        except ValueError:
            pass
    json.loads(path.read_bytes())


if __name__ == "__main__":
    for place in sorted(Path(sys.argv[1]).rglob("*")):
        if place.is_file():
            parse(place)
