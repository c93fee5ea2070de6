"""Agents of frameworks in other languages: through the service, they are told what an adapter in Python would say."""

import json
from itertools import count

import pytest

from headway.core.decision import Action
from headway.hosts.frameworks.conversation import Conversation
from headway.hosts.hook.recognise import FRAMEWORKS, host_called


class Client:
    """One conversation, told to the service."""

    def __init__(self, running, session="thread-7", framework="ai-sdk", mode="enforce", **settings):
        self.running, self.path = running, f"/hook/{framework}?mode={mode}"
        self.known = {"session": session, "cwd": "/tmp", "settings": settings}

    def tell(self, event, **fields):
        answer = self.running.ask("POST", self.path, json.dumps(self.known | {"event": event, **fields}).encode())
        assert answer.status == 200
        return json.loads(answer.content or b"{}")


class ToldToTheService:
    """What `Conversation` offers, over HTTP; remembers what the model is told."""

    def __init__(self, running, **settings):
        self.client, self.advice, self.stopped = Client(running, **settings), [], None
        self.uses = {}

    def _heard(self, answer):
        if "tell" in answer:
            self.advice.append(answer["tell"])
        self.stopped = answer.get("stop", self.stopped)
        return answer.get("deny") or answer.get("stop")

    def called(self, tool, args, call, batch):
        self.uses[call] = {"tool": tool, "args": args, "call": call, "batch": batch}
        return self._heard(self.client.tell("called", **self.uses[call]))

    def returned(self, call, output, failed):
        self._heard(self.client.tell("returned", **self.uses[call], result={"output": output, "failed": failed}))

    def used(self, tokens_in, tokens_out):
        self._heard(self.client.tell("answered", tokens_in=tokens_in, tokens_out=tokens_out))

    def user_spoke(self, text):
        self.stopped = None
        self._heard(self.client.tell("user_spoke", text=text))


class ToldToAnAdapter:
    """The same, by a conversation of an adapter."""

    def __init__(self, **settings):
        self.conversation, self.advice = Conversation(settings=settings), []

    def __getattr__(self, name):
        def tell(*arguments):
            answer = getattr(self.conversation, name)(*arguments)
            if advice := self.conversation.advice():
                self.advice.append(advice)
            return answer

        return tell

    @property
    def stopped(self):
        return self.conversation.last_words if self.conversation.stopped else None


def played(told, script):
    """What is said at each step of a script; a stopped agent does nothing more in its turn."""
    numbers, said = count(1), []
    for step in script:
        if isinstance(step, str):
            told.user_spoke(step)
        elif isinstance(step, int):
            told.used(step, 10)
        elif told.stopped is None:
            _run(told, step if isinstance(step, list) else [step], numbers)
        said.append((list(told.advice), told.stopped))
    return said


def _run(told, calls, numbers):
    batch, running = f"batch {next(numbers)}", []
    for tool, args, output, failed in calls:
        call = f"call-{next(numbers)}"
        refusal = told.called(tool, args, call, batch)
        told.advice.append(refusal or "runs")
        running += [] if refusal else [(call, output, failed)]
    for one in running:
        told.returned(*one)


LOOK = ("look", {"customer": 7}, "nothing found", False)
GREP = ("grep", {"pattern": "login"}, "a.py:3: login", None)
LIST = ("bash", {"command": "ls"}, "a.py b.py", None)
FAILS = ("deploy", {"to": "staging"}, "Error: no environment of this name", True)
FRESH = [("look", {"customer": n}, f"customer {n} lives in street {n * 7}", None) for n in range(30)]
SCRIPTS = {
    "one call again and again": ["Find the customer.", *[LOOK] * 12],
    "two calls in turn": ["Find the login.", *[GREP, LIST] * 8],
    "a tool that fails": ["Deploy it.", *[FAILS] * 12],
    "honest work": ["Look them up.", *FRESH],
    "parallel calls": ["Look.", [LOOK, GREP], [LOOK, LIST], *[[LOOK, GREP, LIST]] * 6],
    "stopped, and asked again": ["Find the customer.", *[LOOK] * 9, "Look again, please.", *[LOOK] * 9],
    "tokens": ["Look them up.", *(step for one in FRESH[:10] for step in (200, one)), "Go on.", 200, FRESH[11]],
}
"""Words of the user, tokens, calls, and lists of calls that are asked for together."""
LIMITS = {"tokens": {"global": {"max_tokens": 1_000}}}


