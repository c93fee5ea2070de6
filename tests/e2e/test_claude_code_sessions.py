"""Claude Code for real: sessions that once went wrong. What each request told the model is what counts."""

import json
import re

import pytest

from tests.e2e.agents import chosen
from tests.e2e.models import AnthropicModel, Call, Say
from tests.e2e.place import Place

pytestmark = pytest.mark.e2e
claude = pytest.mark.parametrize("agent", chosen("claude-code"), ids=lambda agent: agent.name)

PERMITTED = "Bash,Read,Edit"
FAILING_TEST = "sh run_tests.sh"


class Model(AnthropicModel):
    """Puts the id of the latest sub-agent in place of `@AGENT`, and reports a full context in turn `full_after`."""

    full_after = None

    def next_turn(self, request):
        number, items = super().next_turn(request)
        found = re.findall(r"agentId: (\w+)", json.dumps(request))
        return number, [_addressed(item, found[-1]) if found and isinstance(item, Call) else item for item in items]

    def answer(self, path, request):
        answer = super().answer(path, request)
        if isinstance(answer, list) and len(self.conversation) == self.full_after:
            return [part.replace(b'"input_tokens": 100,', b'"input_tokens": 990000,') for part in answer]
        return answer


def _addressed(call, agent):
    return Call(call.tool, **{name: agent if value == "@AGENT" else value for name, value in call.args.items()})


def shell(command, **more):
    return [Call("Bash", command=command, description="look", **more)]


def played(
    agent, folder, *turns, permitted=PERMITTED, options=(), full_after=None, prompt="please look into it", prepare=None
):
    """Run Claude Code with Headway installed as its user would; the model, what came of it, and where."""
    model = Model(*turns)
    model.full_after = full_after
    with model:
        place = Place(folder, model.url)
        agent.prepare(place)
        (place.project / "notes.txt").write_text("there is nothing new here\n")
        failing = "echo 'FAILED test_a.py::test_one - assert 1 == 2'\necho '1 failed, 2 passed in 0.01s'\nexit 1\n"
        (place.project / "run_tests.sh").write_text(failing)
        assert 0 == place.run("headway", "install", agent.name, "--mode", "enforce").exit_code
        if prepare is not None:
            prepare(place)
        command = [*agent.program(), "-p", prompt, "--output-format", "stream-json", "--verbose"]
        ran = place.run(*command, "--allowedTools", permitted, *options)
    assert not list(place.home.rglob("faults.log"))
    return model, ran, place


def said(model):
    """In which requests Headway's words are new, with those words: {request: text}."""
    found, before = {}, 0
    for number, request in enumerate(model.asked):
        words = re.findall(r"Headway(?:: | refused| stopped)[^\"\\<]*", request)
        if len(words) > before:
            found[number] = words[-1]
        before = max(before, len(words))
    return found


@claude
def test_a_denied_change_is_no_change(agent, tmp_path):
    """The user permitted the test only: nothing moved, and the tenth round is told like the third."""
    rounds = [shell("sed -i s/nothing/something/ notes.txt"), shell(FAILING_TEST)] * 10
    model, _, place = played(agent, tmp_path, *rounds, [Say("I give up.")], permitted="Bash(sh run_tests.sh)")

    assert "nothing new" in (place.project / "notes.txt").read_text()
    told = said(model)
    assert 6 == min(told) and "the same 2 calls, repeated 3 times" in told[6]
    assert "all failed" not in json.dumps(told)


@claude
@pytest.mark.parametrize(
    ("mode", "options"),
    [
        ("nobody was asked", ()),
        ("a rule denies it", ("--disallowedTools", "Bash(sed:*)", "Bash(python3:*)")),
        ("plan mode", ("--permission-mode", "plan")),
        ("don't ask", ("--permission-mode", "dontAsk")),
    ],
)
def test_every_wording_of_a_denial_is_known(agent, tmp_path, mode, options):
    """A new version may word it otherwise; then this fails, and denied calls would count as done."""
    denied = [
        shell("sed -i s/nothing/something/ notes.txt"),
        shell("python3 -c 'print(1)'"),
        [Call("Write", file_path="new.txt", content="x")],
        shell("echo x > /nowhere/x && rm notes.txt"),
    ]
    _, ran, place = played(agent, tmp_path, *denied, [Say("Done.")], permitted="Read", options=options)

    refused = json.loads(ran.stdout.splitlines()[-1])["permission_denials"]
    status = json.loads(place.run("headway", "status", "--format", "json").stdout)
    assert 4 == len(refused) == status["sessions"][0]["steps"]
    assert 0 == changes_in(place), mode


def changes_in(place):
    """Steps of the only session that changed a file, as Headway has understood them."""
    code = (
        "from headway.store.sessions import SessionStore; from headway import Monitor; store = SessionStore(); "
        "blob, = store.connection.execute('SELECT monitor FROM sessions').fetchone(); "
        "session = Monitor.load(blob).session; print(session.changes.count, all(s.denied for s in session.steps))"
    )
    count, all_denied = place.run("python", "-c", code).stdout.split()
    assert "True" == all_denied
    return int(count)


