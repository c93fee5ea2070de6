"""Limits of money and tokens hold in live sessions: usage is read where the program writes it."""

import json
import os
import sqlite3
import subprocess
import sys

import pytest

from headway.config.price_files import packaged_prices
from headway.config.settings import Settings
from headway.hosts.hook.call import judge, read_request
from headway.sources import Source
from headway.store.overview import list_sessions
from headway.store.place import database
from headway.store.warm import WarmStore
from headway.study.scan import ScanOptions, scan_one
from tests.command import ROOT

from .programs import PROGRAMS, Program, ask, refusal_in, told_in

MAX_BYTES = 1_000_000
"""What is read at one event."""
MODEL = "claude-sonnet-4-5-20250929"
RECORDING = ROOT / "tests" / "recordings" / "claude-code-fasthooks.jsonl"


def response(number, tokens_in=10_000, tokens_out=1_000, **more):
    """A line of Claude Code about one response: 4.5 cents."""
    usage = {"input_tokens": tokens_in, "output_tokens": tokens_out}
    message = {"id": f"m{number}", "role": "assistant", "model": MODEL, "usage": usage, "content": []}
    return {"type": "assistant", "sessionId": "s1", "requestId": f"r{number}", "message": message, **more}


class Session:
    """A session of a program with a transcript that grows before each call."""

    def __init__(self, folder, limit="max_cost_usd = 0.5", agent="claude-code", mode="nudge", path="s1.jsonl"):
        (folder / "headway.toml").write_text(f"[global]\n{limit}\n")
        self.path, self.folder = folder / path, folder
        self.program = Program(agent, mode=mode)
        spelled = self.program.spelled
        known = {"cwd": str(folder), "transcript_path": str(self.path)}
        self.program.spelled = lambda *given, **said: spelled(*given, **said) | known
        self.number = 0

    def write(self, *records):
        with self.path.open("a", encoding="utf-8") as transcript:
            transcript.writelines(json.dumps(record) + "\n" for record in records)

    def step(self, *records):
        """Some responses, and a call: what is said before it and after it."""
        self.number += 1
        self.write(*records)
        return self.program.step(f"make part-{self.number}", f"part {self.number} is built")

    def steps(self, count, make=response):
        return [self.step(make(number)) for number in range(1, count + 1)]


def spent():
    (session,) = list_sessions()
    return session.tokens, session.cost_usd


def first(answers, words):
    """The number of the first step at which something is said, and what."""
    said = [(number, str(answer)) for number, step in enumerate(answers, 1) for answer in step]
    return next(((number, text) for number, text in said if words in text), (None, ""))


@pytest.mark.parametrize("mode", ["nudge", "enforce"])
def test_a_growing_transcript_is_told_and_stopped_at_its_limit(tmp_path, mode):
    session = Session(tmp_path, mode=mode)
    session.program.prompt("please do it")
    answers = session.steps(14)
    assert (9, True) == (first(answers, "nearly used up")[0], "about $0.405 used" in first(answers, "$")[1])
    number, told = first(answers, "Headway stopped this run")
    assert 11 == number and "about $0.495 used, limit $0.50" in told
    assert refusal_in(answers[10][0]) and refusal_in(answers[-1][0]), "the call after it does not run"
    assert (14 * 11_000, pytest.approx(14 * 0.045)) == spent()


def test_observe_only_records_it(tmp_path):
    session = Session(tmp_path, mode="observe")
    assert [({}, {})] * 14 == session.steps(14)
    assert "spend" in {one.reason for one in list_sessions()[0].decisions if one.would}


