"""Finding one's way on the page of a scan: in long runs, among many runs, by keyboard, and on paper."""

import re
from itertools import pairwise

import msgspec
import pytest

from headway.core.finding import Severity
from headway.reports.scan_charts import charts
from headway.reports.scan_html import GROUPS
from headway.reports.summary import Summary
from headway.reports.timeline import LEADING, MAX_STEPS, WORDED
from tests.reports.scans import Recording, a_month_of_runs, honest, stuck
from tests.reports.test_scan_html import page_of, summed

DAY = 86_400
EDIT = {"file_path": "src/tax.py", "old_string": "def tax(", "new_string": "def vat("}


def marathon(before=3_500, after=600):
    """A run that works for a long time, goes in circles, and works on."""
    recording = Recording("marathon").user("Build it.")
    for n in range(before):
        recording.call("Write", {"file_path": f"src/part_{n}.py"}, f"wrote part {n}")
    recording.user("Rename tax() to vat().")
    for _ in range(9):
        recording.call("Edit", EDIT, "Error: String to replace not found in file.", failed=True)
    recording.user("Leave it. Go on.")
    for n in range(after):
        recording.call("Write", {"file_path": f"src/more_{n}.py"}, f"wrote more {n}")
    return recording


@pytest.fixture(scope="module")
def long_run(tmp_path_factory):
    return summed(marathon().write(tmp_path_factory.mktemp("long")))


@pytest.fixture(scope="module")
def long_file(long_run, tmp_path_factory):
    path = tmp_path_factory.mktemp("page") / "long.html"
    path.write_text(page_of(long_run), "utf-8")
    return path


def first_found(summary):
    return min(one.first_step for one in summary.worst()[0].report.findings if one.detector == "exact_cycle")


def test_the_steps_that_led_to_a_finding_have_words_wherever_it_was(long_run):
    timeline = msgspec.json.decode(long_run.worst()[0].timeline)
    worded = {number: call for number, _, call, _ in timeline["words"]}
    found = first_found(long_run)
    assert 3_500 < found < 4_109 - WORDED and 4_109 == len(timeline["kinds"]) < MAX_STEPS
    assert {"Edit src/tax.py"} == {worded[step] for step in range(3_501, 3_510)}
    assert "Write src/part_3499.py" == worded[3_500] and found - LEADING in worded
    assert 1_000 not in worded and {1, WORDED, 4_109} < worded.keys()
    assert sorted(worded) == [number for number, *_ in timeline["words"]]


def test_no_more_words_are_kept_however_much_is_found(tmp_path):
    timeline = msgspec.json.decode(summed(stuck("x", 1_500, 1).write(tmp_path)).worst()[0].timeline)
    assert 2_000 < len(timeline["kinds"]) and 3 * WORDED == len(timeline["words"])


@pytest.mark.parametrize(
    ("apart", "unit", "bars"),
    [(DAY, "day", 20), (9 * DAY, "week", 25), (61 * DAY, "month", 39)],
    ids=lambda it: str(it),
)
def test_every_run_is_in_the_chart_over_time(tmp_path, apart, unit, bars):
    """Months of recordings are shown by week or by month, not cut to the latest days."""
    paths = [honest(f"r{n}", 3, 1, at=1_700_000_000 + n * apart).write(tmp_path) for n in range(20)]
    shown = charts(summed(*paths), GROUPS, Severity.MEDIUM)
    counted = [int(found) for found in re.findall(r"<title>[^<]*: (\d+) runs?, 0 would have been stopped", shown)]
    assert f"<h3>Runs by {unit}</h3>" in shown and f" a {unit}; red" in shown
    assert (20, bars) == (sum(counted), len(counted))