@claude
def test_polling_a_background_job_as_the_program_says_is_never_refused(agent, tmp_path):
    class Follows(Model):
        def next_turn(self, request):
            number, items = super().next_turn(request)
            found = re.findall(r"written to: (\S+?\.output)", json.dumps(request))
            return number, [
                Call(item.tool, **{name: found[-1] if value == "@JOB" else value for name, value in item.args.items()})
                if found and isinstance(item, Call)
                else item
                for item in items
            ]

    job = shell("echo begun; sleep 20; echo finished", run_in_background=True)
    polls = [[Call("Read", file_path="@JOB")]] * 18
    with Follows(job, *polls, [Say("I see.")]) as model:
        place = Place(tmp_path, model.url)
        agent.prepare(place)
        assert 0 == place.run("headway", "install", agent.name, "--mode", "enforce").exit_code
        place.run(*agent.command())

    told = said(model)
    assert "refused" not in json.dumps(told) and "stopped" not in json.dumps(told)
    assert [16] == list(told) and "The same status was queried 15 times" in told[16]


@claude
def test_asking_for_a_status_is_never_refused(agent, tmp_path):
    def with_tools(place):
        for name in ("gh", "kubectl", "docker"):
            program = place.project / name
            program.write_text(f"#!/bin/sh\necho {name} is still running\n")
            program.chmod(0o755)
        place.environment["PATH"] = f"{place.project}:{place.variables()['PATH']}"

    polls = [shell("gh run view 7"), shell("kubectl get pods"), shell("docker ps")]
    for number, poll in enumerate(polls):
        model, _, _ = played(agent, tmp_path / str(number), *[poll] * 17, [Say("I see.")], prepare=with_tools)

        told = said(model)
        assert "refused" not in json.dumps(told) and "stopped" not in json.dumps(told)
        assert [15] == list(told) and "Wait before you ask again" in told[15]


DELEGATE = [Call("Agent", description="look", prompt="look into it", subagent_type="general-purpose", run_in_background=False)]  # fmt: skip
LOOK = shell("cat notes.txt")


@claude
def test_a_stopped_sub_agent_reports_its_parent_hears_why_and_a_new_task_is_free(agent, tmp_path):
    model, _, place = played(
        agent, tmp_path,
        DELEGATE,
        *[LOOK] * 6,
        [Say("The notes say nothing new.")],
        [Call("ToolSearch", query="select:SendMessage", max_results=5)],
        [Call("SendMessage", to="@AGENT", summary="go on please", message="now fix it")],
        shell("echo fixed > notes.txt"),
        [Say("It is fixed.")],
        [Say("It is done.")],
        [Say("It is done.")],
    )  # fmt: skip

    told = said(model)
    assert "stopped this sub-agent" in told[7] and "until the user sends a message" not in json.dumps(told)
    assert "No further calls will run. Report what you found and what is missing." in told[7]
    assert "One of your sub-agents was stopped. The command `cat notes.txt` gave the same result" in model.asked[8]
    assert "The notes say nothing new." in model.asked[8]
    assert "fixed" in (place.project / "notes.txt").read_text()
    status = json.loads(place.run("headway", "status", "--format", "json").stdout)
    assert [True, True] == [one["ended"] for one in status["sessions"]]


@claude
def test_a_finished_sub_agent_shows_as_ended_while_the_session_goes_on(agent, tmp_path):
    shown = "headway status --format json > seen.json"
    _, _, place = played(agent, tmp_path, DELEGATE, LOOK, [Say("Nothing new.")], shell(shown), [Say("Done.")])

    sessions = json.loads((place.project / "seen.json").read_text())["sessions"]
    assert {True: True, False: False} == {bool(one["agent"]): one["ended"] for one in sessions}


SIX = [shell(command) for command in ("cat notes.txt", "uname", "whoami", "pwd", "wc -l notes.txt", "hostname")]


@claude
def test_a_circle_of_six_is_refused_for_two_whole_rounds_and_then_ends(agent, tmp_path):
    model, ran, _ = played(agent, tmp_path, *SIX * 6, [Say("I give up.")])

    told = said(model)
    assert [18, *range(19, 31), 31] == list(told)
    assert "the same 6 calls, repeated 3 times" in told[18]
    assert all("Headway refused this call" in told[number] for number in range(19, 31))
    assert "all failed" not in json.dumps(told)
    assert "No further calls will run" in told[31]
    assert "I give up." not in ran.stdout and 32 == len(model.asked), "the call after that ends the run"


@claude
def test_a_headless_run_that_is_stopped_ends_with_a_report(agent, tmp_path):
    model, ran, _ = played(agent, tmp_path, *[LOOK] * 6, [Say("The notes say nothing new; the cause is missing.")])

    assert 7 == len(model.asked)
    assert "The notes say nothing new; the cause is missing." == json.loads(ran.stdout.splitlines()[-1])["result"]
    assert 0 == ran.exit_code