def test_a_scan_of_the_same_transcript_stops_at_the_same_response(tmp_path):
    """The lines of a recorded session, written one by one while hooks run."""
    session = Session(tmp_path, "max_cost_usd = 0.03")
    session.program.prompt("please do it")
    told = ""
    for line in RECORDING.read_text("utf-8").splitlines():
        record = json.loads(line) | {"timestamp": None}  # it was recorded before this session began
        if not told and record.get("type") == "assistant":
            told = first([session.step(record)], "Headway stopped this run")[1]
    settings = Settings.of({"global": {"max_cost_usd": 0.03}})
    (run, *_) = scan_one(Source(RECORDING), ScanOptions(settings=settings, prices=packaged_prices())).runs
    stop = next(one for one in run.report.decisions if one.action == "stop")
    assert "about $0.0306 used, limit $0.03" in stop.message and "about $0.0306 used" in told


def test_a_response_is_counted_once_however_many_lines_it_has(tmp_path):
    session = Session(tmp_path, "max_tokens = 1_000_000")
    for number in range(1, 4):
        session.step(response(number, tokens_out=1), response(number, tokens_out=400))
        session.step(response(number, tokens_out=400), response(number))
    assert 3 * 11_000 == spent()[0]


def test_what_a_line_says_is_read_when_the_line_is_whole(tmp_path):
    session = Session(tmp_path)
    session.program.prompt("please do it")
    line = json.dumps(response(1))
    session.path.write_text(line[:70])
    session.step()
    assert (None, None) == spent()
    session.path.write_text(line + "\n")
    session.step()
    assert 11_000 == spent()[0]


def test_a_limit_of_tokens_is_kept_too(tmp_path):
    session = Session(tmp_path, "max_tokens = 50_000")
    session.program.prompt("please do it")
    number, told = first(session.steps(8), "Headway stopped this run")
    assert 4 == number and "44,000 tokens used, limit 50,000 tokens" in told and "about 44,000" not in told


def test_the_history_of_another_session_is_not_counted(tmp_path):
    """A fork has it copied; its own responses are what follows."""
    session = Session(tmp_path)
    session.write(*map(response, range(100, 140)))
    session.program.prompt("go on")
    session.steps(2)
    assert 22_000 == spent()[0]


def test_history_that_is_copied_after_the_session_has_begun_is_not_counted(tmp_path):
    session = Session(tmp_path)
    session.program.prompt("go on")
    old = [response(number, timestamp="2025-01-01T10:00:00.000Z") for number in range(100, 140)]
    session.step(*old, response(1, timestamp="2999-01-01T10:00:00.000Z"))
    assert 11_000 == spent()[0]


def test_a_limit_that_is_set_later_counts_the_whole_session(tmp_path):
    session = Session(tmp_path, "max_seconds = 9_000_000")
    session.program.prompt("please do it")
    session.steps(3)
    assert (None, None) == spent()
    (tmp_path / "headway.toml").write_text("[global]\nmax_tokens = 900_000\n")
    session.step(response(4))
    assert 44_000 == spent()[0]


def test_other_agents_of_the_session_are_not_counted_as_the_main_one(tmp_path):
    session = Session(tmp_path)
    session.program.prompt("please do it")
    session.step(response(1), response(2, isSidechain=True))
    assert 11_000 == spent()[0]
    folder = tmp_path / "s1" / "subagents"
    folder.mkdir(parents=True)
    (folder / "agent-a1.jsonl").write_text(json.dumps(response(3, tokens_in=7, isSidechain=True)) + "\n")
    data = session.program.spelled("before", command="ls") | {"agent_id": "a1", "tool_use_id": "sub"}
    ask(data, "claude-code", "nudge")
    assert {"": 11_000, "a1": 1_007} == {one.agent: one.tokens for one in list_sessions()}
    ask(data | {"agent_id": "../../s1", "tool_use_id": "sub2"}, "claude-code", "nudge")
    assert {"": 11_000, "a1": 1_007, "../../s1": None} == {one.agent: one.tokens for one in list_sessions()}