@pytest.mark.parametrize("name", SCRIPTS)
def test_the_ladder_is_that_of_an_adapter_word_for_word(client, name):
    settings = LIMITS.get(name, {})
    here = played(ToldToAnAdapter(**settings), SCRIPTS[name])

    assert here == played(ToldToTheService(client, **settings), SCRIPTS[name])
    assert ([("runs", None)] == list({(words, here[-1][1]) for words in here[-1][0]})) == (name == "honest work")


def test_a_limit_that_is_reached_holds_when_the_user_speaks(client):
    agent = Client(client, **LIMITS["tokens"])
    agent.tell("user_spoke", text="Look.")
    stopped = agent.tell("answered", tokens_in=990, tokens_out=5)

    assert "spend" == stopped["reason"]
    assert stopped["stop"].startswith("Stopped by Headway (spend): ")
    assert stopped == agent.tell("user_spoke", text="Go on.")
    agent.known["settings"] = {"global": {"max_tokens": 9_000}}
    assert {} == agent.tell("user_spoke", text="Go on, you may use more.")


def test_money_is_counted_at_list_prices_where_it_is_limited(client):
    agent = Client(client, **{"global": {"max_cost_usd": 0.01}})
    agent.known["model"] = "gpt-4o"

    assert "spend" == agent.tell("answered", tokens_in=1_000_000, tokens_out=5)["reason"]


def test_numbers_that_are_none_are_no_tokens(client):
    agent = Client(client, **LIMITS["tokens"])
    for odd in ("many", None, True, -5, 1e300, float("nan"), [1], {}):
        assert {} == agent.tell("answered", tokens_in=odd, tokens_out=odd, cost_usd=odd)
    assert "stop" in agent.tell("answered", tokens_in=999.0)


@pytest.mark.parametrize(
    ("settings", "why"),
    [
        ({"globl": {}}, "did you mean 'global'"),
        ({"policy": {"mode": "harsh"}}, "harsh"),
        ({"notify": {"command": "rm"}}, "notify is not allowed in a program"),
        (["policy"], "expected an object"),
        ({"a": "\ud800"}, "unknown setting a; "),
        ({"policy": {"mode": "\ud800"}}, "mode"),
        ({"global": {"max_tokens": 10**30}}, "global.max_tokens must be less than 2**63"),
        ({"global": {"max_tokens": 10**400}}, "global.max_tokens"),
        ({"global": {"max_cost_usd": 10**400}}, "global.max_cost_usd"),
        ({"global": {"max_cost_usd": float("nan")}}, "global.max_cost_usd must be more than 0, not nan"),
        ({"global": {"max_cost_usd": float("inf")}}, "global.max_cost_usd must be finite"),
    ],
)
def test_a_mistake_in_the_settings_is_told_to_the_program(client, settings, why):
    event = {"event": "user_spoke", "session": "s", "text": "Hello.", "settings": settings}
    answer = client.ask("POST", "/hook/mastra", json.dumps(event).encode())

    assert 400 == answer.status
    assert why in answer.json()["error"]


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"event": ["x"], "session": {"a": 1}}, "event: expected one of user_spoke, called, returned, answered"),
        ({"event": "caled"}, "event: expected one of"),
        ({"event": None}, "event: expected one of"),
        ({"session": {"a": 1}}, "session: expected a text"),
        ({"session": ""}, "session: expected a text"),
        ({"cwd": "/tmp/\0"}, "cwd: expected a path"),
        ({"cwd": 7}, "cwd: expected a path"),
    ],
)
def test_a_mistake_in_an_event_is_told_to_the_program(client, fields, why):
    event = {"event": "user_spoke", "session": "s", "text": "Hello."}
    answer = client.post("/hook/framework", event | fields)

    assert 400 == answer.status
    assert why in answer.json()["error"]
    assert "\n" not in answer.json()["error"]
    assert 200 == client.post("/hook/framework", event | {"cwd": None}).status


