"""Make the terminal pictures in docs/pictures anew: `make pictures`.

Both are real: `scan.svg` shows what a command printed, `caught.svg` what Claude Code did and was told in a run of
`tests.e2e.transcript`. It plays its lines one after the other, and stays at the last; where a viewer does not animate,
or its user wants no motion, all of them are there at once.
"""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

from rich.console import Console
from rich.text import Text

from tests.e2e.transcript import styled, transcript

ROOT = Path(__file__).parent.parent.parent
PLACE = ROOT / "docs" / "pictures"
COMMAND = "headway scan examples/recordings --no-runs"
WIDTH = 90
PAUSE = 0.35
"""Seconds between two lines of the animation."""


def main():
    PLACE.mkdir(exist_ok=True)
    (PLACE / "scan.svg").write_text(picture("scan", f"$ {COMMAND}", Text.from_ansi(printed(COMMAND))), "utf-8")
    lines = Text("\n").join(styled(line) for line in transcript("followed"))
    (PLACE / "caught.svg").write_text(played(picture("caught", "Claude Code with Headway", lines)), "utf-8")


def printed(command, **environment):
    """What a command of ours prints on a terminal with colours."""
    colours = {"FORCE_COLOR": "1", "TERM": "xterm-256color", "COLUMNS": str(WIDTH), **environment}
    programs = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    done = subprocess.run(
        shlex.split(command), cwd=ROOT, capture_output=True, text=True, check=False,
        env={**os.environ, **colours, "PATH": programs},
    )  # fmt: skip
    assert 1 == done.returncode, done.stderr  # there are runs that earned a stop
    return done.stdout.rstrip("\n")


def picture(name, title, text):
    """A terminal as SVG, with the fonts that the viewer has: nothing is loaded from elsewhere."""
    console = Console(width=WIDTH, record=True, file=open(os.devnull, "w"), color_system="truecolor")  # noqa: PTH123, SIM115
    console.print(text, soft_wrap=False)
    drawn = re.sub(r"@font-face \{.*?\}\s*", "", console.export_svg(title=title, unique_id=name), flags=re.DOTALL)
    return drawn.replace("Fira Code", "DejaVu Sans Mono, Menlo, Consolas")


def played(svg):
    """The same, line by line."""
    name = re.search(r'class="(\w+)-matrix"', svg)[1]
    last = max(int(number) for number in re.findall(rf'clip-path="url\(#{name}-line-(\d+)\)"', svg))
    delays = "\n".join(
        f'[clip-path="url(#{name}-line-{n})"] {{ animation-delay: {n * PAUSE:.2f}s }}' for n in range(last + 1)
    )
    style = (
        "@media (prefers-reduced-motion: no-preference) {\n"
        f".{name}-matrix text {{ animation: appear .01s both }}\n{delays}\n}}\n"
        "@keyframes appear { from { visibility: hidden } to { visibility: visible } }\n"
    )
    return svg.replace("</style>", f"{style}</style>", 1)


if __name__ == "__main__":
    main()