@claude
def test_what_was_told_is_told_again_after_a_compaction(agent, tmp_path):
    summary = [Say("A summary of all that.")]
    turns = [*[LOOK] * 3, shell("ls"), summary, summary, shell("pwd"), [Say("Done.")]]
    model, _, place = played(agent, tmp_path, *turns, full_after=4)

    after = next(number for number, request in enumerate(model.asked) if "A summary of all that." in request)
    assert "Before the context was compacted, you were told: The command `cat notes.txt` gave" in model.asked[after]
    status = json.loads(place.run("headway", "status", "--format", "json").stdout)
    assert [""] == [one["agent"] for one in status["sessions"]], "the agent that wrote the summary is none of ours"


PERSON = """
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    if "id" not in asked:
        continue
    given = {}
    if asked["method"] == "initialize":
        given = {"protocolVersion": asked["params"]["protocolVersion"], "capabilities": {"tools": {}},
                 "serverInfo": {"name": "person", "version": "1"}}
    elif asked["method"] == "tools/list":
        given = {"tools": [{"name": "approve", "description": "asks", "inputSchema": {"type": "object", "properties": {}}}]}
    elif asked["method"] == "tools/call":
        with open("asked", "a") as log:
            log.write("asked\\n")
        yes = {"behavior": "allow", "updatedInput": asked["params"]["arguments"]["input"]}
        given = {"content": [{"type": "text", "text": json.dumps(yes)}]}
    print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], "result": given}), flush=True)
"""
"""A server that says yes where Claude Code would ask its user."""


def attended(place):
    """A person is there, as far as Headway knows, and says yes."""
    (place.project / "headway.toml").write_text("[policy]\nattended = true\n")
    (place.project / "person.py").write_text(PERSON)
    servers = {"mcpServers": {"person": {"command": "python3", "args": ["person.py"]}}}
    (place.project / "mcp.json").write_text(json.dumps(servers))


@claude
def test_a_persons_yes_is_remembered(agent, tmp_path):
    asks = ("--mcp-config", "mcp.json", "--permission-prompt-tool", "mcp__person__approve")
    model, _, place = played(agent, tmp_path, *[LOOK] * 12, [Say("Done.")], prepare=attended, options=asks)

    assert ["asked"] == (place.project / "asked").read_text().splitlines()
    assert [3, 4, 5, 8] == list(said(model)), "told, refused twice, asked, and told once more"
    assert 13 == len(model.asked) and 10 == model.asked[12].count("there is nothing new here")


@claude
def test_where_nobody_can_say_yes_the_run_is_stopped(agent, tmp_path):
    model, _, _ = played(agent, tmp_path, *[LOOK] * 9, [Say("Done.")], prepare=attended)

    assert 8 == len(model.asked), "asked at call 6, refused at call 7, ended at call 8"
    assert "Headway stopped this run" in said(model)[7]


@claude
def test_the_end_of_a_turn_is_not_held_for_failures_that_were_there_before(agent, tmp_path):
    document = [shell("cat notes.txt"), shell(FAILING_TEST), shell("echo better >> notes.md"), shell(FAILING_TEST)]
    model, ran, _ = played(agent, tmp_path, *document, [Say("I updated the notes. Done.")], prompt="improve the notes")

    assert 5 == len(model.asked) and {} == said(model)
    assert "I updated the notes. Done." == json.loads(ran.stdout.splitlines()[-1])["result"]


@claude
def test_the_end_of_a_turn_is_held_for_what_the_claim_is_about(agent, tmp_path):
    model, _, _ = played(agent, tmp_path, shell(FAILING_TEST), [Say("All tests pass now.")], [Say("One still fails.")])

    assert 3 == len(model.asked) and "1 failing test" in model.asked[2]


@claude
def test_the_person_in_front_of_it_reads_it_too(agent, tmp_path):
    options = ("--include-hook-events",)
    _, ran, _ = played(agent, tmp_path, *[LOOK] * 4, [Say("I see.")], options=options)

    shown = [json.loads(line).get("output", "") for line in ran.stdout.splitlines() if '"hook_response"' in line]
    spoken = [json.loads(output)["systemMessage"] for output in shown if "systemMessage" in output]
    assert ["Headway: The command", "Headway refused this"] == [" ".join(text.split()[:3]) for text in spoken]


@claude
def test_a_step_costs_two_processes_and_twelve_parallel_calls_thirteen(agent, tmp_path):
    def counted(place):
        settings = place.home / ".claude" / "settings.json"
        counting = rf"echo >> {place.project}/calls; \1"
        settings.write_text(re.sub(r"((?:/\S+)?headway hook)", counting, settings.read_text()))

    parallel = [Call("Read", file_path="notes.txt", limit=number + 1) for number in range(12)]
    (tmp_path / "one").mkdir()
    counts = []
    for name, turn in {"one": shell("ls"), "twelve": parallel, "none": None}.items():
        turns = [[Say("Done.")]] if turn is None else [turn, [Say("Done.")]]
        _, _, place = played(agent, tmp_path / name, *turns, prepare=counted)
        counts.append(len((place.project / "calls").read_text().splitlines()))

    one, twelve, none = counts
    assert (2, 13) == (one - none, twelve - none)
