"""What a person reads about a loop: on the screen while it works, and in its report afterwards."""

import re

from headway.cli import run
from tests.loop.projects import agent, repair

SPENT = """echo '{"type": "result", "total_cost_usd": 0.25}'"""
LOOP = {
    "r1": f"{repair('t3')}; {SPENT}",
    "r2": f"sed -i.bak 's/^t1 ok/t1 bad/' tests.txt; rm -f tests.txt.bak; {SPENT}",
    "r3": f"echo 'z = 1' > new.py; {SPENT}",
    "r4": f"{repair('t4')}; {SPENT}",
}


def looped(loop, folder):
    return loop("--max-rounds", 4, "--", agent(folder, **LOOP), task="fix <the> sums")


def test_a_round_fits_on_one_screen(loop, folder):
    looped(loop, folder)
    rounds = re.split(r"── round \d of 4.*\n", loop.said)[1:]
    assert 4 == len(rounds) and all(len(one.splitlines()) <= 12 for one in rounds)
    assert re.search(
        r"round 1: forward, quality 0\.\d\d, the best so far; 3 of 4 tests pass; 2 lines in 1 file; \S+s agent, \S+s measuring; \$0\.25; "
        r"kept: it is a step forward\n   tests: fixed checks\.py::t3 · files: tests\.txt\n",
        rounds[0],
    )
    assert "to be rolled back (working_tests_failing)\n   tests: broke checks.py::t1 · files: tests.txt\n" in rounds[1]
    assert "rolled back to round 1; to undo: headway rollback it 2\n" in rounds[1]
    assert "kept: nothing got clearly worse\n   files: new.py\n" in rounds[2]


def test_a_forecast_once_there_are_three_rounds(loop, folder):
    looped(loop, folder)
    assert 1 == loop.said.count("estimate: ")
    assert re.search(
        r"── round 4 of 4; estimate: 0 to 1 more passing tests, \$0\.25, \S+ to \S+ \(from the last 3 rounds\)\n"
        r"|── round 4 of 4; estimate: 0 to 1 more passing tests, \$0\.25, \S+ \(from the last 3 rounds\)\n",
        loop.said,
    )


def test_the_report_has_task_agent_marks_money_time_and_the_diff(loop, folder):
    _, result = looped(loop, folder)
    report = (folder / result["report"]).read_text()
    assert "- **Task**: fix &lt;the> sums\n- **Agent**: " in report and "agent.sh\n" in report
    assert "- **Cost**: $1.00" in report
    rows = [line for line in report.splitlines() if re.match(r"\| [0-4] \|", line)]
    assert ["–", "kept", "rolled back to round 1", "kept", "kept"] == [row.split(" | ")[8] for row in rows]
    assert ["–", "$0.25", "$0.25", "$0.25", "$0.25"] == [row.split(" | ")[6] for row in rows]
    assert "## Changes from the Baseline\n\n```diff\n" in report and "\n-t3 bad\n" in report and "\n+t3 ok\n" in report
    assert not re.search(r"\biteration\b", report, re.IGNORECASE)


def test_the_page_has_the_same(loop, folder):
    looped(loop, folder)
    page = folder / "page.html"
    assert 0 == run(["report", "it", "--format", "html", "-o", str(page)])
    text = page.read_text()
    for part in (
        "fix &lt;the&gt; sums",
        "rolled back to round 1",
        "$0.25",
        "+t3 ok",
        "<strong>Broke: </strong>checks.py::t1",
    ):
        assert part in text
    assert '<meta name="viewport"' in text
    assert not re.search(r"\biteration\b", re.sub(r"<style>.*?</style>", "", text, flags=re.DOTALL), re.IGNORECASE)


def test_each_round_has_its_tests_by_name(loop, folder):
    looped(loop, folder)
    text = (folder / ".headway/loops/it/reports/iteration-002-report.md").read_text()
    assert "### Tests\n\n- **Broke**: checks.py::t1" in text
    assert "- **Files**: rolled back to round 1: 1 test that passed fails now: checks.py::t1." in text
    assert "\n- **Changed**: 2 lines in 1 file\n" in text
    assert "- **Cost**: $0.25" in text
    assert (
        "- **Files**: kept: it is a step forward\n"
        in (folder / ".headway/loops/it/reports/iteration-001-report.md").read_text()
    )
