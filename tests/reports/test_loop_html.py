"""A loop as one page: whole, closed to the outside, and harmless whatever an agent wrote."""

import re
import shutil
import subprocess
from html.parser import HTMLParser

import msgspec
import pytest

from headway.reports.loop_html import loop_page
from headway.scoring.assessment import LoopReport
from headway.scoring.best import select
from tests.reports.loops import example_2, example_3, hostile, of_qualities

VOID = {"meta"}
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


class Page(HTMLParser):
    """What a browser makes of a page: its elements, attributes and text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str, str]] = []
        self.texts: list[str] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += [(tag, name, value or "") for name, value in attrs]
        self.open += [] if tag in VOID else [tag]

    def handle_endtag(self, tag):
        assert tag == self.open.pop()

    def handle_data(self, data):
        self.texts += [data] if self.open[-1:] != ["style"] else []

    @property
    def text(self) -> str:
        return " ".join("".join(self.texts).split())


def finished_example_2() -> LoopReport:
    loop = example_2()
    return msgspec.structs.replace(loop, selection=select([one.iteration for one in loop.rounds]))


LOOPS = {
    "example 2": finished_example_2(),
    "example 3": example_3(),
    "running": example_2(),
    "hostile": hostile(),
    "empty": LoopReport(loop_id="x"),
    "baseline only": of_qualities([0.6], first=0),
    "unmeasured": of_qualities([None, None]),
    "gaps": of_qualities([0.5, None, 0.9, 0.0, 1.0] * 8),
    "out of range": of_qualities([-3.0, 1e300]),
}


@pytest.mark.parametrize("loop", LOOPS.values(), ids=LOOPS)
def test_every_element_is_closed_and_nothing_comes_from_outside(loop):
    page = Page(loop_page(loop))
    assert [] == page.open
    assert not {"script", "link", "img", "iframe", "object", "embed", "base", "form", "use", "image"} & set(page.tags)
    links = [value for _, name, value in page.attributes if name in ("href", "src", "action", "xlink:href")]
    assert all(re.fullmatch(r"#round-\d+", link) for link in links)
    assert not [name for _, name, _ in page.attributes if name.startswith("on")]
    style = loop_page(loop).split("<style>")[1].split("</style>")[0]
    assert "url(" not in style and "@import" not in style


def test_the_page_forbids_itself_everything_but_its_style():
    (policy,) = (value for tag, name, value in Page(loop_page(example_3())).attributes if "default-src" in value)
    assert "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'" == policy


def test_hostile_text_is_shown_as_text():
    html = loop_page(hostile())
    page = Page(html)
    assert "<script" not in html
    assert "<script>alert(1)</script> | **x** [a](javascript:b)" in page.text
    assert page.text.count("<script>alert(1)</script>") >= 10
    assert "\x1b" not in html and "\u202e" not in html
    html.encode()


def test_example_3_shows_the_peak_and_the_selection():
    page = Page(loop_page(example_3()))
    assert page.text.startswith("Loop ralph-001 Loop ralph-001 Round 3 is selected, not the final round 5.")
    for told in ("Improvement: +8.6 %", "Quality loss: −7.95 %", "acceptable: 0.70", "All tests pass (10)"):
        assert told in page.text
    assert "Round 3, 0.88, forward, best, selected" in page.text
    assert "Round 5, 0.81, regression, final" in page.text


def test_the_chart_marks_best_and_regressions_and_breaks_where_nothing_was_measured():
    drawn = [value for tag, name, value in Page(loop_page(example_3())).attributes if name == "class"]
    assert (4, 2, 1, 1) == tuple(drawn.count(kind) for kind in ("path", "fall", "peak", "accepted"))
    gaps = [value for _, name, value in Page(loop_page(of_qualities([0.8, None, 0.8, 0.9]))).attributes if name == "class"]  # fmt: skip
    assert 1 == gaps.count("path")


def test_example_2_shows_metrics_deltas_alerts_and_advice():
    page = Page(loop_page(finished_example_2()))
    for told in (
        "77.8 %−2.2 points", "9−1", "rollback to round 2", "CRITICALtest_deletion: Test count decreased from 10 to 9.",
        "Recommendation: rollback to round 2. test_deletion", "Reasoning (2)", "Goal: assess round 3.",
    ):  # fmt: skip
        assert told in page.text


def test_the_best_round_is_highlighted_with_a_word():
    html = loop_page(finished_example_2())
    assert 1 == html.count('<tr class="best">') == html.count('<article id="round-2" class="best">')
    assert '<span class="mark good">best</span>' in html


def test_not_acceptable_is_said_at_the_top():
    assert 'class="notice">Not acceptable: quality 0.60' in loop_page(of_qualities([0.5, 0.6])).split("<main>")[0]


def test_a_long_output_is_cut_and_its_rest_counted():
    loop = example_3()
    long = msgspec.structs.replace(loop.rounds[0].iteration, output="x" * 20_007)
    rounds = (msgspec.structs.replace(loop.rounds[0], iteration=long),)
    assert "… and 7 more characters" in loop_page(msgspec.structs.replace(loop, rounds=rounds))


@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here to render the page with")
def test_a_browser_renders_the_page_without_complaint(tmp_path):
    page = tmp_path / "loop.html"
    page.write_text(loop_page(hostile()), "utf-8")
    done = subprocess.run(
        [
            CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking",
            "--disable-component-update", "--disable-sync", "--no-first-run", f"--user-data-dir={tmp_path / 'profile'}",
            "--enable-logging=stderr", "--dump-dom", page.as_uri(),
        ],
        capture_output=True, text=True, timeout=120, check=True,
    )  # fmt: skip
    assert "CONSOLE" not in done.stderr
    assert "<script" not in done.stdout and "&lt;script&gt;" in done.stdout


def test_the_page_fits_a_phone(opened, tmp_path):
    """Nothing is wider than 380 pixels, however long names and reasons are; the details are open, too."""
    loop, long = example_2(), "tests/a/very/long/way/down/" + "x" * 150 + ".py::test_" + "y" * 80
    last = msgspec.structs.replace(
        loop.rounds[-1],
        kept=False, back_to=2, why=f"1 test that passed fails now: {long}.", seconds=62.0, agent_seconds=41.0,
        cost_usd=0.5, measured_by=f"changed how it is measured: {long}",
    )  # fmt: skip
    loop = msgspec.structs.replace(
        loop, rounds=(*loop.rounds[:-1], last), ending=f"limit. But round 2 {long}.", task=long, command=long,
        diff=f"+{long}", selection=select([one.iteration for one in loop.rounds]),
    )  # fmt: skip
    path = tmp_path / "loop.html"
    path.write_text(loop_page(loop), "utf-8")
    page = opened(path, viewport={"width": 380, "height": 800})
    page.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
    assert 380 >= page.evaluate("document.documentElement.scrollWidth")
    text = page.inner_text("body")
    assert f"Files: rolled back to round 2: 1 test that passed fails now: {long}." in text
    assert "1m02s" in text and "41s" in text and "$0.50" in text