@pytest.mark.parametrize("left_out", ["call", "tool", "args"])
def test_results_without_their_call_are_refused_and_not_taken_for_a_loop(client, left_out):
    for number in range(8):
        call = {"session": "s", "call": f"{number}", "tool": f"delete_{number}", "args": {"row": number}}
        assert 200 == client.post("/hook/framework?mode=enforce", call | {"event": "called"}).status
        half = {name: value for name, value in call.items() if name != left_out}
        answer = client.post("/hook/framework?mode=enforce", half | {"event": "returned", "result": "ok"})

        assert 400 == answer.status
        assert answer.json()["error"].startswith(f"{left_out}: expected")


def test_half_characters_in_an_event_are_no_mistake(client):
    odd = {"event": "user_spoke", "session": "\ud800", "cwd": "/tmp/\ud800", "text": "\udfff"}
    assert 200 == client.post("/hook/framework", odd).status


@pytest.mark.parametrize(
    "results",
    [
        [{"output": value} for value in (0, False, [], {}, "", 1, [0], {"rows": 1}, {"rows": 2})],
        [{"rows": 17 + number} for number in range(9)],
        [{"failed": number, "passed": 3} for number in range(9)],
        [{"failed": number} for number in range(9)],
        list(range(9)),
        [[number] for number in range(9)],
    ],
    ids=["values", "no output", "counts of failures", "only a count", "numbers", "lists"],
)
def test_different_results_are_never_called_the_same(client, results):
    agent, host = Client(client), host_called("ai-sdk")
    said, read = [], []
    for number, result in enumerate(results):
        use = {"tool": "count_rows", "args": {"table": "orders"}, "call": f"call-{number}"}
        said += [agent.tell("called", **use), agent.tell("returned", **use, result=result)]
        heard = host.event_from({"event": "returned", "session": "s", **use, "result": result})
        read.append(host.result(heard.uses[0], heard)["output"])

    assert len(results) == len(set(read))
    assert [{}] * len(said) == said


@pytest.mark.parametrize("result", [{"output": 0}, {"rows": 17}, {"output": []}])
def test_a_result_that_is_no_text_still_counts_as_a_repeat(client, result):
    agent, said = Client(client), []
    for number in range(9):
        use = {"tool": "count_rows", "args": {"table": "orders"}, "call": f"call-{number}"}
        said += [agent.tell("called", **use), agent.tell("returned", **use, result=result)]
    assert any("tell" in one for one in said)


def test_the_mode_observe_says_nothing_and_records_what_it_would_have_done(client):
    agent = ToldToTheService(client, policy={"mode": "observe"})
    assert set(map(str, played(agent, SCRIPTS["one call again and again"])[-1][0])) == {"runs"}
    (session,) = client.ask("GET", "/api/sessions").json()["sessions"]
    assert "ai-sdk" == session["host"]
    would = client.ask("GET", f"/api/sessions/{session['id']}").json()["decisions"]
    assert {"nudge", "stop"} <= {decision["action"] for decision in would if decision["would"]}


def test_conversations_are_apart(client):
    looping, honest = Client(client, "one"), Client(client, "two")
    answers = []
    for number in range(9):
        for agent, output in ((looping, "the same"), (honest, f"result {number * 7}")):
            use = {"tool": "look", "args": {"customer": 1}, "call": f"call-{number}"}
            answers += [(agent, agent.tell("called", **use))]
            answers += [(agent, agent.tell("returned", **use, result={"output": output}))]

    assert [] == [answer for agent, answer in answers if agent is honest and answer]
    assert "stop" in answers[-4][1] or "stop" in [answer for agent, answer in answers if agent is looping][-1]


def test_a_person_stops_a_conversation_from_the_dashboard(client):
    agent = Client(client)
    agent.tell("user_spoke", text="Find the customer.")
    agent.tell("answered", text="I look.", tokens_in=90, tokens_out=9)
    (session,) = client.ask("GET", "/api/sessions").json()["sessions"]
    assert 99 == session["tokens"]
    assert 200 == client.ask("POST", f"/api/sessions/{session['id']}/stop", b"{}").status

    answer = agent.tell("called", tool="look", args={}, call="c1")
    assert "manual_stop" == answer["reason"]
    assert "The user stopped this run." in answer["stop"]