def test_runs_that_were_would_be_stopped_are_red(tmp_path):
    make = (honest, stuck, stuck)
    paths = [make[n % 3](f"r{n}", 12, 1, at=1_700_000_000 + n // 3 * DAY).write(tmp_path) for n in range(9)]
    shown = charts(summed(*paths), GROUPS, Severity.MEDIUM)
    bars = re.findall(r"<title>[\d-]+: (\d+) runs, (\d+) would have been stopped</title>(.*?)</g>", shown)
    assert [("3", "2")] * 3 == [bar[:2] for bar in bars]
    red, calm = (float(height) for height in re.findall(r'height="([\d.]+)"', bars[0][2]))
    assert pytest.approx(2, abs=0.02) == red / calm and "verdict-stop" in bars[0][2].split("<rect")[1]


def test_patterns_are_explained(long_run):
    assert "The same call with the same result, again and again." in page_of(long_run)


# In a real browser


def step_told(page):
    return page.locator(".step").first.inner_text()


def test_a_finding_far_into_a_long_run_is_one_click_away(opened, long_file, long_run):
    page = opened(long_file)
    page.locator(".runs").scroll_into_view_if_needed()
    page.locator(".runs li li", has_text="exact_cycle").locator("button").click()
    found = first_found(long_run)
    told = step_told(page)
    assert f"Step {found} of 4109" in told and "Edit src/tax.py" in told and "String to replace not found" in told
    assert 4_109 == page.locator(".runs .cell").count() and 1 == page.locator(".runs .cell.ending").count()
    asked = [cell.get_attribute("id").split("-")[2] for cell in page.locator(".cell.turn").all()]
    assert ["3501", "3510"] == asked  # what the user said ends what came after the stop
    assert long_run.worst()[0].report.after_stop.steps == page.locator(".runs .cell.after").count() > 0
    now, panel = page.locator(".cell.now").bounding_box(), page.locator(".step").first.bounding_box()
    assert 0 <= now["y"] < panel["y"] < panel["y"] + panel["height"] < 901  # both are to be seen, one below the other


def test_what_headway_would_have_done_is_told_at_its_step(opened, long_file, long_run):
    page = opened(long_file)
    page.locator(".runs").scroll_into_view_if_needed()
    page.locator(".runs li li button").first.click()
    for _ in range(9):
        page.keyboard.press("ArrowRight")
        if f"Step {long_run.worst()[0].report.first_stop} of" in step_told(page):
            break
    assert "\nHeadway: stop (" in step_told(page)


def test_steps_and_names_of_findings_stand_beside_each_other(opened, long_file):
    page = opened(long_file)
    page.locator(".runs").scroll_into_view_if_needed()
    rows = page.locator(".runs li li")
    rows.first.wait_for()
    for row in page.locator(".runs li li:not(.more)").all():
        boxes = [part.bounding_box() for part in row.locator("> *").all()]
        assert 4 == len(boxes)
        assert all(one["x"] + one["width"] <= other["x"] for one, other in pairwise(boxes))


def test_arrows_go_up_and_down_the_rows_of_a_timeline(opened, long_file):
    page = opened(long_file)
    page.locator(".runs").scroll_into_view_if_needed()
    page.locator(".cells").focus()
    page.keyboard.press("ArrowRight")
    first = page.locator(".cell.now").bounding_box()
    page.keyboard.press("ArrowDown")
    below = page.locator(".cell.now").bounding_box()
    assert (first["x"], True) == (below["x"], below["y"] > first["y"])
    page.keyboard.press("ArrowUp")
    assert step_told(page).startswith("Step 2 of")
    page.keyboard.press("ArrowUp")  # there is no row above: the page may scroll
    assert step_told(page).startswith("Step 2 of")


@pytest.fixture
def month_file(tmp_path):
    """Many runs, of which the milder half has no timeline for lack of room."""
    whole = summed(*sorted(a_month_of_runs(tmp_path / "runs").glob("*.jsonl")))
    small = Summary(keep=1_000, room=60_000)
    for one in whole.worst():
        small._add(one)
    assert 5 < sum(not one.timeline for one in small.worst()) < 31
    path = tmp_path / "month.html"
    path.write_text(page_of(small), "utf-8")
    return path


def test_j_and_k_pass_through_all_runs_with_a_timeline_or_without(opened, month_file):
    page = opened(month_file)
    here = "[...document.querySelectorAll('.runs > li')].indexOf(document.activeElement.closest('.runs > li'))"
    visited = []
    for _ in range(36):
        page.keyboard.press("j")
        visited.append(page.evaluate(here))
    assert list(range(36)) == visited
    for _ in range(20):
        page.keyboard.press("k")
    assert 15 == page.evaluate(here)


def test_what_is_moved_to_is_not_hidden_below_the_filters(opened, month_file):
    page = opened(month_file)
    for key in [*("j" * 20), *("k" * 12)]:
        page.keyboard.press(key)
        top = page.evaluate("document.activeElement.closest('.runs > li').getBoundingClientRect().top")
        assert top >= page.evaluate("document.querySelector('form').getBoundingClientRect().bottom")


def test_a_screen_reader_is_told_of_every_step(opened, month_file):
    page = opened(month_file)
    page.keyboard.press("j")
    cells = page.locator(".runs > li").first.locator("[role=option]")
    names = [cell.get_attribute("aria-label") for cell in cells.all()]
    assert [f"Step {n}" for n in range(2, len(names) + 1)] == [name.split(",")[0] for name in names[1:]]
    assert "Step 2, read" == names[1] and any(name.endswith("failed, a finding") for name in names)
    assert 1 == sum("would have stopped it here" in name for name in names)
    children = page.locator("[role=listbox]").first.locator("> *")
    assert {"option"} == {child.get_attribute("role") for child in children.all()}


def test_what_was_not_drawn_yet_is_drawn_for_paper(opened, long_run, tmp_path):
    """Runs too long to be drawn at once wait until they are near the window, or printed."""
    summary = Summary(keep=20, room=10**8)
    for _ in range(20):
        summary._add(long_run.worst()[0])
    path = tmp_path / "long-runs.html"
    path.write_text(page_of(summary), "utf-8")
    page = opened(path, viewport={"width": 800, "height": 300})
    drawn = page.locator(".cells").count()
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert drawn < page.locator(".cells").count() == 20


def test_paper_is_white_and_has_the_whole_timeline(opened, long_file):
    page = opened(long_file, color_scheme="dark")
    assert "rgb(20, 23, 26)" == page.evaluate("getComputedStyle(document.body).backgroundColor")
    page.locator(".runs").scroll_into_view_if_needed()
    page.locator(".cells").wait_for()
    page.emulate_media(media="print", color_scheme="dark")
    assert "rgb(255, 255, 255)" == page.evaluate("getComputedStyle(document.body).backgroundColor")
    height, needed = page.evaluate("(e => [e.clientHeight, e.scrollHeight])(document.querySelector('.cells'))")
    assert height == needed > 600
