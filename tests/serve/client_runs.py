"""The real client as an agent runs it."""

import json
import subprocess
import sys
from pathlib import Path

import headway
from tests.hosts.hook.programs import Program

CLIENT = Path(headway.__file__).parent / "hosts" / "hook" / "client.py"


def run_client(sent: bytes, *arguments: str, **options) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-I", "-S", str(CLIENT), *arguments]
    return subprocess.run(command, input=sent, capture_output=True, timeout=60, check=True, **options)


class ThroughClient(Program):
    """An agent whose hook is the client."""

    def _ask(self, data):
        done = run_client(json.dumps(data).encode(), "--agent", self.agent, "--mode", self.mode)
        assert b"" == done.stderr
        return json.loads(done.stdout) if done.stdout else {}
