"""A limit of money holds where a recording has only tokens: they are priced before the monitor sees them."""

import json
from datetime import date
from itertools import accumulate

import pytest

from headway.config.price_files import Price, PriceTable, packaged_prices
from headway.config.settings import Settings
from headway.core import events
from headway.sources import Source
from headway.study.scan import ScanOptions, scanned
from headway.study.story import story
from tests.command import ROOT, headway

PRICES = PriceTable(date(2026, 11, 1), (Price(model="big-1", input=10, output=50),))
RECORDING = ROOT / "tests" / "recordings" / "claude-code-fasthooks.jsonl"


def limited(usd):
    return Settings.of({"global": {"max_cost_usd": usd}})


def working(requests, **used):
    """A request of a tenth of a dollar before each call."""
    stream = [events.RunStarted(run="r", model="big-1"), events.UserSpoke(run="r", text="Write the chapters.")]
    for n in range(requests):
        stream += [
            events.Used(run="r", tokens_in=10_000, **used),
            events.ToolCalled(run="r", call=f"c{n}", tool="Write", args={"path": f"{n}.md", "content": f"text {n}"}),
            events.ToolReturned(run="r", call=f"c{n}", output=f"wrote {n}.md"),
        ]
    return stream


def source(stream):
    return Source(content=b"".join(events.encode_event(event) + b"\n" for event in stream), name="x")


def report(stream, usd):
    (one,) = scanned(source(stream), ScanOptions(settings=limited(usd), prices=PRICES))
    return one.report


def test_tokens_without_a_cost_are_stopped_where_the_next_request_would_exceed_the_limit():
    found = report(working(30), 1.05)
    first, stop, *_ = found.decisions
    assert ("nudge", "spend") == (first.action, first.reason) and "about $0.90 used" in first.message
    assert (9, "stop", "spend") == (stop.step, stop.action, stop.reason)
    assert "would exceed the money budget: about $1.00 used, limit $1.05, about $0.10 per report" in stop.message


def test_the_estimate_is_counted_once():
    found = report(working(30), 99.0)
    assert (None, pytest.approx(3.0)) == (found.spent.cost_usd, found.spent.estimated_usd)
    assert () == found.decisions


def test_a_reported_cost_is_not_called_an_estimate():
    found = report(working(30, cost_usd=0.25), 1.0)
    stop = next(one for one in found.decisions if one.action == "stop")
    assert 3 == stop.step and "used up: $1.00 used" in stop.message
    assert (7.5, None) == (found.spent.cost_usd, found.spent.estimated_usd)


def test_a_sum_takes_the_place_of_the_estimates_that_it_covers():
    """A cost without tokens is that of the requests before it; what comes later is estimated again."""
    stream = [*working(20), events.Used(run="r", cost_usd=0.5), *working(3)[2:]]
    found = report(stream, 4.0)
    assert (0.5, pytest.approx(0.3)) == (found.spent.cost_usd, found.spent.estimated_usd)
    assert () == found.decisions
    assert ["nudge"] == [str(one.action) for one in report(stream, 2.5).decisions]


def test_showing_a_run_says_the_same():
    said = [one.decision for one in story(source(working(30)), ("r", ""), None, limited(1.05), PRICES) if one.decision]
    scan = [(one.action, one.message) for one in report(working(30), 1.05).decisions]
    assert scan == [(one.action, one.message) for one in said]


def responses(path):
    """What each response of a transcript cost at list prices, counted here, each once."""
    lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    told = {(line["message"]["id"], line.get("requestId")): line["message"] for line in lines
            if line.get("type") == "assistant" and not line.get("isSidechain")}  # fmt: skip
    for message in told.values():
        usage = message["usage"]
        cached, written = usage["cache_read_input_tokens"], usage["cache_creation_input_tokens"]
        whole = usage["input_tokens"] + cached + written
        yield packaged_prices().cost(message["model"], whole, usage["output_tokens"], cached, written)


def test_a_transcript_of_claude_code_is_stopped_at_the_response_that_leaves_no_room():
    asked = ["scan", str(RECORDING), "--format", "json", "--set", "global.max_cost_usd=0.03", "--jobs", "1"]
    run, *_ = json.loads(headway(*asked).stdout)["runs"]
    stop = next(one for one in run["decisions"] if one["action"] == "stop")
    sums = list(accumulate(responses(RECORDING)))
    used = next(used for n, used in enumerate(sums, 1) if used + used / n > 0.03)
    assert "spend" == stop["reason"] and f"about ${used:,.4f}".rstrip("0") + " used, limit $0.03" in stop["message"]
    assert pytest.approx(sums[-1]) == run["spent"]["estimated_usd"] and run["spent"]["cost_usd"] is None
    shown = headway("show", str(RECORDING), "--set", "global.max_cost_usd=0.03").stdout.decode()
    assert "> stop because of spend" in shown
