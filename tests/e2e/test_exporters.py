"""A real JavaScript program with the Vercel AI SDK exports its spans to the service: the loop in it is found.

The exporter of the Python SDK is in `tests/serve/test_otlp.py`.
"""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from headway.store.overview import list_sessions
from tests.e2e.programs import fetched
from tests.serve.running import TOKEN, Running

pytestmark = pytest.mark.e2e
PROGRAM = Path(__file__).parent / "vercel_agent.mjs"


@pytest.mark.skipif(bool(os.environ.get("AGENTS")), reason="AGENTS names others")
def test_a_program_with_the_vercel_ai_sdk(tmp_path, monkeypatch):
    monkeypatch.setenv("HEADWAY_STATE_DIR", str(tmp_path / "state"))
    (tmp_path / "node_modules").symlink_to(fetched("vercel-ai"))
    shutil.copy(PROGRAM, tmp_path)
    with Running(tmp_path / "state") as service:
        exporting = {
            "PATH": os.environ["PATH"],
            "OTEL_EXPORTER_OTLP_ENDPOINT": f"http://{service.host}",
            "OTEL_EXPORTER_OTLP_HEADERS": f"authorization=Bearer%20{TOKEN}",
        }
        command = ["node", PROGRAM.name]
        ran = subprocess.run(
            command, cwd=tmp_path, env=exporting, capture_output=True, text=True, timeout=60, check=True
        )

    assert "I give up." in ran.stdout
    (session,) = list_sessions()
    assert (4, "search", "find the login", 75) == (session.steps, session.last_tool, session.prompt, session.tokens)
    assert "exact_cycle" in {finding.detector for finding in session.findings}
    assert session.decisions[-1].would
