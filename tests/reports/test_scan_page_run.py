"""One run opened on the page of a scan: its address, what it cost, what was printed, and what Headway would have said."""

import json

import pytest

from headway.reports.timeline import LEADING, OUTPUTS
from headway.sources import Source
from headway.study.scan import ScanOptions, scanned
from tests.reports.scans import Recording, a_month_of_runs, stuck
from tests.reports.test_scan_html import data_in, has_text, page_of, summed

SECRET = f"ghp_{'a' * 36}"


@pytest.fixture(scope="module")
def month(tmp_path_factory):
    return summed(*sorted(a_month_of_runs(tmp_path_factory.mktemp("scan") / "runs").glob("*.jsonl")))


@pytest.fixture(scope="module")
def page_file(month, tmp_path_factory):
    path = tmp_path_factory.mktemp("page") / "scan.html"
    path.write_text(page_of(month), "utf-8")
    return path


def outputs_of(recording, folder, **asked):
    (run,) = scanned(Source(recording.write(folder)), ScanOptions(timelines=True, **asked))
    return {int(step): output for step, output in json.loads(run.outputs or b"{}").items()}


def test_outputs_that_lead_to_a_finding_are_kept_without_secrets(tmp_path):
    recording = Recording("loop").user("Go.")
    for n in range(20):
        recording.bash(f"cat notes_{n}.txt", f"note {n}")
    for _ in range(9):
        recording.bash("make deploy", f"\tError: token {SECRET} was refused\n\x1b[31mstop", failed=True)
    kept = outputs_of(recording, tmp_path)
    assert min(kept) > 20 - LEADING and 21 in kept and max(kept) <= 29
    text, length = kept[21]
    assert "aaaa" not in text and text.startswith("\tError: token ") and text.endswith("\nstop")
    assert len(f"\tError: token {SECRET} was refused\n\x1b[31mstop") == length


def test_no_output_is_kept_without_content_and_never_too_many(tmp_path):
    assert {} == outputs_of(stuck("a", 30, 1), tmp_path, content=False)
    assert OUTPUTS == len(outputs_of(stuck("b", 200, 1), tmp_path))


def test_timelines_are_worth_more_than_outputs_where_room_is_short(month):
    from headway.reports.summary import Summary

    whole = month.worst()
    timelines = sum(len(one.timeline) for one in whole)
    small = Summary(keep=1_000, room=timelines + 5_000)
    for one in whole:
        small._add(one)
    kept = small.worst()
    assert all(one.timeline for one in kept)
    assert 0 < sum(bool(one.outputs) for one in kept) < sum(bool(one.outputs) for one in whole)


# In a real browser


def test_a_run_opens_with_its_facts_and_everything_that_was_said(opened, page_file, month):
    page = opened(page_file)
    report = month.worst()[0].report
    page.locator(".runs h3 a").first.click()
    assert 1 == page.locator(".runs > li").count() and f"run={report.run}" in page.url
    facts = dict(
        zip(page.locator(".facts dt").all_inner_texts(), page.locator(".facts dd").all_inner_texts(), strict=True)
    )
    assert (report.project, report.agent, report.model) == (facts["Project"], facts["Agent"], facts["Model"])
    assert f"{report.steps} steps" == f"{facts['Steps'].split(',')[0]} steps" and report.run == facts["Run"]
    assert {"Duration", "Cost", "Tokens", "After the stop"} <= facts.keys()
    assert len(report.findings) == page.locator("[aria-label=Findings] > li").count()
    told = page.locator(".runs section .told").all_inner_texts()
    before_the_end = [one for one in report.decisions if one.step <= report.first_stop]
    assert told[0] == before_the_end[0].message and told[-1] in {one.message for one in before_the_end}
    assert "stop" == page.locator(".runs section .mark").last.inner_text()  # after it, nothing would have been said