def _order(client, name):
    """Give an order as a person does on the dashboard; returns what the person is told."""
    (session,) = client.get("/api/sessions").json()["sessions"]
    answer = client.post(f"/api/sessions/{session['id']}/{name}")
    assert 200 == answer.status
    return answer.json()["done"]


NEXT_EVENTS = {
    "user_spoke": {"text": "Look again."},
    "answered": {"text": "I look.", "tokens_in": 5},
    "called": {"tool": "look", "args": {}, "call": "c1"},
    "returned": {"tool": "look", "args": {}, "call": "c0", "result": {"output": "found"}},
}


@pytest.mark.parametrize("mode", ["observe", "enforce"])
@pytest.mark.parametrize("event", NEXT_EVENTS)
def test_a_persons_stop_is_the_answer_to_the_next_event_of_any_kind(client, event, mode):
    agent = Client(client, framework="framework", mode=mode)
    agent.tell("user_spoke", text="Find the customer.")
    agent.tell("called", tool="look", args={}, call="c0")
    told = _order(client, "stop")
    assert told == "The run is stopped at its next event. After that, the next message of its user starts it again."

    answer = agent.tell(event, **NEXT_EVENTS[event])
    assert "manual_stop" == answer["reason"]
    assert "The user stopped this run." in answer["stop"]
    assert "stop" == client.get("/api/sessions").json()["sessions"][0]["verdict"]
    assert "stop" in agent.tell("called", tool="look", args={"customer": 2}, call="c2")
    assert {} == agent.tell("user_spoke", text="Go on, please.")
    assert {} == agent.tell("called", tool="look", args={"customer": 2}, call="c3")


def test_a_persons_stop_before_a_message_is_said_once_more_to_an_event_that_is_sent_again(client):
    agent = Client(client)
    agent.tell("user_spoke", text="Find the customer.")
    _order(client, "stop")
    answer = agent.tell("user_spoke", text="Look again.", id="e1")
    assert "stop" in answer
    assert answer == agent.tell("user_spoke", text="Look again.", id="e1")


def test_a_persons_stop_can_be_taken_back_before_it_is_said(client):
    agent = Client(client)
    agent.tell("user_spoke", text="Find the customer.")
    _order(client, "stop")
    _order(client, "allow")
    assert {} == agent.tell("answered", text="I look.")
    assert {} == agent.tell("user_spoke", text="Look again.")
    assert {} == agent.tell("called", tool="look", args={}, call="c1")


def test_calls_of_one_answer_are_no_repeats_even_if_they_come_one_after_the_other(client):
    """A stream runs a tool as soon as its call is complete."""
    agent = Client(client)
    for number in range(8):
        use = {"tool": "look", "args": {"customer": 7}, "call": f"call-{number}", "batch": "1"}
        assert {} == agent.tell("called", **use)
        assert {} == agent.tell("returned", **use, result={"output": "nothing found"})


def test_secrets_are_not_kept(client, state):
    agent, secret = Client(client), "sk-ant-api03-" + "Ab3dEf6hIj" * 9
    agent.tell("user_spoke", text=f"The key is {secret}.")
    use = {"tool": "fetch", "args": {"url": "https://example.org", "key": secret}, "call": "c1"}
    agent.tell("called", **use)
    agent.tell("returned", **use, result={"output": f"key {secret} accepted"})

    files = [path for path in state.rglob("*") if path.is_file()]
    assert files
    assert [] == [path for path in files if secret.encode() in path.read_bytes()]


@pytest.mark.parametrize("name", FRAMEWORKS)
def test_a_framework_is_called_by_its_name_and_asks_nobody(name):
    host = host_called(name)
    assert name == host.name
    assert not host.can.ask
    assert {"nudge", "block", "stop"} == {
        action.value for action in Action if host.answer(_event(host, action), action.value, "why")
    } - {"continue", "rollback", "escalate"}


def _event(host, action):
    event = "called" if action is Action.BLOCK else "returned"
    return host.event_from({"event": event, "session": "s", "call": "c", "tool": "t", "args": {}})
