"""What a run cost at list prices, and how long it worked."""

import json
from datetime import date

import msgspec
import pytest

from headway.config.price_files import Price, PriceTable
from headway.core import events
from headway.core.decision import Action
from headway.core.run_report import RunReport, ScannedFile, ScannedRun, Spent
from headway.readers import read
from headway.reports.summary import Summary
from headway.reports.words import circumstances, cost_in_words, saved_in_words
from headway.sources import Source
from headway.study.scan import ScanOptions, scanned
from tests.command import ROOT

PRICES = PriceTable(
    date(2026, 11, 1),
    (
        Price(model="big-1", input=10, output=50, cached_input=1, cache_write=12),
        Price(model="small-1", input=1, output=5),
        Price(model="long-1", input=1, output=5),
        Price(model="long-1", input=2, output=9, prompt_over=200_000),
    ),
)
SAMPLES = ROOT / "tests" / "readers" / "samples"


def reports(*stream):
    content = b"".join(events.encode_event(event) + b"\n" for event in stream)
    return [one.report for one in scanned(Source(content=content, name="x"), ScanOptions(prices=PRICES))]


def start(model="big-1", **more):
    return events.RunStarted(run="r", model=model, **more)


def used(tokens_in=1_000_000, tokens_out=0, **more):
    return events.Used(run="r", tokens_in=tokens_in, tokens_out=tokens_out, **more)


def test_tokens_without_a_cost_are_priced_by_the_model_of_their_time():
    (report,) = reports(start(), used(tokens_cached=500_000, tokens_written=100_000), start("small-1"), used())
    assert (None, pytest.approx(4 + 0.5 + 1.2 + 1)) == (report.spent.cost_usd, report.spent.estimated_usd)


def test_tokens_of_many_requests_have_not_the_price_of_one_long_request():
    def answers(number):
        for n in range(number):
            yield events.ToolCalled(run="r", call=f"{n}", tool="Bash", args={"command": f"echo {n}"})
            yield events.ToolReturned(run="r", call=f"{n}", output=f"{n}")

    (one,) = reports(start("long-1"), *answers(1), used(400_000))
    (many,) = reports(start("long-1"), *answers(40), used(400_000))
    (each,) = reports(start("long-1"), *answers(40), used(400_000), *answers(1), used(400_000))
    estimates = [report.spent.estimated_usd for report in (one, many, each)]
    assert pytest.approx([0.8, 0.4, 1.2]) == estimates


def test_calls_of_one_answer_are_one_request():
    stream = [start("long-1")]
    for n in range(40):
        stream.append(events.ToolCalled(run="r", call=f"{n}", tool="Read", args={"path": f"{n}"}, batch="1"))
        stream.append(events.ToolReturned(run="r", call=f"{n}", output=f"{n}"))
    (report,) = reports(*stream, used(400_000))
    assert pytest.approx(0.8) == report.spent.estimated_usd


def test_a_recorded_cost_is_not_estimated_again():
    (report,) = reports(start(), used(), used(0, cost_usd=0.25))
    assert Spent(0, 1_000_000, 0, 0.25) == report.spent


def test_requests_without_a_cost_are_estimated_beside_those_with_one():
    (report,) = reports(start(), used(cost_usd=0.25), used(), start("big-2"), used(7), used(9, cost_usd=0.5))
    assert (0.75, 10.0, {"big-2": 7}) == (report.spent.cost_usd, report.spent.estimated_usd, report.unpriced)
    summary = Summary(prices_dated=PRICES.dated)
    summary.add(ScannedFile("x", (ScannedRun(report),)))
    assert "$10.75 (of which $10.00 estimated)" == cost_in_words(summary.spent)
    assert "cost recorded for 0 of 1 run, estimated for 1" in circumstances(summary)


def test_what_came_after_the_stop_is_never_more_than_the_whole():
    stream = [start(), used(cost_usd=0.25)]
    for n in range(30):
        stream += [
            events.ToolCalled(run="r", call=f"c{n}", tool="Bash", args={"command": "make"}),
            events.ToolReturned(run="r", call=f"c{n}", output="make: *** No rule", failed=True),
            used(1_000, cost_usd=0.01 * (n % 2)),
        ]
    (report,) = reports(*stream)
    assert 0 < report.after_stop.cost_usd < report.spent.cost_usd
    assert 0 < report.after_stop.estimated_usd < report.spent.estimated_usd == pytest.approx(0.15)


