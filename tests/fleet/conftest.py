"""The broker that the tests with Kafka share."""

import pytest

from tests.fleet.broker import Broker, why_not


@pytest.fixture
def broker(tmp_path_factory):
    reason = why_not()
    if reason is not None:
        pytest.skip(f"Apache Kafka cannot run here: {reason}")
    broker = Broker(tmp_path_factory.mktemp("kafka"))
    broker.start()
    yield broker
    broker.stop()
