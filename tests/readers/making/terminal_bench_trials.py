"""`samples/terminal-bench/`: two trials of Terminal-Bench, one of its agent Terminus 2, one of which there is only a recording.

    apt install tmux asciinema && pip install terminal-bench==0.2.18 && python tests/readers/making/terminal_bench_trials.py

Terminal-Bench's own session, agent and results write them; in place of a container there is a temporary folder on
this machine, and the model is scripted.
"""

import io
import json
import os
import shutil
import subprocess
import tarfile
import tempfile
from pathlib import Path
from types import SimpleNamespace

from scripted_model import serve
from terminal_bench.agents.terminus_2 import Terminus2
from terminal_bench.handlers.asciinema_handler import AsciinemaHandler
from terminal_bench.handlers.trial_handler import TrialPaths
from terminal_bench.harness.models import TrialResults
from terminal_bench.terminal.docker_compose_manager import DockerComposeManager
from terminal_bench.terminal.tmux_session import TmuxSession

SAMPLES = Path(__file__).parent.parent / "samples" / "terminal-bench"
TASK = "add() in calc.py is wrong. Fix it."


def batch(analysis, *keys, complete=False):
    commands = [{"keystrokes": one, "duration": 1.0} for one in keys]
    return json.dumps({"analysis": analysis, "plan": "", "commands": commands, "task_complete": complete})


SCRIPT = [
    batch("I look at the file.", "cat calc.py\n"),
    batch("I run the test.", "python3 test_calc.py\n"),
    batch("It subtracts.", "sed -i 's/a - b/a + b/' calc.py\n", "python3 test_calc.py && echo passed\n"),
    batch("It passes.", complete=True),
    batch("It passes.", complete=True),
]


def answer_to(messages):
    """The next answer: the model is sent its earlier ones."""
    said = SCRIPT[sum(message["role"] == "assistant" for message in messages)]
    return {"role": "assistant", "content": said}


class Here:
    """What Terminal-Bench needs of a container."""

    def __init__(self, home):
        self.home = home

    def exec_run(self, command, user=""):
        kept = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
        env = {**kept, "HOME": str(self.home), "TMUX_TMPDIR": str(self.home), "TERM": "screen", "SHELL": "/bin/bash"}
        command = command.split() if isinstance(command, str) else command
        done = subprocess.run(command, cwd=self.home, env=env, capture_output=True, check=False)
        return SimpleNamespace(exit_code=done.returncode, output=done.stdout + done.stderr)

    def put_archive(self, folder, data):
        with tarfile.open(fileobj=io.BytesIO(data if isinstance(data, bytes) else data.read())) as archive:
            archive.extractall(folder, filter="data")


def trial(name, play):
    paths = TrialPaths(SAMPLES, "", name)
    shutil.rmtree(paths.task_output_path, ignore_errors=True)
    paths.mkdir()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        home, logs = Path(folder), Path(folder) / "logs"
        logs.mkdir()
        (home / ".bashrc").write_text("PS1='dev@shop:~$ '\n")
        (home / "calc.py").write_text("def add(a, b):\n    return a - b\n")
        (home / "test_calc.py").write_text("from calc import add\n\nassert add(1, 2) == 3\n")
        DockerComposeManager.CONTAINER_SESSION_LOGS_PATH = str(logs)
        session = TmuxSession("agent", Here(home), commands_path=paths.commands_path)
        session.start()
        paths.pre_agent_pane_path.write_text(session.capture_pane(capture_entire=True))
        result = play(session, paths)
        paths.post_agent_pane_path.write_text(session.capture_pane(capture_entire=True))
        session.stop()
        session._exec_run(["sleep", "1"])
        session._exec_run(["tmux", "kill-server"])
        shutil.copy(logs / "agent.cast", paths.sessions_path)
        for file in (one for one in paths.task_output_path.rglob("*") if one.is_file()):
            file.write_text(file.read_text().replace(folder, "/app"))
        AsciinemaHandler(result.timestamped_markers, paths.sessions_path / "agent.cast").merge_markers()
    times = {"trial_started_at": "2026-11-01T10:00:00+00:00", "agent_started_at": "2026-11-01T10:00:10+00:00"}
    ends = {"agent_ended_at": "2026-11-01T10:02:00+00:00", "trial_ended_at": "2026-11-01T10:03:00+00:00"}
    tokens = {"total_input_tokens": result.total_input_tokens, "total_output_tokens": result.total_output_tokens}
    known = {"trial_name": name, "task_id": "fix-add", "instruction": TASK, "is_resolved": True, "failure_mode": "none"}
    paths.results_path.write_text(TrialResults(**known, **times, **ends, **tokens).model_dump_json(indent=4))
    for left in sorted(paths.agent_logging_dir.glob("*/debug.json"))[1:]:
        left.unlink()
    if not any(paths.agent_logging_dir.iterdir()):
        paths.agent_logging_dir.rmdir()


def terminus(session, paths):
    agent = Terminus2(model_name="openai/gpt-4.1", max_episodes=6, api_base=MODEL)
    return agent.perform_task(TASK, session, paths.agent_logging_dir)


def by_hand(session, paths):
    """An agent that keeps no log."""
    for keys in (["cat calc.py", "Enter"], ["python3 test_calc.py", "Enter"], ["python3 test_calc.py", "Enter"]):
        session.send_keys(keys, block=True)
    session.send_keys(["sleep 60", "Enter"], min_timeout_sec=1)
    session.send_keys(["C-c"], min_timeout_sec=1)
    return SimpleNamespace(timestamped_markers=[(0.5, "begin")], total_input_tokens=0, total_output_tokens=0)


if __name__ == "__main__":
    os.environ["OPENAI_API_KEY"] = "none"
    MODEL = serve("gpt-4.1", answer_to)
    trial("fix-add.1-of-1.terminus", terminus)
    trial("fix-add.1-of-1.recording", by_hand)
