"""Numbers that cannot be true: clamped where recordings are read, so that no report and no saved session fails on them."""

import json

import pytest

from headway import Monitor
from headway.cli import run
from headway.core import events
from headway.core.events import MAX_COUNT, MAX_DOLLARS
from headway.readers import numbered, read
from headway.sources import Source
from tests.cli.test_commands import EXAMPLES
from tests.readers.samples_read import files, lines, of

HUGE = 2**64 + 3
COUNTED = [path for path in files("*/*.json*") if path.suffix in (".json", ".jsonl")]


def with_huge_numbers(value):
    """The same JSON with every count above everything that can be stored."""
    if isinstance(value, dict):
        return {name: inner if name == "kind" else with_huge_numbers(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [with_huge_numbers(inner) for inner in value]
    return HUGE if isinstance(value, int) and not isinstance(value, bool) else value


def decoded(path):
    content = path.read_bytes()
    try:
        return json.dumps(with_huge_numbers(json.loads(content))).encode()
    except ValueError:
        return lines(*(with_huge_numbers(json.loads(line)) for line in content.splitlines()))


@pytest.mark.parametrize("path", COUNTED, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_a_session_that_has_read_it_can_be_saved(path):
    monitors = {}
    for event in read(Source(content=decoded(path), name=path.name)):
        monitors.setdefault((event.run, event.agent), Monitor()).feed(event)
    assert monitors and all(monitor.save() for monitor in monitors.values())


@pytest.mark.parametrize("form", ["text", "json", "markdown", "html"])
def test_one_file_does_not_cost_the_report_of_the_others(tmp_path, form, capsys):
    """A count of tokens of 2⁶⁴ and more ended the scan of a whole folder."""
    usage = {"input_tokens": HUGE, "output_tokens": 10**400, "cache_read_input_tokens": -5}
    message = {"id": "m", "role": "assistant", "model": "x", "content": "hi", "usage": usage}
    (tmp_path / "a.jsonl").write_bytes(lines({"type": "assistant", "uuid": "1", "sessionId": "s", "message": message}))
    (tmp_path / "b.jsonl").write_bytes((EXAMPLES / "round-and-round.jsonl").read_bytes())
    assert 1 == run(["scan", str(tmp_path), "--format", form])
    told = capsys.readouterr()
    assert "round-and-round" in told.out and "" == told.err


def test_what_is_believed():
    (used,) = numbered([events.Used(tokens_in=HUGE, tokens_out=-1, cost_usd=1e300)])
    assert (MAX_COUNT, 0, MAX_DOLLARS) == (used.tokens_in, used.tokens_out, used.cost_usd)
    (result,) = numbered([events.ToolReturned(call="c", exit_code=HUGE, hits=HUGE)])
    assert (None, MAX_COUNT) == (result.exit_code, result.hits)
    (odd,) = numbered([events.ToolReturned(call="c", exit_code=True)])
    assert odd.exit_code is None
    (fair,) = numbered([events.ToolReturned(call="c", exit_code=2**32 - 1, hits=3)])
    assert (2**32 - 1, 3) == (fair.exit_code, fair.hits)
    assert [1, 2] == [event.seq for event in numbered([events.UserSpoke(seq=HUGE), events.UserSpoke()])]


def test_a_time_that_no_calendar_has_is_ignored():
    """A run with one such event was in no digest, because it ended in the far future."""
    spoken = [{"type": "user_spoke", "run": "r", "text": "hi", "at": at} for at in (1e300, -1e300, 1.79e9, 12.5)]
    stream, source = of(lines(*spoken))
    assert ([None, None, 1.79e9, 12.5], 0) == ([event.at for event in stream], source.skipped)


def test_a_round_with_a_number_beyond_64_bits_is_skipped():
    ended = {"type": "iteration_ended", "based_on": HUGE}
    stream, source = of(lines({"type": "user_spoke", "text": "hi"}, ended))
    assert (1, 1, "line 2: a number of more than 64 bits") == (len(stream), source.skipped, source.first_fault)


def test_the_counts_of_millions_of_records_fit_into_a_report():
    """Each may be believed by itself."""
    from headway.study.watched import Watched

    session = Monitor().session
    session.spending.tokens_in, session.spending.cost_usd = 2**70, 1e12
    spent = Watched(None, ())._spent(session)
    assert (MAX_COUNT, MAX_DOLLARS) == (spent.tokens_in, spent.cost_usd)
