import pytest

from headway import Severity
from headway.detectors.step.empty_streak import EmptyStreak
from tests.streams import call, missing, moments, read, search, shell, user, watch


def test_speaks_once_at_the_third_empty_search():
    """A streak is reported when it reaches the limit, and not again while it lasts."""
    found = watch(EmptyStreak(), *(search(f"q{n}", hits=0) for n in range(4)))

    assert [1, 3] == moments(found)
    assert [Severity.LOW, Severity.HIGH] == [finding.severity for _, finding in found]
    assert [{"streak": 1}, {"streak": 3}] == [finding.evidence for _, finding in found]


def test_stays_quiet_at_the_second_which_is_only_recorded():
    found = watch(EmptyStreak(), search(hits=0), search(hits=0))
    assert [Severity.LOW] == [finding.severity for _, finding in found]


def test_a_hit_ends_the_streak():
    words = [search(hits=0), search(hits=0), search(hits=3), search(hits=0), search(hits=0)]
    assert all(finding.severity is Severity.LOW for _, finding in watch(EmptyStreak(), *words))


def test_the_user_ends_the_streak():
    words = [search(hits=0), search(hits=0), user(), search(hits=0), search(hits=0)]
    assert all(finding.severity is Severity.LOW for _, finding in watch(EmptyStreak(), *words))


def test_other_calls_do_not_end_it():
    words = [search(hits=0), read(), search(hits=0), read(), search(hits=0)]
    assert 5 in moments(watch(EmptyStreak(), *words))


def test_an_empty_grep_in_the_shell_counts():
    words = [shell(f"grep -rn q{n} src", "", exit_code=1, failed=None) for n in range(3)]
    assert [1, 3] == moments(watch(EmptyStreak(), *words))


def test_the_limit_is_a_setting():
    assert [1, 2] == moments(watch(EmptyStreak(limit=2), search(hits=0), search(hits=0)))


@pytest.mark.parametrize(
    "unknown",
    [call("Grep", {"pattern": "("}, "invalid pattern", failed=True), missing(search(hits=3))],
    ids=["failed", "missing"],
)
def test_searches_whose_hits_are_not_known_are_left_out_and_said_to_be(unknown):
    (_, (_, finding)) = watch(EmptyStreak(), search(hits=0), search(hits=0), unknown, search(hits=0))
    assert "The last 3 searches with a known number of hits found nothing." == finding.message
