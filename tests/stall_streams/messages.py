"""An agent that only talks: the same lines without end, a chant, or the same answer to the same report."""

from tests.agent_calls import bash, ends, news, says, task_ended

DUE = "<task-notification>\n<task-id>w1</task-id>\n<event>The queue is still full.</event>\n</task-notification>"
CHECKED = bash("git log --oneline -3", "4f1c2aa Add the queue\n90b17de First version\n")

STREAMS = {
    "21,000 equal lines of a checklist": (3, [CHECKED, says("I go through the modules."), ends("- [x] module reviewed, no change needed\n" * 21_000)]),
    "equal rows of a table": (3, [CHECKED, says("I go through the rows."), ends("| a | b |\n" * 21_000)]),
    "two lines of a list in turn": (3, [CHECKED, says("I list them."), ends("- read the file\n- check the file\n" * 4_000)]),
    "letters chanted without spaces": (3, [CHECKED, says("I write it down."), ends("The name is " + "ABCDE" * 4_000)]),
    "one sign without end": (3, [CHECKED, says("I write it down."), ends("Done" + "!" * 8_000)]),
    "the same report, and the same answer to it": (
        8, [step for _ in range(30) for step in (news(DUE), ends("The queue is still full, I wait until it is empty."))]
    ),
    "the same report, answered with the same words in other orders": (
        20,
        [
            step
            for n in range(30)
            for step in (news(DUE), ends(("The queue is full and I wait for it.", "I wait for the queue, it is full.", "Full is the queue; I wait.")[n % 3]))
        ],
    ),
    "the same report, and the same look": (14, [step for _ in range(30) for step in (news(DUE), CHECKED, ends("No news."))]),
    "a look repeated after one report": (9, [task_ended("a7", "Agent completed", "The port is done, 12 files changed."), *[CHECKED] * 30]),
    "talk without end after one report": (
        9, [task_ended("a8", "Agent completed", "The audit is done."), *[says("The audit is done, so the audit is done now.")] * 30]
    ),
}  # fmt: skip
