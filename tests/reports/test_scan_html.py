"""A scan as one page: closed to the outside, harmless whatever an agent wrote, and usable by keyboard."""

import json
import re

import pytest

from headway.core.finding import Severity
from headway.core.run_report import ScannedRun
from headway.reports import scan_html
from headway.reports.page import fingerprint
from headway.reports.scan_html import scan_page
from headway.reports.summary import Summary
from headway.sources import Source
from headway.study.scan import ScanOptions, scan_all
from tests.reports.scans import INJECTION, Recording, a_month_of_runs, hostile
from tests.reports.test_loop_html import Page


def summed(*recordings, keep=1_000, room=10**8):
    summary = Summary(keep, room)
    for file in scan_all([Source(path) for path in recordings], ScanOptions(timelines=True)):
        summary.add(file)
    return summary


def page_of(summary, **options):
    return "".join(scan_page(summary, **options))


def data_in(html):
    return json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', html, re.DOTALL)[1])


@pytest.fixture(scope="module")
def month(tmp_path_factory):
    folder = a_month_of_runs(tmp_path_factory.mktemp("scan") / "runs")
    return summed(*sorted(folder.glob("*.jsonl")))


@pytest.fixture(scope="module")
def page_file(month, tmp_path_factory):
    path = tmp_path_factory.mktemp("page") / "scan.html"
    path.write_text(page_of(month), "utf-8")
    return path


@pytest.fixture
def hostile_file(tmp_path):
    path = tmp_path / "hostile.html"
    path.write_text(page_of(summed(hostile().write(tmp_path)), min_severity=Severity.LOW), "utf-8")
    return path


def test_what_came_after_a_stop_is_not_called_saved(month):
    """An agent that was stopped might have been started again, or might have finished."""
    html = page_of(month)
    assert "came after the point where Headway would have stopped" in html and "would have saved" not in html


def test_every_element_is_closed_and_nothing_comes_from_outside(month):
    page = Page(page_of(month).replace('spellcheck="false">', 'spellcheck="false"></input>'))
    assert [] == page.open
    assert not {"link", "img", "iframe", "object", "embed", "base", "use", "image"} & set(page.tags)
    assert 2 == page.tags.count("script")
    assert not [name for _, name, _ in page.attributes if name.startswith("on") or name in ("href", "src", "style")]


def test_the_policy_allows_the_pages_own_script_and_style_and_nothing_else(month):
    html = page_of(month)
    (policy,) = (value for _, _, value in Page(html.replace("<input", "<meta")).attributes if "default-src" in value)
    script = re.findall(r"<script>(.*?)</script>", html, re.DOTALL)
    style = re.findall(r"<style>(.*?)</style>", html, re.DOTALL)
    assert (1, 1) == (len(script), len(style))
    assert (
        f"default-src 'none'; script-src {fingerprint(script[0])}; style-src {fingerprint(style[0])}; "
        "base-uri 'none'; form-action 'none'"
    ) == policy


def test_hostile_text_cannot_leave_the_data_it_stands_in(hostile_file):
    html = hostile_file.read_text("utf-8")
    assert INJECTION not in html and "<img" not in html
    assert "\u2028" not in html and "\u202e" not in html and "\x00" not in html
    (run,) = data_in(html)["runs"]
    assert INJECTION in run["about"] and INJECTION in run["timeline"]["words"][0][2]


def test_the_data_has_the_worst_runs_first_with_their_timelines(month):
    runs = data_in(page_of(month))["runs"]
    assert 36 == len(runs)
    stops = month.verdicts["stop"]
    assert 5 <= stops <= 12 and ["stop"] * stops == [run["verdict"] for run in runs[:stops]]
    after = [run["after"] for run in runs[:stops]]
    assert sorted(after, reverse=True) == after
    assert all(run["steps"] == len(run["timeline"]["kinds"]) for run in runs)


def test_the_totals_are_those_of_the_runs(month):
    html = page_of(month)
    reports = [one.report for one in month.worst()]
    cards = dict(re.findall(r"<dt>(.*?)</dt><dd>(.*?)</dd>", html))
    failed, steps = sum(one.failed_steps for one in reports), sum(one.steps for one in reports)
    assert ("36", f"{steps:,}", f"{100 * failed / steps:.1f} %") == tuple(
        cards[name] for name in ("Runs", "Steps", "Failed steps")
    )
    assert f"{sum(one.after_stop.steps for one in reports)}" == cards["Steps after a stop"]
    verdicts = html[html.index("<h3>Verdicts") : html.index("<h3>What the steps did")]
    assert 'aria-label="36 runs, as listed below"' in verdicts
    for name in ("continue", "stop"):
        count = sum(one.verdict == name for one in reports)
        assert f" {name} {count} ({100 * count / 36:.0f} %)" in verdicts
        assert f'width="{100 * count / 36:.2f}%" height="16" class="verdict-{name}"' in verdicts