def test_a_model_without_a_price_is_listed_and_not_guessed():
    (report,) = reports(start("big-2"), used(), start(), used(100_000), start("big-2"), used(0, 7))
    assert ({"big-2": 1_000_007}, 1.0) == (report.unpriced, report.spent.estimated_usd)
    (unknown,) = reports(events.RunStarted(run="r"), used())
    assert {"unknown": 1_000_000} == unknown.unpriced and unknown.spent.known_usd is None


def test_more_cached_tokens_than_the_prompt_has_are_not_priced():
    """A million of them beside a prompt of 10 tokens cost more than everything else."""
    (report,) = reports(
        start(),
        events.Used(run="r", tokens_in=1000, tokens_cached=1000),
        events.Used(run="r", tokens_in=10, tokens_out=1, tokens_cached=10**9),
    )
    assert (1010, pytest.approx(0.001)) == (report.spent.tokens_in, report.spent.estimated_usd)
    assert {"big-1 with more cached tokens than its prompt": 11} == report.unpriced


def test_the_estimate_after_the_stop_is_known_where_the_cost_came_in_one_piece():
    call = events.ToolCalled(run="r", call="c", tool="Bash", args={"command": "make"})
    stream = [start()]
    for n in range(30):
        stream += [
            msgspec.structs.replace(call, call=f"c{n}"),
            events.ToolReturned(run="r", call=f"c{n}", output="make: *** No rule", failed=True),
            used(1_000),
        ]
    (report,) = reports(*stream, events.Used(run="r", cost_usd=9.0))
    assert report.after_stop.steps and report.first_stop
    assert report.after_stop.cost_usd is None
    assert report.after_stop.estimated_usd == pytest.approx(0.01 * (30 - report.first_stop + 1))
    assert (9.0, None) == (report.spent.cost_usd, report.spent.estimated_usd)


def test_time_in_which_the_agent_waited_for_a_person_is_left_out():
    def step(n, at, took, tool="Bash"):
        return [
            events.ToolCalled(run="r", call=f"c{n}", tool=tool, args={"command": f"echo {n}"}, at=at),
            events.ToolReturned(run="r", call=f"c{n}", output=f"{n}", at=at + took),
        ]

    (report,) = reports(
        start(at=1000.0),
        events.UserSpoke(run="r", text="go", at=1010.0),
        *step(1, 1020.0, 30),  # 10 + 30
        events.UserSpoke(run="r", text="go on", at=2000.0),  # waited for a person
        *step(2, 2005.0, 5),  # 5 + 5
        *step(3, 2010.0, 600, "AskUserQuestion"),  # a question to a person
        *step(4, 2611.0, 9),  # 1 + 9
        *step(5, 2620.0 + 4000, 1),  # asleep for more than an hour, then 1
    )
    assert 61.0 == report.spent.active_seconds
    assert 5621.0 == report.ended_at - report.started_at


def test_without_times_no_time_is_told():
    (report,) = reports(start(), used())
    assert report.spent.active_seconds is None


@pytest.mark.parametrize("later", [0.0, 600.0, 7_200.0])
def test_a_beginning_and_an_end_do_not_tell_how_long_the_agent_worked(later):
    spoke = [events.UserSpoke(run="r", text="go"), events.AgentSpoke(run="r", text="done")]
    (report,) = reports(start(at=1_000.0), *spoke, *spoke, used(at=1_000.0 + later))
    assert report.spent.active_seconds is None


def test_minutes_after_the_point_of_the_stop():
    stream = [start(at=0.0)]
    for n in range(30):
        stream.append(events.ToolCalled(run="r", call=f"c{n}", tool="Bash", args={"command": "make"}, at=60.0 * n))
        stream.append(events.ToolReturned(run="r", call=f"c{n}", output="make: *** No rule", failed=True, at=60.0 * n))
    (report,) = reports(*stream)
    assert report.after_stop.active_seconds == 60.0 * report.after_stop.steps > 0


