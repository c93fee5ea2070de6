"""Turn the packaged TOML files into Python modules beside them: `make data`.

The TOML files are what people read and edit. The modules hold the same data in a form that is loaded in a millisecond,
because a hook reads all of it at every judged event; a test keeps the two equal.
"""

import tomllib
from pathlib import Path
from pprint import pformat

PACKAGE = Path(__file__).parent.parent / "src" / "headway"
FILES = ("tools/vocabulary", "tools/shell/programs", "config/profiles", "rolling/secrets")


def main() -> None:
    for name in FILES:
        data = tomllib.loads((PACKAGE / f"{name}.toml").read_text("utf-8"))
        head = f'"""The data of `{Path(name).name}.toml`, made by `make data`: edit that file instead."""'
        body = pformat(data, width=119, compact=True, sort_dicts=False)
        text = f"{head}\n\nfrom typing import Any\n\n# fmt: off\nDATA: dict[str, Any] = (\n{body}\n)\n"
        (PACKAGE / f"{name}_data.py").write_text(text, "utf-8")


if __name__ == "__main__":
    main()