def test_findings_below_the_wanted_severity_are_left_out(month):
    for least in (Severity.MEDIUM, Severity.HIGH):
        shown = {f[1] for run in data_in(page_of(month, min_severity=least))["runs"] for f in run["findings"]}
        assert {"medium", "high"} >= shown and ("medium" in shown) is (least is Severity.MEDIUM)


def test_a_huge_scan_keeps_the_worst_runs_and_says_how_many_more_there_were(month, monkeypatch):
    monkeypatch.setattr(scan_html, "MAX_RUNS", 10)
    small = Summary(keep=10, room=25_000)
    for one in month.worst():
        small._add(ScannedRun(one.report, one.timeline))
    html = page_of(small)
    runs = data_in(html)["runs"]
    assert "The 10 worst runs are shown; 26 more runs are included in the totals only." in html
    assert [run["run"] for run in data_in(page_of(month))["runs"][:10]] == [run["run"] for run in runs]
    assert runs[0]["timeline"] and not runs[-1]["timeline"]


def test_runs_without_a_project_are_a_row_that_chooses_nothing(tmp_path):
    runs = (Recording("a", root="/w/shop"), Recording("b"))
    paths = [one.bash("ls", "x").write(tmp_path) for one in runs]
    html = page_of(summed(*paths))
    assert "<td>unknown</td>" in html and 'data-filter="project" data-value="shop"' in html


def test_an_empty_scan_has_a_page_too():
    assert 'class="verdict">no runs</p>' in page_of(Summary())


# In a real browser


@pytest.mark.quick
def test_the_page_opens_from_disk_and_draws_a_cell_for_each_step(opened, page_file, month):
    page = opened(page_file)
    assert "36 runs" == page.locator("#count").inner_text()
    assert 20 == page.locator(".runs > li").count()
    first = page.locator(".runs > li").first
    assert month.worst()[0].report.prompt in first.locator("h3").inner_text()
    assert month.worst()[0].report.run == first.get_attribute("data-run")
    assert month.worst()[0].report.steps == first.locator(".cell").count()
    assert 1 == first.locator(".cell.ending").count()
    assert month.worst()[0].report.after_stop.steps == first.locator(".cell.after").count()


def test_hovering_shows_call_outcome_and_why(opened, page_file, month):
    page = opened(page_file)
    report = month.worst()[0].report
    finding = next(one for one in report.findings if one.severity.rank >= Severity.MEDIUM.rank)
    first = page.locator(".runs > li").first
    first.locator(".cell").nth(finding.first_step - 1).hover()
    told = first.locator(".step").inner_text()
    assert f"Step {finding.first_step} of {report.steps}" in told
    assert "edit · failed" in told and "Edit src/tax.py" in told and "String to replace not found" in told
    where = f"steps {finding.first_step}–{finding.last_step}"
    assert f"{finding.severity} {finding.detector}, {where}: {finding.message}" in told
    assert "times)" not in page.locator(".runs").inner_text(), "how often a detector spoke is no count of the message"


def test_filters_narrow_the_list(opened, page_file, month):
    page = opened(page_file)
    page.locator("#verdict").select_option("stop")
    assert f"{month.verdicts['stop']} runs" == page.locator("#count").inner_text()
    page.locator("button[type=reset]").click()
    page.locator("#agent").select_option("codex")
    expected = {one.report.run for one in month.worst() if one.report.agent == "codex"}
    assert expected == names_on(page) and 12 == len(expected)
    page.locator("#verdict").select_option("stop")
    assert {one.report.run for one in month.worst() if (one.report.agent, one.report.verdict) == ("codex", "stop")} == (
        names_on(page)
    )
    page.locator("button[type=reset]").click()
    page.locator("#pattern").select_option("empty_streak")
    expected = {one.report.run for one in month.worst() if "empty_streak" in {f.detector for f in one.report.findings}}
    assert expected == names_on(page) != set()
    page.locator("button[type=reset]").click()
    page.locator("#words").fill("currency")
    has_text(page.locator("#count"), "5 runs")
    assert all("currency" in title for title in page.locator(".runs h3").all_inner_texts())
    page.locator("#words").fill("there is no such word")
    has_text(page.locator("#count"), "0 runs")


def names_on(page):
    """The names of all runs that are chosen."""
    return set(listed(page))


def listed(page):
    """The names of all runs that are chosen, in their order."""
    while page.locator("#more").is_visible():
        page.locator("#more").click()
    return [run.get_attribute("data-run") for run in page.locator(".runs > li").all()]


def test_runs_can_be_put_in_another_order(opened, page_file, month):
    reports = [one.report for one in month.worst()]
    page = opened(page_file)
    for order, value in {
        "newest first": lambda report: report.ended_at,
        "longest first": lambda report: report.steps,
        "most after a stop": lambda report: report.after_stop.steps,
    }.items():
        page.locator("#order").select_option(order)
        expected = [report.run for report in sorted(reports, key=value, reverse=True)]
        assert expected == listed(page)