def test_claude_code_tells_what_came_from_a_cache_and_what_was_put_into_one():
    path = ROOT / "tests" / "recordings" / "claude-code-fasthooks.jsonl"
    told = {}
    for message in (json.loads(line).get("message") for line in path.read_text().splitlines()):
        if isinstance(message, dict) and message.get("usage"):
            told[message["id"]] = message["usage"]
    found = [event for event in read(Source(path)) if isinstance(event, events.Used)]
    cached, written = sum(one.tokens_cached for one in found), sum(one.tokens_written for one in found)
    assert sum(one["cache_read_input_tokens"] for one in told.values()) == cached > 0
    assert sum(one["cache_creation_input_tokens"] for one in told.values()) == written > 0


def test_codex_tells_what_came_from_a_cache():
    found = []
    for path in sorted((SAMPLES / "codex").rglob("*.jsonl")):
        found += [event for event in read(Source(path)) if isinstance(event, events.Used)]
    assert sum(one.tokens_cached for one in found) > 0
    assert all(one.tokens_cached <= one.tokens_in for one in found)


def run(name, spent, agent_id="", **more):
    report = RunReport(name, "s", "claude-code", "claude-code", "m", 0, 0, Action.CONTINUE, (), (), spent)
    return ScannedRun(msgspec.structs.replace(report, agent_id=agent_id, **more))


def test_the_cost_of_a_session_includes_its_sub_agents():
    summary = Summary(prices_dated=PRICES.dated)
    main, helper = run("s1", Spent(cost_usd=2.0)), run("s1/a1", Spent(estimated_usd=0.5), "a1", unpriced={"x": 5})
    summary.add(ScannedFile("s1.jsonl", (main,)))
    counted = summary.add(ScannedFile("s1/a1.jsonl", (helper,)))
    summary.add(ScannedFile("s2/a1.jsonl", (run("s2/a1", Spent(estimated_usd=0.25), "a1"),)))
    assert (2.0, 0.25) == (summary.spent.cost_usd, summary.spent.estimated_usd)
    assert counted.runs[0].report.spent.estimated_usd is None and not summary.unpriced


def test_the_time_of_a_sub_agent_is_not_counted_twice():
    summary = Summary()
    summary.add(ScannedFile("s", (run("s", Spent(active_seconds=100.0)), run("s/a", Spent(active_seconds=80.0), "a"))))
    assert 100.0 == summary.spent.active_seconds


def test_the_words_say_what_is_estimated_and_what_has_no_price():
    summary = Summary(prices_dated=PRICES.dated)
    summary.add(ScannedFile("1", (run("1", Spent(cost_usd=2.0)), run("2", Spent(estimated_usd=0.5)))))
    summary.add(ScannedFile("2", (run("3", Spent(tokens_in=9), unpriced={"big-2": 1_200_000}),)))
    assert "$2.50 (of which $0.50 estimated)" == cost_in_words(summary.spent)
    assert (
        "cost recorded for 1 of 3 runs, estimated for 1 (list prices of 2026-11-01), no list price for big-2 (1.2 M tokens)"
    ) in circumstances(summary)
    assert {"big-2": 1_200_000} == summary.totals()["unpriced"]


def test_no_share_is_told_where_a_list_price_is_more_than_what_was_paid():
    summary = Summary(prices_dated=PRICES.dated)
    summary.add(ScannedFile("1", (run("1", Spent(9, cost_usd=0.1), after_stop=Spent(5, estimated_usd=2.52)),)))
    assert "$2.52 estimated came after" in saved_in_words(summary)
    summary.add(ScannedFile("2", (run("2", Spent(9, cost_usd=9.98)),)))
    assert "$2.52 estimated (25.0 % of the cost, recorded or estimated) came after" in saved_in_words(summary)


def test_one_time_in_the_far_future_does_not_end_the_count():
    times = (0, 10, 10**9, 20, 15, 30)
    (report,) = reports(start(at=0), *(used(1, at=float(at)) for at in times))
    assert 10 + 10 == report.spent.active_seconds  # 0 to 10, and 20 to 30
