"""Work that goes on because a machine reports something: sub-agents that end, a watcher, members of a team."""

from tests.agent_calls import bash, edit, ends, news, read, rounds, says, task_ended, tool, write

AREAS = [
    "parser",
    "billing",
    "mailer",
    "search",
    "login",
    "uploads",
    "reports",
    "cache",
    "webhooks",
    "export",
    "quota",
    "themes",
]
PLACES = [17, 230, 64, 118, 9, 77, 301, 45, 152, 88, 26, 190]


def agent(what, background=True):
    """A sub-agent that is started."""
    args = {
        "description": what,
        "prompt": f"{what}. Read only.",
        "subagent_type": "general-purpose",
        "run_in_background": background,
    }
    return tool("Agent", args, f"Async agent launched successfully.\nagentId: a{abs(sum(map(ord, what))) % 4096:03x}")


def reviewed(n, count):
    """The report of one reviewer, and the sentence with which the lead notes it."""
    area, place = AREAS[n], PLACES[n]
    return [
        task_ended(
            f"a{n + 10}",
            f'Agent "Review {area}" completed',
            f"{n % 4 + 2} findings, the worst in app/{area}.py line {place}.",
        ),
        ends(f"The {area} review is in: {n % 4 + 2} findings. Waiting for {count - n - 1} more agents."),
    ]


def counted(n, count):
    """The same with hardly a word that is new: what differs are the numbers."""
    return [
        task_ended(
            f"b{n + 40}", "Agent completed", f"{n + 3} problems found, the worst in mail/store.py line {PLACES[n]}."
        ),
        ends(
            f"The reviewer found {n + 3} problems, the worst in mail/store.py line {PLACES[n]}. {count - n - 1} reviewers are still running."
        ),
    ]


def noted(n):
    """A lead that says the same each time."""
    return [
        task_ended(f"c{n + 70}", f'Agent "Port {AREAS[n]}" completed', f"Ported app/{AREAS[n]}.py, {PLACES[n]} lines."),
        ends("Noted. I will summarise when all of them are in."),
    ]


def ported(n):
    """A sub-agent has changed something: the lead runs the same checks again."""
    return [
        task_ended(
            f"d{n + 20}",
            f'Agent "Port {AREAS[n]}" completed',
            f"app/{AREAS[n]}.py uses the new client now; {n + 1} of 10 are done.",
        ),
        bash("git diff --stat -- docs", ""),
        bash("python -m pytest -q", "212 passed in 8.41s"),
        ends(f"{AREAS[n]} is ported and the tests pass. {9 - n} to go."),
    ]


def built(n):
    """A watcher posts the result of each build."""
    return [
        news(f"[watch] build {n + 411} failed: src/{AREAS[n]}.ts({PLACES[n]},7): error TS2345 ({11 - n} errors left)"),
        says(f"Build {n + 411} fails in {AREAS[n]}. I fix that place."),
        read(f"src/{AREAS[n]}.ts", f"export function load{n}(id: string) {{\n  return fetch(id, {PLACES[n]})\n}}"),
        edit(f"src/{AREAS[n]}.ts", f"fetch(id, {PLACES[n]})", f"fetch(String(id), {PLACES[n]})"),
        ends("Fixed. I wait for the next build."),
    ]


def posted(n):
    """A monitor posts a line of a log; the agent looks at the same status page and notes what it says."""
    return [
        news(
            f"<task-notification>\n<task-id>m1</task-id>\n<event>step {200 * n} of 4000, loss {2.5 - n / 10:.2f}</event>\n</task-notification>"
        ),
        bash("cat run/alerts.txt", "no alerts"),
        ends(f"Step {200 * n}, loss {2.5 - n / 10:.2f}. No alerts."),
    ]


