"""Turn the packaged TOML files into Python modules beside them: `make data`.

The TOML files are what people read and edit. The modules hold the same data in a form that is loaded in a millisecond,
because a hook reads all of it at every judged event; a test keeps the two equal.
"""

import tomllib
from pathlib import Path
from pprint import pformat
from typing import Any

from msgspec.structs import asdict

from headway.core.watch import LooksAt
from headway.detectors import built_in

PACKAGE = Path(__file__).parent.parent / "src" / "headway"
FILES = ("tools/vocabulary", "tools/shell/programs", "config/profiles", "rolling/secrets")


def main() -> None:
    for name in FILES:
        data = tomllib.loads((PACKAGE / f"{name}.toml").read_text("utf-8"))
        write(name, f"The data of `{Path(name).name}.toml`, made by `make data`: edit that file instead.", data)
    write("detectors/looks_at", "What each detector looks at, made from the classes by `make data`.", detectors())


def detectors() -> dict[str, dict[str, Any]]:
    """What each detector's class says of what it looks at, as plain data."""
    said = {id: asdict(LooksAt.of(kind)) for id, kind in built_in().items()}
    return {id: {name: value for name, value in fields.items() if value} for id, fields in said.items()}


def write(name: str, title: str, data: dict[str, Any]) -> None:
    body = pformat(data, width=119, compact=True, sort_dicts=False)
    text = f'"""{title}"""\n\nfrom typing import Any\n\n# fmt: off\nDATA: dict[str, Any] = (\n{body}\n)\n'
    (PACKAGE / f"{name}_data.py").write_text(text, "utf-8")


if __name__ == "__main__":
    main()
