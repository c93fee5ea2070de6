"""What `make demo` shows: recordings read back, and an agent watched live."""

from pathlib import Path

from rich.console import Console
from rich.rule import Rule
from rich.text import Text

from headway import Monitor
from headway.reports.summary import Summary
from headway.reports.text import as_text
from headway.sources import sources_in
from headway.study.scan import ScanOptions, scan_one

RECORDINGS = Path(__file__).parent / "recordings"


def recorded(console: Console) -> None:
    """Five recorded runs: three went in circles, two only look as if they did."""
    console.print(Rule("recordings: headway scan examples/recordings", align="left"))
    console.print()
    files = [scan_one(source, ScanOptions()) for source in sources_in(RECORDINGS)]
    summary = Summary()
    for file in files:
        summary.add(file)
    for part in as_text(summary, [one.report for file in files for one in file.runs]):
        console.print(part)


def live(console: Console) -> None:
    """An agent that repeats itself, with a monitor in its loop."""
    console.print(Rule("live: two lines in an agent's loop", align="left"))
    console.print()
    monitor = Monitor(task="edit")
    for number in range(1, 7):
        command, output = "python -m pytest -q", f"1 failed, 5 passed in 0.{number}1s"
        decision = monitor.called("Bash", {"command": command}, call=f"c{number}")
        if decision.action == "continue":  # otherwise the call is refused and never runs
            decision = monitor.returned(f"c{number}", output, exit_code=1)
        else:
            output = "(refused)"
        said = decision.message if decision.action == "nudge" else ""
        console.print(Text.assemble(f"  {command}  →  {output:28}  ", (f"{decision.action:8}", "bold"), f"  {said}"))
    console.print("\n  The clock in the output changes, the result does not: said once, refused twice, then stopped.")
    console.print("  After an edit the same command is welcome again. `headway explain exact_cycle` tells more.\n")


if __name__ == "__main__":
    console = Console()
    recorded(console)
    live(console)
