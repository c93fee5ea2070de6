"""The broker that the tests with Kafka use: Apache Kafka, or librdkafka's mock broker where that is enough."""

import pytest

from tests.fleet.broker import Broker, MockBroker, why_not

_ran: set[str] = set()


@pytest.fixture
def broker(tmp_path_factory):
    """Apache Kafka."""
    reason = why_not()
    if reason is not None:
        pytest.skip(f"Apache Kafka cannot run here: {reason}")
    broker = Broker(tmp_path_factory.mktemp("kafka"))
    broker.start()
    _ran.add(broker.what)
    yield broker
    broker.stop()


@pytest.fixture
def any_broker(request):
    """Apache Kafka if it can run here, else the mock broker."""
    if why_not() is None:
        yield request.getfixturevalue("broker")
        return
    broker = MockBroker()
    _ran.add(broker.what)
    yield broker
    broker.stop()


def pytest_terminal_summary(terminalreporter):
    if _ran:
        terminalreporter.write_line(f"ran on: {', '.join(sorted(_ran))}")
