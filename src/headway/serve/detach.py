"""Start the service in the background."""

import json
import subprocess
import sys
import time
from pathlib import Path

from headway.serve.run import Place, RunningError, StartError
from headway.serve.token import own_token, read_token
from headway.store.place import service_record

START_TIMEOUT_SECONDS = 20.0


def started_apart(place: Place) -> tuple[str, str, int]:
    """Start it in a process that outlives this one; returns its address, token and process id as soon as it answers."""
    start = "from headway.cli import main; main()"
    command = [sys.executable, "-P", "-c", start, "serve", *place.arguments()]  # -P: import nothing from this folder
    process = subprocess.Popen(  # noqa: S603, this very program
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        start_new_session=True,
        text=True,
    )
    deadline = time.monotonic() + START_TIMEOUT_SECONDS
    while process.poll() is None and time.monotonic() < deadline:
        if url := _url_of(process.pid):
            token = own_token() if place.token_file is None else read_token(place.token_file)
            return url, token, process.pid
        time.sleep(0.05)
    if process.poll() is None:
        process.terminate()
        raise StartError(f"the service did not start within {START_TIMEOUT_SECONDS:.0f} seconds")
    told = (process.stderr.read() if process.stderr else "").strip().splitlines()
    if told and "running already: http" in told[-1]:
        raise RunningError(told[-1].rpartition(" ")[2])
    raise StartError(told[-1].removeprefix("Error: ") if told else f"it ended with {process.returncode}")


def _url_of(process: int) -> str:
    """The address that a service recorded when it was ready; empty if it is not."""
    try:
        record = json.loads(Path(service_record()).read_text("utf-8"))
        return str(record["url"]) if record["pid"] == process else ""
    except (OSError, ValueError, KeyError, TypeError):
        return ""
