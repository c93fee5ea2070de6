"""The Quix Streams application: it reads events from Kafka, keeps each session's state, and writes the findings.

Reading, state and writing are one Kafka transaction: whatever happens to an instance, each event counts once.
"""

import logging
import socket
from pathlib import Path
from typing import Any

import msgspec
from confluent_kafka import KafkaException
from quixstreams import Application, message_context
from quixstreams.exceptions import QuixException
from quixstreams.kafka.configuration import ConnectionConfig
from quixstreams.models import Serializer, Topic, TopicConfig

from headway.config.settings import Settings
from headway.core.events import EventError
from headway.fleet.counts import Counts
from headway.fleet.sessions import Sessions, event_for
from headway.fleet.state import Store
from headway.fleet.topics import DEAD, DECISIONS, EVENTS, FINDINGS, TopicMessage, refused

FAULTS = (KafkaException, QuixException)
"""Errors of Kafka or the engine after which an instance cannot continue."""
COMMITTED_EVERY = 0.1
"""Seconds between two transactions: readers see a decision when its transaction is committed."""
GIVEN_UP_AFTER = 15_000
"""Milliseconds after which Kafka ends the transaction, and the membership, of an instance that was killed."""


class Options(msgspec.Struct, frozen=True, kw_only=True):
    """How an instance runs."""

    kafka: dict[str, Any]
    """The client's properties, among them `bootstrap.servers`."""
    state: Path
    """A folder that only this instance uses. It may be lost."""
    group: str = "headway"
    """Instances with the same name share the work."""
    partitions: int = 12
    """Of each topic, if it has to be created."""
    replicas: int = 1
    sessions: int = 2_000
    """Maximum number of sessions in memory."""


def application(options: Options, settings: Settings, counts: Counts) -> Application:
    """An application that runs until it is told to stop."""
    app = Application(
        ConnectionConfig.from_librdkafka_dict(options.kafka, ignore_extras=True),
        consumer_group=options.group,
        auto_offset_reset="earliest",
        processing_guarantee="exactly-once",
        commit_interval=COMMITTED_EVERY,
        consumer_poll_timeout=COMMITTED_EVERY / 2,
        state_dir=options.state,
        consumer_extra_config={"session.timeout.ms": GIVEN_UP_AFTER},
        producer_extra_config={
            "transactional.id": _own_name(options),
            "transaction.timeout.ms": GIVEN_UP_AFTER,
            "compression.type": "lz4",
        },
        loglevel=logging.WARNING,
    )
    config = TopicConfig(num_partitions=options.partitions, replication_factor=options.replicas)
    form: dict[str, Any] = {"value_deserializer": "bytes", "value_serializer": _Value(), "config": config}
    topics = {name: app.topic(name, **form) for name in (EVENTS, FINDINGS, DECISIONS, DEAD)}
    sessions = Sessions(settings, options.sessions, counts)

    def take(value: bytes | None, key: bytes | None, timestamp: int, headers: Any, state: Store) -> list[TopicMessage]:
        try:
            event = event_for(key, value)
        except EventError as error:
            counts.refused += 1
            place = message_context()
            return [refused(str(error), key, value, place.partition, place.offset)]
        return sessions.take(event, state)

    def topic_of(message: TopicMessage, *_: object) -> Topic:
        return topics[message.topic]

    events = app.dataframe(topics[EVENTS])  # one chain: at a branch the engine copies every value
    events.apply(take, stateful=True, metadata=True, expand=True).to_topic(topic_of)
    return app


class _Value(Serializer):
    """The bytes of a message."""

    def __call__(self, value: TopicMessage, ctx: object) -> bytes:
        return value.value


def _own_name(options: Options) -> str:
    """A stable name that no other running instance has. By it, Kafka ends transactions that this one left unfinished.

    Only one process can open a state folder.
    """
    return f"{options.group}-{socket.gethostname()}-{options.state.absolute()}"
