"""How much of Headway one thing needs: modules loaded, and files whose code runs.

    python bench/modules.py [RECORDING]

Prints the modules of headway that `headway scan` loads for one recording (a Claude Code session of tests/recordings
without one), those that a judged call of the hook loads, and the files whose code runs for one call of a reading tool
and its result.
"""

import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from types import FrameType

RECORDING = Path(__file__).parent.parent / "tests" / "recordings" / "claude-code-fasthooks.jsonl"

_LOADED = """
import sys
sys.stdout = sys.stderr
{code}
print(*(name for name in sys.modules if name.partition(".")[0] == "headway"), file=sys.__stdout__)
"""
_SCAN = """
from headway.cli import main
sys.argv = ["headway", "scan", {recording!r}, "--jobs", "1"]
try:
    main()
except SystemExit as ended:
    if ended.code not in (None, 0, 1):
        raise
"""
_HOOK = """
import json, os
os.environ["HEADWAY_STATE_DIR"] = {folder!r}
from headway.hosts.hook.call import respond
call = {{"tool_name": "Read", "tool_input": {{"file_path": "a.py"}}, "tool_use_id": "1", "tool_response": "x = 1"}}
event = {{"session_id": "s", "cwd": "/", "hook_event_name": "PostToolBatch", "prompt_id": "p", "tool_calls": [call]}}
respond(json.dumps(event).encode(), ["--agent", "claude-code"])
"""


def main() -> None:
    recording = Path(sys.argv[1]) if len(sys.argv) > 1 else RECORDING
    print(f"modules of headway that a scan of {recording.name} loads: {len(loaded_by_scan(recording))}    (goal: 110)")
    print(f"modules that a judged call of the hook loads: {len(loaded_by_hook())}")
    print(f"files whose code runs for one Read call and its result: {len(files_of_a_read())}    (goal: 35)")


def loaded_by_scan(recording: Path = RECORDING) -> set[str]:
    """Names of the modules that a scan of one recording loads."""
    return _loaded(_SCAN.format(recording=str(recording)))


def loaded_by_hook() -> set[str]:
    """Names of the modules that a call of the hook loads after one Read call."""
    with tempfile.TemporaryDirectory() as folder:
        return _loaded(_HOOK.format(folder=folder))


def _loaded(code: str) -> set[str]:
    run = subprocess.run(
        [sys.executable, "-c", _LOADED.format(code=code)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True
    )
    return set(run.stdout.decode().split())


def files_of_a_read() -> set[str]:
    """Files of headway whose code runs for a Read call and its result, in a session that has seen some before."""
    from headway import Monitor

    monitor = Monitor()
    for number in range(10):  # by then it has compiled its patterns
        monitor.called("Read", {"file_path": f"m{number}.py"}, call=str(number))
        monitor.returned(str(number), output=f"x = {number}")
    return files_run_by(lambda: (monitor.called("Read", {"file_path": "n.py"}, call="n"), monitor.returned("n", "y")))


def files_run_by(action: Callable[[], object]) -> set[str]:
    """Files of headway in which a function is called."""
    found: set[str] = set()

    def note(frame: FrameType, event: str, _: object) -> None:
        _, is_ours, file = frame.f_code.co_filename.rpartition("/src/headway/")
        if event == "call" and is_ours:
            found.add(file)

    sys.setprofile(note)
    try:
        action()
    finally:
        sys.setprofile(None)
    return found


if __name__ == "__main__":
    main()