def told(n):
    """Members of a team report to the lead, who hands on the next task."""
    member = ("alice", "bob", "carol")[n % 3]
    return [
        news(
            f'<teammate-message teammate_id="{member}" summary="task {n} done">\nTask {n} is done: {AREAS[n]} has {PLACES[n]} cases now.\n</teammate-message>'
        ),
        tool("TaskUpdate", {"taskId": str(n), "status": "completed"}, f"Updated task #{n} status"),
        tool(
            "SendMessage",
            {"to": member, "message": f"Thanks. Please take task {n + 3} next."},
            f"Message sent to {member}'s inbox",
        ),
        ends(f"Task {n} is done, {member} has task {n + 3}."),
    ]


def asked_again(n):
    """A lead that checks after each report whether there is anything to merge; there is not, until the last one."""
    return [
        task_ended(
            f"e{n + 30}",
            f'Agent "Audit {AREAS[n]}" completed',
            f"{AREAS[n]}: {PLACES[n]} routes audited, none to change.",
        ),
        bash("git status --short", ""),
        bash("git branch --list 'audit/*'", ""),
        ends(f"{AREAS[n]}: {PLACES[n]} routes, nothing to merge."),
    ]


STREAMS = {
    "reports of eight reviewers, each noted": [
        *(agent(f"Review {area}") for area in AREAS[:8]), ends("Eight reviewers are running."),
        *(step for n in range(8) for step in reviewed(n, 8)),
        write("REVIEW.md", "\n".join(f"## {area}" for area in AREAS[:8])), ends("REVIEW.md has the findings of all eight areas."),
    ],
    "reports of twelve reviewers that differ in their numbers": [
        *(agent(f"Review part {n}") for n in range(12)), ends("Twelve reviewers are running."),
        *(step for n in range(12) for step in counted(n, 12)),
        write("REVIEW.md", "12 parts"), ends("REVIEW.md has the findings of all twelve parts."),
    ],
    "reports of ten agents, each noted with the same words": [
        *(agent(f"Port {area}") for area in AREAS[:10]), ends("Ten agents are running."),
        *(step for n in range(10) for step in noted(n)),
        write("PORTED.md", "\n".join(AREAS[:10])), ends("PORTED.md lists all ten."),
    ],
    "checks after each of ten agents that change something": [
        *(agent(f"Port {area}") for area in AREAS[:10]), ends("Ten agents are running."), *(step for n in range(10) for step in ported(n)),
    ],
    "a watcher that posts builds": [step for n in range(11) for step in built(n)],
    "a training run that posts its loss": [step for n in range(20) for step in posted(n)],
    "a team that reports to its lead": [step for n in range(12) for step in told(n)],
    "checks after each of twelve audits, with nothing to merge": [
        *(agent(f"Audit {area}") for area in AREAS), ends("Twelve audits are running."), *(step for n in range(12) for step in asked_again(n)),
    ],
    "reviewers that are waited for in one turn": [
        *(agent(f"Review {area}") for area in AREAS[:9]),
        *rounds(9, lambda n: reviewed(n, 9)[0], lambda n: says(f"The {AREAS[n]} review is in. Waiting for {8 - n} more.")),
        write("REVIEW.md", "nine areas"), ends("REVIEW.md has the findings of all nine areas."),
    ],
}  # fmt: skip

LISTS = {
    "a checklist of 120 modules": [ends("\n".join(f"- [x] {AREAS[n % 12]}/part_{n}.py reviewed, no change needed" for n in range(120)))],
    "a table with an empty form": [ends("| day | name | in | out |\n|---|---|---|---|\n" + "|  |  |  |  |\n" * 120)],
    "a long divider": [ends("All parts are reviewed.\n" + "-" * 400)],
    "a table of equal results": [ends("| file | result |\n|---|---|\n" + "".join(f"| part_{n}.py | ok |\n" for n in range(200)))],
    "a list with thirty open points": [ends("Still open:\n" + "- [ ] to be decided\n" * 30)],
    "bytes in a fence": [ends("The buffer is empty:\n```\n" + "0x00, 0x00, 0x00, 0x00,\n" * 600 + "```")],
}  # fmt: skip
