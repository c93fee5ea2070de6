from headway import Severity
from headway.core.limits import Limits
from headway.detectors.run.spend import Spend
from tests.streams import read, used, watch


def spending(steps, **each):
    return [word for n in range(steps) for word in (used(**each), read(f"{n}.py"))]


def told(found):
    return [((place + 1) // 2, finding.identity, finding.severity) for place, finding in found]


def test_speaks_at_80_and_95_percent_and_ends_before_the_budget_is_overshot():
    found = watch(Spend(), *spending(110, cost=0.25), limits=Limits(max_cost_usd=25.0))

    high, critical = Severity.HIGH, Severity.CRITICAL
    assert [(80, "USD early", high), (95, "USD late", high), (100, "USD end", critical)] == told(found)
    assert [0.4, 0.4, 1.0] == [finding.confidence for _, finding in found]  # only said, and then certain


def test_stays_quiet_below_80_percent():
    assert [] == watch(Spend(), *spending(79, cost=0.01), limits=Limits(max_cost_usd=1.0))


def test_four_of_five_cents_are_80_percent():
    found = watch(Spend(), *spending(4, cost=0.01), limits=Limits(max_cost_usd=0.05))
    assert [] != found


def test_tokens_count_in_and_out():
    found = watch(Spend(), *spending(10, tokens=60, tokens_out=40), limits=Limits(max_tokens=1_050))
    assert [(9, "tokens early"), (10, "tokens end")] == [(step, what) for step, what, _ in told(found)]


def test_stays_quiet_without_a_budget():
    assert [] == watch(Spend(), *spending(50, tokens=10**9, cost=10**6))


def test_an_agent_that_only_talks_is_stopped_too():
    found = watch(Spend(), *[used(cost=0.5)] * 3, limits=Limits(max_cost_usd=1.0))
    assert Severity.CRITICAL in {finding.severity for _, finding in found}


def test_more_output_of_the_same_response_is_no_report_of_its_own():
    found = watch(Spend(), used(tokens=300), used(tokens_out=50), used(tokens_out=50), limits=Limits(max_tokens=490))
    assert "400 tokens used, limit 490 tokens, about 400 tokens per report of usage." in found[-1][1].message


def test_the_average_is_that_of_a_report_and_not_of_a_step():
    found = watch(Spend(), *[used(tokens=450)] * 2, limits=Limits(max_tokens=1_000))
    expected = "900 tokens used, limit 1,000 tokens, about 450 tokens per report of usage."
    assert f"Another average report of usage would exceed the token budget: {expected}" == found[0][1].message