def test_a_finger_is_enough(opened, page_file):
    page = opened(page_file, has_touch=True)
    first = page.locator(".runs > li").first
    first.locator(".cell").nth(4).tap()
    assert first.locator(".step strong").inner_text().startswith("Step 5 of")
    first.locator(".cell").nth(6).dispatch_event("click")  # as a screen reader does it, without any pointer
    assert first.locator(".step strong").inner_text().startswith("Step 7 of")


def test_a_pattern_in_the_chart_is_a_filter(opened, page_file, month):
    page = opened(page_file)
    pattern = month.commonest(Severity.MEDIUM)[0]
    button = page.locator(f"[data-filter=pattern][data-value={pattern.name}]")
    button.click()
    assert ("true", f"{pattern.runs} runs") == (
        button.get_attribute("aria-pressed"),
        page.locator("#count").inner_text(),
    )
    button.click()
    assert ("false", "36 runs") == (button.get_attribute("aria-pressed"), page.locator("#count").inner_text())


def test_everything_works_by_keyboard(opened, page_file):
    page = opened(page_file)
    page.keyboard.press("/")
    page.keyboard.type("cart-total")
    has_text(page.locator("#count"), "5 runs")
    while page.evaluate("document.activeElement.className") != "cells":
        page.keyboard.press("Tab")
    first = page.locator(".runs > li").first
    assert first.locator(".step strong").inner_text().startswith("Step 1 of")
    page.keyboard.press("ArrowRight")
    assert first.locator(".step strong").inner_text().startswith("Step 2 of")
    page.keyboard.press("PageDown")
    assert "failed" in first.locator(".step strong").inner_text()
    page.keyboard.press("End")
    steps = first.locator(".cell").count()
    assert first.locator(".step strong").inner_text().startswith(f"Step {steps} of {steps}")
    active = first.locator(".cells").get_attribute("aria-activedescendant")
    assert page.locator(f"#{active}").get_attribute("aria-label").startswith(f"Step {steps} of {steps}")
    page.keyboard.press("j")
    assert page.locator(".runs > li").nth(1).locator(".step strong").inner_text().startswith("Step 1 of")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")  # the button of the first finding
    assert "cells" == page.evaluate("document.activeElement.className")


def test_a_transcript_with_script_in_it_is_inert(opened, hostile_file):
    page = opened(hostile_file)
    first = page.locator(".runs > li").first
    first.locator(".cells").focus()
    page.keyboard.press("PageDown")
    assert INJECTION.split("<img")[0] in first.inner_text()
    assert 0 == page.locator("img").count()
    assert page.evaluate("window.owned === undefined")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [380, 1_400])
def test_it_fits_the_width_and_can_be_read_in_the_dark(opened, page_file, width, scheme):
    page = opened(page_file, viewport={"width": width, "height": 900}, color_scheme=scheme, reduced_motion="reduce")
    assert width == page.evaluate("document.documentElement.scrollWidth")
    assert contrast(page, "body", "body") >= 7
    page.locator(".runs > li").first.scroll_into_view_if_needed()
    page.locator(".mark.high").first.wait_for()
    for part in (".quiet", ".mark.high", ".runs > li > p"):
        assert contrast(page, part, "body") >= 4.5


def has_text(element, words):
    """Wait until an element says so: filtering follows typing after a moment."""
    from playwright.sync_api import expect

    expect(element).to_have_text(words)


def contrast(page, text, background):
    """Contrast of two colours as the WCAG defines it."""
    colours = page.evaluate(
        "([text, back]) => [getComputedStyle(document.querySelector(text)).color,"
        " getComputedStyle(document.querySelector(back)).backgroundColor]",
        [text, background],
    )
    one, other = sorted(luminance(colour) for colour in colours)
    return (other + 0.05) / (one + 0.05)


def luminance(colour):
    parts = [int(part) / 255 for part in re.findall(r"\d+", colour)[:3]]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.slow
def test_two_thousand_runs_open_quickly(opened, month, tmp_path):
    summary = Summary(keep=2_000, room=10**8)
    for _ in range(56):
        for one in month.worst():
            summary._add(one)
    path = tmp_path / "many.html"
    path.write_text(page_of(summary), "utf-8")
    page = opened(path)
    assert "2,000 runs" == page.locator("#count").inner_text()
    assert 20 == page.locator(".runs > li").count()
    assert 20 == page.locator(".runs > li > .cells").count()  # whole, so that nothing moves
    assert page.locator(".cell").count() < 5_000
    page.locator("#more").click()
    page.locator(".runs > li").nth(39).wait_for(state="attached")
    assert 40 == page.locator(".runs > li").count()
