"""Claude Code and Codex through the service: told, refused and stopped as through a process of the hook."""

import shutil
import subprocess
import tempfile
from contextlib import contextmanager
from pathlib import Path

import pytest

from headway.store.overview import list_sessions
from tests.e2e.agents import chosen
from tests.e2e.models import Say
from tests.e2e.place import Place

pytestmark = pytest.mark.e2e

NOTES = "there is nothing new here"
WAYS = [
    (agent, via)
    for agent in chosen("claude-code", "codex")
    for via in (("process", "socket", "http") if agent.name == "claude-code" else ("process", "socket"))
]
NEXT_WORDS = ("Headway: ", "Headway refused this call", "Headway stopped this run")


@contextmanager
def service(place, state):
    """The service as its user starts it; its address."""
    command = [shutil.which("headway", path=place.variables()["PATH"]), "serve", "--port", "0"]
    process = subprocess.Popen(command, env=place.variables(), stdout=subprocess.PIPE, text=True, cwd=place.project)
    try:
        assert process.stdout.readline().startswith("Headway is running at http://127.0.0.1:")
        place.environment["HEADWAY_TOKEN"] = (state / "serve.token").read_text().strip()
        yield process
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


def run_of(agent, folder, via, *turns, install=(), kills=False):
    """What the model was sent, how the run ended, and how many steps were counted; and by whom."""
    state = Path(tempfile.mkdtemp(prefix="hw"))
    try:
        with agent.model(*turns) as model:
            place = Place(folder, model.url)
            place.environment["HEADWAY_STATE_DIR"] = str(state)
            agent.prepare(place)
            for name in ("notes", "plan"):
                (place.project / f"{name}.txt").write_text(f"{NOTES}: {name}\n")
            with service(place, state) as process:
                installed = place.run("headway", "install", agent.name, "--via", via, "--mode", "enforce", *install)
                assert 0 == installed.exit_code, installed.stderr
                if kills:
                    process.kill()
                ran = place.run(*agent.command())
                figures = "" if kills or via == "process" else figures_of(place)
        assert not (state / "faults.log").exists(), (state / "faults.log").read_text()
        (session,) = list_sessions(state / "sessions.db")
        return model, ran, session, figures
    finally:
        shutil.rmtree(state)


def figures_of(place):
    """How many events the service has answered, as it tells Prometheus."""
    url = place.run("sh", "-c", 'cat "$HEADWAY_STATE_DIR/serve.json"').stdout.split('"')[3]
    shown = place.run(
        "curl", "-s", "-H", f"Authorization: Bearer {place.environment['HEADWAY_TOKEN']}", f"{url}/metrics"
    )
    return int(shown.stdout.partition("headway_hook_seconds_count ")[2].split()[0])


def heard(model):
    """What Headway said in each request, and how often a file was really read."""
    return [(*(request.count(words) for words in NEXT_WORDS), request.count(NOTES)) for request in model.asked]


@pytest.mark.parametrize(("agent", "via"), WAYS, ids=[f"{agent.name}-{via}" for agent, via in WAYS])
def test_a_stubborn_loop_is_told_refused_and_stopped(agent, via, tmp_path):
    looks = [[agent.shell(f"cat {name}.txt")] for name in ["notes", "plan"] * 8]
    model, ran, session, answered = run_of(agent, tmp_path / "run", via, *looks, [Say("I give up.")])
    ends = agent.name == "claude-code"

    said = heard(model)
    assert any(told for told, *_ in said), "it was told"
    assert 4 == said[-1][1], "each of the two calls was refused twice"
    assert (1 if ends else 6) == said[-1][2], "the run was stopped"
    assert 6 == said[-1][3], "nothing ran again after three rounds"
    assert (12 if ends else 17) == len(model.asked)
    assert 6 == session.steps
    assert (ends and "I give up." in ran.stdout) is False
    assert via == "process" or answered >= 12, "the service answered"


@pytest.mark.parametrize("agent", chosen("codex"), ids=lambda agent: agent.name)
def test_codex_is_interrupted_through_the_client(agent, tmp_path):
    looks = [[agent.shell(f"cat {name}.txt")] for name in ["notes", "plan"] * 8]
    model, ran, _, _ = run_of(agent, tmp_path / "run", "socket", *looks, install=["--interrupt"])

    assert 1 == ran.exit_code
    assert 12 <= len(model.asked) <= 13, "the call after the one that was stopped"


@pytest.mark.parametrize("agent", chosen("claude-code", "codex"), ids=lambda agent: agent.name)
def test_without_the_service_the_client_does_the_work(agent, tmp_path):
    look = [agent.shell("cat notes.txt")]
    model, ran, session, _ = run_of(agent, tmp_path / "run", "socket", look, look, look, [Say("I see.")], kills=True)

    assert [0, 0, 0, 1] == [min(1, told) for told, *_ in heard(model)]
    assert (0, 3) == (ran.exit_code, session.steps)
