"""Loops to report on: the seed's examples, and one that is full of malice."""

import msgspec

from headway import Monitor
from headway.core.decision import Action
from headway.core.events import IterationEnded
from headway.core.finding import Finding, Severity
from headway.core.iteration import FileChanges, Iteration, Measurements, Score
from headway.scoring.assessment import LoopReport, Recommendation, RoundReport
from headway.scoring.best import best_so_far, select

TEN_O_CLOCK = 1_770_026_400.0
"""2026-02-02T10:00:00Z."""
BASELINE = Measurements(test_count=8, tests_passed=5, tests_failed=3, coverage_percentage=65.0, error_count=12)
EVIL = (
    "<script>alert(1)</script> | **x** [a](javascript:b) `c` &lt; \x1b[2J\u202e __d__ ![i](http://e.vil/p.png)\n# head"
)


def suite(count: int, passed: int, coverage: float) -> Measurements:
    return Measurements(
        test_count=count, tests_passed=passed, tests_failed=count - passed, coverage_percentage=coverage
    )


def example_2() -> LoopReport:
    """Seed 003, example 2: round 3 deletes a test, and is rolled back."""
    monitor, rounds = Monitor(), []
    for place, measured in enumerate([BASELINE, suite(8, 6, 70.0), suite(10, 8, 75.0), suite(9, 7, 72.0)]):
        event = IterationEnded(
            measured=measured,
            output=f"round {place} did something of its own {'and more ' * place}",
            changes=FileChanges(40, {"src/auth.py": f"blob{place}"}),
            snapshot=f"refs/headway/ralph-001/{place}",
            at=TEN_O_CLOCK + 300 * place,
        )
        rounds.append(assessed(monitor, event))
    return LoopReport(loop_id="ralph-001", rounds=tuple(rounds))


def assessed(monitor: Monitor, event: IterationEnded) -> RoundReport:
    decision = (outcome := monitor.feed(event)).decision
    iterations = monitor.session.iterations
    one, best = iterations[-1], best_so_far(iterations)
    return RoundReport(
        iteration=one,
        previous=monitor.session.round_before(one),
        baseline=iterations[0] if one.number else None,
        alerts=outcome.findings,
        recommendation=Recommendation(
            action=decision.action,
            reason=decision.reason or one.verdict,
            confidence=decision.confidence,
            message=decision.message,
            target_iteration=decision.back_to,
        ),
        best_iteration=best.number if best else None,
        best_quality=best.quality.value if best and best.quality else None,
        rationale=(f"Goal: assess round {one.number}.", f"Synthesis: {one.verdict}."),
    )


def example_3() -> LoopReport:
    """Seed 003, example 3: five rounds, of which the third is the peak."""
    measured = [suite(8, 6, 68.0), suite(10, 9, 78.0), suite(10, 10, 85.0), suite(10, 10, 83.0), suite(10, 9, 80.0)]
    return of_qualities([0.65, 0.82, 0.88, 0.85, 0.81], measured)


def of_qualities(
    qualities: list[float | None], measured: list[Measurements] | None = None, first: int = 1
) -> LoopReport:
    """Rounds of these qualities, selected; `first=0` makes the first one the baseline."""
    rounds: list[RoundReport] = []
    for place, quality in enumerate(qualities):
        before = rounds[-1].iteration if rounds else None
        fell = (
            before is not None and before.quality is not None and quality is not None and quality < before.quality.value
        )
        verdict = "baseline" if place + first == 0 else "regression" if fell else "forward"
        one = Iteration(
            number=place + first,
            measured=measured[place] if measured else Measurements(),
            quality=None if quality is None else Score(quality, components=("pass_rate",)),
            verdict=verdict,
        )
        best = best_so_far([*(other.iteration for other in rounds), one])
        advice = Recommendation(action=Action.CONTINUE, reason=verdict, confidence=0.9)
        rounds.append(
            RoundReport(
                iteration=one,
                previous=before,
                recommendation=advice,
                best_iteration=best.number if best else None,
                best_quality=best.quality.value if best and best.quality else None,
            )
        )
    selection = select([one.iteration for one in rounds])
    return LoopReport(loop_id="ralph-001", rounds=tuple(rounds), selection=selection)


def hostile() -> LoopReport:
    """Everything that an agent, a test or a person can name is an attack."""
    measured = Measurements(test_count=1, tests_passed=0, tests_failed=1, failing_tests=(EVIL,))
    one = Iteration(
        number=1, output=f"{EVIL}\ud800", measured=measured, changes=FileChanges(1, {EVIL: "blob"}), snapshot=EVIL,
        quality=Score(0.2, components=(EVIL,)), verdict="regression", at=1e300,
    )  # fmt: skip
    alert = Finding(detector=EVIL, severity=Severity.HIGH, confidence=0.5, message=EVIL, evidence={"x": EVIL})
    advice = Recommendation(action=Action.STOP, reason=EVIL, confidence=0.5, message=EVIL)
    round = RoundReport(
        iteration=one, alerts=(alert,), recommendation=advice, best_iteration=1, best_quality=0.2, rationale=(EVIL,)
    )
    selection = msgspec.structs.replace(select([one]), rationale=(EVIL,), override=EVIL)
    return LoopReport(loop_id=EVIL, rounds=(round,), selection=selection)
