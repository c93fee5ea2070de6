from headway import Severity
from headway.core.limits import Limits
from headway.detectors.run.deadline import Deadline
from tests.streams import read, watch

HOUR = Limits(max_seconds=3_600.0)


def minutes(*marks):
    return [read(f"{mark}.py", at=mark * 60.0) for mark in marks]


def test_speaks_at_80_and_95_percent_and_ends_in_time():
    found = watch(Deadline(), *minutes(*range(62)), limits=HOUR)
    told = [(place - 1, finding.identity, finding.severity) for place, finding in found]

    high, critical = Severity.HIGH, Severity.CRITICAL
    assert [(48, "time early", high), (57, "time late", high), (60, "time end", critical)] == told
    assert [0.4, 0.4, 1.0] == [finding.confidence for _, finding in found]  # only said, and then certain


def test_stays_quiet_below_80_percent():
    assert [] == watch(Deadline(), *minutes(*range(48)), limits=HOUR)


def test_stays_quiet_when_times_are_unknown():
    assert [] == watch(Deadline(), *(read(f"{n}.py") for n in range(500)), limits=HOUR)