def test_filters_the_open_run_and_its_step_are_in_the_address(opened, page_file):
    page = opened(page_file)
    page.locator("#agent").select_option("codex")
    page.locator("#verdict").select_option("stop")
    few = page.locator("#count").inner_text()
    page.locator(".runs h3 a").first.click()
    page.locator(".cells").focus()
    page.keyboard.press("End")
    there, told = page.url, page.locator(".step strong").inner_text()
    run = page.locator(".runs > li").get_attribute("data-run")
    page.goto("about:blank")
    page.requests.clear()
    page.goto(there)
    page.requests[:] = [page.requests[0].split("#")[0]]
    assert run == page.locator(".runs > li").get_attribute("data-run")
    assert told == page.locator(".step strong").inner_text()
    page.keyboard.press("Escape")
    assert few == page.locator("#count").inner_text() and "run=" not in page.url
    assert ("codex", "stop") == (page.locator("#agent").input_value(), page.locator("#verdict").input_value())
    assert run == page.evaluate("document.activeElement.closest('.runs > li').dataset.run")


def test_the_back_button_of_the_browser_closes_a_run(opened, page_file):
    page = opened(page_file)
    page.locator("#words").fill("currency")
    has_text(page.locator("#count"), "5 runs")
    page.locator(".runs h3 a").nth(1).click()
    assert 1 == page.locator(".runs > li").count()
    page.go_back()
    assert 5 == page.locator(".runs > li").count() and "currency" == page.locator("#words").input_value()
    page.go_forward()
    assert 1 == page.locator(".runs > li").count()


def test_enter_opens_a_run_and_j_goes_to_the_next(opened, page_file, month):
    page = opened(page_file)
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    names = [one.report.run for one in month.worst()]
    assert names[0] == page.locator(".runs > li").get_attribute("data-run")
    page.keyboard.press("j")
    assert names[1] == page.locator(".runs > li").get_attribute("data-run")


def test_what_was_printed_is_shown_on_demand(opened, page_file, month):
    page = opened(page_file)
    page.locator(".runs h3 a").first.click()
    page.locator(".cells").focus()
    page.keyboard.press("PageDown")
    while not page.locator(".step details").count():
        page.keyboard.press("ArrowRight")
    assert not page.locator(".step pre").is_visible()
    page.locator(".step summary").click()
    assert page.locator(".step pre").inner_text() in {
        text for run in data_in(page_file.read_text("utf-8"))["runs"][:1] for text, _ in run["outputs"].values()
    }


def test_an_address_of_something_else_is_the_whole_list(opened, page_file):
    page = opened(page_file)
    page.evaluate("location.hash = 'run=<img src=x>&verdict=nonsense&step=x&order=upside'")
    assert "36 runs" == page.locator("#count").inner_text()
    assert "worst first" == page.locator("#order").input_value()


def rows_of(page, title):
    figure = page.locator("figure", has=page.locator("h3", has_text=title))
    return {row.locator("td").first.inner_text(): row for row in figure.locator("tbody tr").all()}


def test_money_and_waste_are_added_up_by_week_model_and_project(opened, page_file, month):
    page = opened(page_file)
    reports = [one.report for one in month.worst()]
    models = rows_of(page, "By model")
    assert {report.model for report in reports} == models.keys()
    for model, row in models.items():
        runs = [report for report in reports if report.model == model]
        cells = row.locator("td").all_inner_texts()
        assert [str(len(runs)), f"${sum(run.spent.cost_usd for run in runs):.2f}"] == cells[1:3]
        assert cells[4].startswith(f"{sum(run.after_stop.steps for run in runs)} steps")
    assert 36 == sum(int(row.locator("td").nth(1).inner_text()) for row in rows_of(page, "By week").values())
    rows_of(page, "By project")["shop"].locator("button").click()
    assert "18 runs" == page.locator("#count").inner_text() and "project=shop" in page.url


def test_tables_can_be_read_on_a_phone(opened, page_file):
    page = opened(page_file, viewport={"width": 380, "height": 900})
    for row in page.locator(".amounts tbody tr").all():
        assert row.bounding_box()["height"] < 70
    assert 380 == page.evaluate("document.documentElement.scrollWidth")
