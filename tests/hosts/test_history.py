"""Conversations that are only known from what their model is sent: what was read before is recognised, not read again."""

import json
from copy import deepcopy

import pytest

from headway.hosts.frameworks.conversation import Conversation
from headway.hosts.frameworks.history import (
    ADVICE,
    COPIED,
    KEPT,
    KEPT_CHARACTERS,
    Requests,
    Sent,
    chained,
    told,
    unread,
    without_advice,
)  # fmt: skip
from headway.shapes.message import read_message

HISTORY = [{"role": "user", "content": f"message {number}"} for number in range(3 * COPIED)]


def noted(requests, sent, count=0, before=0):
    """Read a request as an adapter does; how many of its messages were recognised."""
    messages = [read_message(one) for one in sent[count:]]
    requests.note(sent, Sent(messages, chained(messages, before), count, before))
    return count


def test_a_request_that_goes_on_is_recognised_with_the_digest_of_its_beginning():
    requests, history = Requests(), deepcopy(HISTORY)
    noted(requests, history[:4])
    assert (4, chained(map(read_message, history[:4]))[-1]) == requests.known(history[:6])
    noted(requests, history[:6], *requests.known(history[:6]))
    assert (6, chained(map(read_message, history[:6]))[-1]) == requests.known(history)
    assert (0, 0) == requests.known(history[:5]), "it is shorter than what was kept"


def test_messages_that_were_parsed_anew_are_the_same_messages():
    requests = Requests()
    noted(requests, deepcopy(HISTORY))
    assert len(HISTORY) == requests.known(json.loads(json.dumps(HISTORY)))[0]


@pytest.mark.parametrize("place", [0, len(HISTORY) // 2, -1])
def test_a_message_that_is_another_one_is_noticed_wherever_it_is(place):
    requests, other = Requests(), deepcopy(HISTORY)
    noted(requests, HISTORY)
    other[place] = {"role": "user", "content": "another"}
    assert (0, 0) == requests.known(other)


def test_a_program_that_changes_its_own_last_messages_is_noticed():
    requests, history = Requests(), deepcopy(HISTORY)
    history[-1]["content"] = [{"type": "text", "text": "first"}]
    noted(requests, history)
    history[-1]["content"].append({"type": "text", "text": "more"})
    assert (0, 0) == requests.known(history)
    noted(requests, history)
    history[-2]["content"] = "another"
    assert (0, 0) == requests.known(history)


def test_the_longest_of_several_requests_counts():
    requests = Requests()
    for count in (9, 3, 6):
        noted(requests, HISTORY[:count])
    assert 9 == requests.known(HISTORY)[0]


def test_what_is_kept_is_bounded():
    requests = Requests()
    for number in range(400):
        noted(requests, [{"role": "user", "content": f"{number}"}, *HISTORY])
    assert (0, 0) == requests.known([{"role": "user", "content": "0"}, *HISTORY])
    assert len(HISTORY) + 1 == requests.known([{"role": "user", "content": "399"}, *HISTORY])[0]
    noted(requests, HISTORY * (KEPT // len(HISTORY) + 1))
    assert (0, 0) == requests.known([{"role": "user", "content": "399"}, *HISTORY]), (
        "one request may be too long to keep"
    )


@pytest.mark.parametrize("shape", [str, lambda text: [{"type": "text", "text": text}]])
def test_long_messages_are_kept_only_as_far_as_there_is_room(shape):
    requests, size = Requests(), KEPT_CHARACTERS // 10
    messages = [{"role": "user", "content": shape(f"{number} " + "x" * size)} for number in range(20)]
    for message in messages:
        noted(requests, [message])
    assert 9 == sum(requests.known([message])[0] for message in messages)
    for count in range(1, 8):  # one conversation that grows
        noted(requests, messages[:count], *requests.known(messages[:count]))
    assert 7 == requests.known(messages)[0]


def call_of(number):
    asked = {"id": f"c{number}", "function": {"name": "read", "arguments": json.dumps({"path": f"{number}.py"})}}
    return [
        {"role": "assistant", "tool_calls": [asked]},
        {"role": "tool", "tool_call_id": f"c{number}", "content": f"line {number}"},
    ]


def test_calls_of_a_history_that_changes_at_its_beginning_are_counted_once():
    """A clock in the system prompt makes every request another one, and the oldest calls are forgotten by then."""
    conversation, history = Conversation(), []
    for number in range(300):
        history += call_of(number)
        sent = [read_message(one) for one in ({"role": "system", "content": f"It is {number} o'clock."}, *history)]
        told(conversation, unread(conversation, Sent(sent, chained(sent))))
    assert 300 == conversation.monitor.session.tool_call_count


def test_only_advice_that_was_given_is_taken_out_of_a_message():
    given = {f"{ADVICE}Stop here."}
    for said, kept in (
        ("log", "log"),
        (f"log\n\n{ADVICE}Stop here.", "log"),
        (f"log\n\n{ADVICE}nudge in run 7", f"log\n\n{ADVICE}nudge in run 7"),
    ):
        message = read_message({"role": "tool", "tool_call_id": "1", "content": said})
        assert [kept] == [result.output for result in without_advice(message, given).results]
