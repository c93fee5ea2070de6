"""How much of Headway one thing needs; `bench/modules.py` prints it."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "bench"))
import modules

MORE = (
    "Every module costs each process time. A new detector that looks at one of these calls needs one more: raise the "
    "number for it."
)

OTHERS_FILES = (
    "A reader is loaded for files that are not its own: add words of its format to ONE_PROGRAM in "
    "src/headway/sources/head.py."
)


def test_a_scan_of_one_claude_code_file_loads_one_reader_and_one_form_of_report():
    loaded = modules.loaded_by_scan()
    readers = {name.split(".")[2] for name in loaded if name.startswith("headway.readers.")}
    assert {"claude_code"} == readers, OTHERS_FILES
    assert not {"headway.reports.json", "headway.reports.scan_html", "headway.reports.scan_markdown"} & loaded
    assert not any(name.startswith(("headway.scoring", "headway.detectors.iteration")) for name in loaded)
    assert len(loaded) <= 117, MORE


def test_a_judged_call_of_the_hook_loads_only_the_detectors_that_look_at_it():
    loaded = modules.loaded_by_hook()
    assert "headway.detectors.step.repeated_file" in loaded
    assert not {"headway.detectors.step.low_hit_rate", "headway.detectors.run", "headway.tools.shell"} & loaded
    assert len(loaded) <= 84, MORE


def test_code_of_few_files_runs_for_a_read():
    assert len(modules.files_of_a_read()) <= 34, MORE