def test_no_more_than_a_megabyte_is_read_at_one_event(tmp_path):
    session = Session(tmp_path, "max_tokens = 90_000_000")
    session.program.prompt("please do it")
    filler = {"type": "user", "text": "x" * 4_000}
    for number in range(1, 401):
        session.write(response(number), filler)
    counted = []
    for _ in range(6):
        session.step()
        counted.append(spent()[0] // 11_000)
    assert 400 == counted[-1] and counted[0] < 2 * MAX_BYTES / 4_000 + 2, "two events in a step"
    assert counted == sorted(counted)


def test_a_line_that_is_too_long_is_passed_over(tmp_path):
    session = Session(tmp_path, "max_tokens = 90_000_000")
    session.program.prompt("please do it")
    session.step({"type": "user", "text": "x" * (3 * MAX_BYTES)}, response(1))
    session.step(response(2))
    session.step(response(3))
    assert 3 * 11_000 == spent()[0]


@pytest.mark.parametrize("what", ["a link", "a pipe", "a folder", "no file", "no text", "odd records", "a null byte"])
def test_a_transcript_that_is_none_disturbs_nothing(tmp_path, what):
    session = Session(tmp_path)
    path = session.path
    if what == "a link":
        (tmp_path / "other").write_text(json.dumps(response(1)) + "\n")
        path.symlink_to(tmp_path / "other")
    elif what == "a pipe":
        os.mkfifo(path)
    elif what == "a folder":
        path.mkdir()
    elif what == "no text":
        path.write_bytes(b'\xff"usage"\n' * 9)
    elif what == "odd records":
        odd = [{}, {"message": None}, {"message": {"usage": 7}}, {"message": {"usage": {"output_tokens": "many"}}}, 7]
        odd.append(response(1) | {"message": {"id": [1], "usage": {"input_tokens": -5, "output_tokens": 1e99}}})
        session.program.prompt("please do it")
        session.write(*({**one, "type": "assistant", "usage": 1} if isinstance(one, dict) else one for one in odd))
    elif what == "a null byte":
        spelled = session.program.spelled
        session.program.spelled = lambda *given, **said: spelled(*given, **said) | {"transcript_path": "a\0b"}
    answers = [session.program.step(f"make part-{number}", f"part {number} is built") for number in range(4)]
    assert not any(refusal_in(before) for before, _ in answers)
    assert 4 == list_sessions()[0].steps and (None, None) == spent()
    faults = tmp_path / "state" / "faults.log"
    assert "Error" not in (faults.read_text() if faults.exists() else "")


def test_without_such_a_limit_no_transcript_is_read(tmp_path):
    code = (
        "import sys, json; from headway.hosts.hook.call import respond; "
        "[respond(json.dumps(event).encode(), ['--agent', 'claude-code']) for event in json.load(sys.stdin)]; "
        "print(*(name for name in sys.modules if name.endswith(('hook.usage', 'price_files'))))"
    )
    session = Session(tmp_path, "max_seconds = 9_000_000")
    program, sent = session.program, []
    session.write(response(1))
    for number in range(3):
        program.count += 1
        sent.append(program.spelled("before", command=f"make {number}"))
        sent.append(program._batch(f"make {number}", f"built {number}"))
    done = subprocess.run(
        [sys.executable, "-c", code], input=json.dumps(sent), capture_output=True, text=True, timeout=60, check=True
    )
    assert ("", "") == (done.stdout.strip(), done.stderr) and 3 == list_sessions()[0].steps


def codex(number):
    last = {"input_tokens": 10_000, "cached_input_tokens": 4_000, "output_tokens": 1_000}
    total = {"input_tokens": 10_000 * number, "cached_input_tokens": 0, "output_tokens": 1_000 * number}
    info = {"total_token_usage": total, "last_token_usage": last}
    return {"type": "event_msg", "payload": {"type": "token_count", "info": info}}


def gemini(number):
    tokens = {"input": 9_000, "tool": 1_000, "output": 800, "thoughts": 200, "cached": 4_000}
    return {"id": f"g{number}", "type": "gemini", "model": "gemini-2.5-pro", "tokens": tokens}


def qwen(number):
    used = {"promptTokenCount": 10_000, "candidatesTokenCount": 800, "thoughtsTokenCount": 200}
    return {"uuid": f"q{number}", "type": "assistant", "model": "qwen3-coder-plus", "usageMetadata": used}


@pytest.mark.parametrize(("agent", "make"), [("codex", codex), ("gemini", gemini), ("qwen", qwen)])
def test_other_programs_with_a_transcript(tmp_path, agent, make):
    session = Session(tmp_path, "max_tokens = 50_000", agent)
    session.program.prompt("please do it")
    answers = [session.step(make(number), make(number)) for number in range(1, 8)]
    assert 4 == first(answers, "44,000 tokens used, limit 50,000 tokens")[0]
    assert refusal_in(answers[-1][0])


def test_money_of_codex_is_priced_by_the_model_of_its_events(tmp_path):
    session = Session(tmp_path, "max_cost_usd = 5", "codex")
    spelled = session.program.spelled
    session.program.spelled = lambda *given, **said: spelled(*given, **said) | {"model": "gpt-5"}
    session.program.prompt("please do it")
    session.step(codex(1))
    assert pytest.approx(packaged_prices().cost("gpt-5", 10_000, 1_000, 4_000)) == spent()[1]


def notices():
    with sqlite3.connect(database()) as connection:
        return [text for kind, text in connection.execute("SELECT kind, message FROM notices") if kind == "needs_you"]


WITHOUT = sorted({*PROGRAMS} - {"claude-code", "codex", "gemini", "qwen"})


@pytest.mark.parametrize("agent", WITHOUT)
def test_a_program_that_reports_no_usage_is_named_at_the_first_event(tmp_path, agent):
    (tmp_path / "config" / "headway").mkdir(parents=True)
    (tmp_path / "config" / "headway" / "config.toml").write_text("[global]\nmax_cost_usd = 5\n")
    program = Program(agent, mode="nudge")
    program.prompt("please do it")
    assert [f"{agent} reports no usage to its hook: the limit of $5 cannot be kept."] == notices()
    for number in range(4):
        program.step(f"make part-{number}", f"part {number} is built")
    assert 1 == len(notices())


@pytest.mark.parametrize(
    ("agent", "shown"), [("claude-code", True), ("gemini", True), ("qwen", True), ("codex", False)]
)
def test_a_transcript_without_usage_is_told_to_the_person_once(tmp_path, agent, shown):
    session = Session(tmp_path, "max_cost_usd = 5\nmax_tokens = 1000", agent)
    session.program.prompt("please do it")
    answers = [session.step({"type": "user"}) for _ in range(4)]
    expected = f"{agent} reports no usage here: the limit of $5 and of 1,000 tokens cannot be kept."
    assert [expected] == notices()
    said = [answer for step in answers for answer in step if answer]
    assert ([{"systemMessage": f"Headway: {expected}"}] if shown else []) == said, (
        "a person sees it, the agent does not"
    )
    assert not any(told_in(answer) for answer in said)


def test_where_limits_are_not_kept_anyway_nothing_is_said_about_them(tmp_path):
    session = Session(tmp_path, mode="observe")
    session.program.prompt("please do it")
    assert [({}, {})] * 4 == [session.step({"type": "user"}) for _ in range(4)]
    assert [] == notices()


def test_a_model_without_a_price_is_told_once(tmp_path):
    session = Session(tmp_path, "max_cost_usd = 5")
    session.program.prompt("please do it")
    for number in range(1, 4):
        unknown = response(number)
        unknown["message"]["model"] = "Homemade-1"
        session.step(unknown)
    (told,) = notices()
    assert told.startswith(
        "The price of a request to the model 'Homemade-1' is not known: the limit of $5 cannot be kept."
    )


def status_line(session, dollars):
    data = {"session_id": "s1", "transcript_path": str(session.path), "cost": {"total_cost_usd": dollars}}
    from headway.hosts.hook.statusline import line

    return line(data, 0.0)


def test_the_status_line_takes_the_place_of_the_estimates(tmp_path):
    """Its cost includes sub-agents, and the latest one counts."""
    session = Session(tmp_path, "max_cost_usd = 5")
    session.program.prompt("please do it")
    session.step(response(1), response(2))
    assert pytest.approx(0.09) == spent()[1]
    status_line(session, 0.3)
    session.step()
    assert pytest.approx(0.3) == spent()[1]
    session.step(response(3))
    assert pytest.approx(0.345) == spent()[1], "estimated until the status line has it"
    status_line(session, 0.36)
    status_line(session, 0.36)
    session.step()
    assert pytest.approx(0.36) == spent()[1]
    status_line(session, 4.9)
    before, _ = session.step()
    assert "$4.90 used, limit $5.00" in refusal_in(before) and "about" not in refusal_in(before).split("limit")[0]


def test_the_service_sees_what_the_status_line_has_stored(tmp_path):
    """Although it holds the session in memory."""
    session, store = Session(tmp_path, "max_cost_usd = 5"), WarmStore()

    def asks(moment, **said):
        request = read_request(json.dumps(session.program.spelled(moment, **said)).encode(), ["--agent", "claude-code"])
        with store.transaction():
            judge(store, request.host, request.hook_event, request.route)
        session.program.count += 1

    asks("prompt", prompt="please do it")
    session.write(response(1))
    asks("before", command="make")
    status_line(session, 0.3)
    asks("before", command="make it")
    assert pytest.approx(0.3) == spent()[1]
    store.close()


def test_a_status_line_covers_only_what_the_transcript_had_when_it_ran(tmp_path):
    session = Session(tmp_path, "max_cost_usd = 5")
    session.program.prompt("please do it")
    session.step(response(1))
    status_line(session, 0.05)
    session.step(response(2))
    assert pytest.approx(0.05 + 0.045) == spent()[1]


def test_the_status_line_of_a_session_without_such_a_limit_writes_nothing(tmp_path):
    session = Session(tmp_path, "max_seconds = 9_000_000")
    session.step(response(1))
    revision = revision_of()
    assert "$0.30" in status_line(session, 0.3)
    assert revision == revision_of() and (None, None) == spent()


def revision_of():
    with sqlite3.connect(database()) as connection:
        return connection.execute("SELECT revision, reported FROM sessions").fetchone()


def test_a_resumed_session_does_not_count_what_it_cost_before(tmp_path):
    session = Session(tmp_path, "max_cost_usd = 5")
    session.write(*map(response, range(100, 140)))
    session.program.prompt("go on")
    session.step(response(1))
    status_line(session, 3.0)
    session.step()
    assert pytest.approx(0.045) == spent()[1]
    status_line(session, 3.2)
    session.step()
    assert pytest.approx(0.245) == spent()[1]


def test_the_page_names_the_source_of_each_program():
    from headway.hosts.hook.recognise import host_called

    page = (ROOT / "docs" / "hooks.md").read_text("utf-8").partition("## Limits of money and tokens")[2]
    rows = [row.split("|")[1:3] for row in page.partition("\n\n- ")[0].splitlines() if row.startswith("| ")]
    (none,) = [programs for programs, source in rows if source.strip() == "**none**"]
    titles = {"claude-code": "Claude Code", "codex": "Codex CLI", "gemini": "Gemini CLI", "qwen": "Qwen Code",
              "copilot": "Copilot CLI", "cursor": "Cursor", "openhands": "OpenHands", "opencode": "OpenCode",
              "kilo": "Kilo Code", "pi": "pi", "cline": "Cline"}  # fmt: skip
    for name, title in titles.items():
        assert bool(host_called(name).usage_mark) == (title not in none.strip().split(", ")), name
        assert any(title in programs for programs, _ in rows), name
