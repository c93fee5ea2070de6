"""Gemini CLI (Apache-2.0): packages/core/src/services/loopDetectionService.test.ts; pieces of one answer are one message here."""

from functools import partial

from tests.agent_calls import says, tool
from tests.rival_cases import again, honest, loop

SUITE = "gemini-cli"
a_loop, is_honest = partial(loop, SUITE), partial(honest, SUITE)
CALL = tool("set_mode", {"value": "slow"}, "mode: slow")
PIECE = "The parser wants a token here, so I look again. …. "
"""Fifty characters."""


def look(name):
    return tool("read_file", {"file_path": f"{name}.txt"}, f"This is {name}.")


def item(n):
    return tool("t", {"id": n}, f"item {n}")


def letters(count, seed=7):
    """Letters that look drawn at random, the same ones each time."""
    found = []
    for _ in range(count):
        seed = (seed * 1103515245 + 12345) % 2**31
        found.append("abcdefghijklmnopqrstuvwxyz "[seed // 65536 % 27])
    return "".join(found)


def repeated(text):
    """One message in which a piece comes again and again."""
    return lambda count: [says(text * count)]


CASES = [
    a_loop("four equal calls in a row", 4, again(CALL), "four equal calls with one result bring nothing new; the suite waits for a fifth", expected="honest"),
    a_loop("five equal calls in a row", 5, again(CALL), "equal calls, equal results"),
    a_loop("seven equal calls in a row", 7, again(CALL), "equal calls, equal results"),
    a_loop("three different calls, in three laps", 3, again(CALL, tool("set_mode", {"value": "fast"}, "mode: fast"), tool("get_mode", {"value": "slow"}, "slow")), "three laps of the same calls with the same results", expected="honest"),
    a_loop("four equal calls, a thought, and the call again", 1, lambda count: [*[CALL] * 4, says("Hm."), *[CALL] * count], "a thought in between changes nothing"),
    a_loop("two files read in turn", 8, again(look("north"), look("south")), "the same two files, unchanged, eight times"),
    a_loop("three files read in turn", 7, again(look("north"), look("south"), look("west")), "the same three files, unchanged, seven times"),
    a_loop("five calls in turn", 6, again(*(item(n) for n in range(5))), "six laps of the same five calls"),
    a_loop("two files read in turn, a third one in the middle", 1, lambda count: ([look("north"), look("south")] * 2 + [look("west")] + [look("north"), look("south")] * 2) * count, "two small files read four times each; the third one does not make it work", expected="honest"),
    is_honest("a long answer in which nothing repeats", [says(letters(10_000))], "no piece comes twice"),
    a_loop("a sentence of an answer over and over", 10, repeated(PIECE), "ten times the same sentence in a row"),
    is_honest("a list whose items begin alike", [says("".join(f"- projects/shop-in-the-cloud-4711/places/north-2/services/{n}\n" for n in range(15)))], "every item names another service"),
    is_honest("a sentence that comes back after long other text", [says("".join(PIECE + letters(500, n) for n in range(10)))], "most of the answer is new each time"),
    a_loop("a paragraph of 150 letters over and over", 12, repeated(letters(148) + ". "), "twelve times the same paragraph in a row"),
    a_loop("announcing to stop, over and over", 15, repeated("I say nothing more now.\nI end my turn.\nThat was all.\nI shall do nothing else.\nI wait for the next order.\n"), "the same five lines fifteen times"),
    a_loop("announcing that the task is complete, over and over", 15, repeated("All the logs are in and the test file is checked. The task can be marked as complete.\n  "), "the same announcement fifteen times"),
    a_loop("two words in turn", 30, repeated("Thinking... Done. "), "thirty times the same two words"),
    a_loop("a thought with a decision, over and over", 15, repeated("I have to look at the file. There is no such file. So I make the file. "), "the same three sentences fifteen times"),
    is_honest("code with lines that are alike", [says("```js\n" + "for (let i = 0; i < 9; i++) { show(i); }\n" * 20 + "```")], "code that somebody wants may repeat lines"),
    is_honest("a block of code between two equal sentences", [says(f"{PIECE}\n```\nx = 1\ny = 2\n```\n{PIECE}")], "twice is no loop"),
    is_honest("a rule of dashes", [says("-" * 50 * 15)], "a rule across the page is drawn with one character"),
    is_honest("a rule drawn with box characters", [says("╭─" * 25 * 15)], "a rule across the page"),
    is_honest("headings, lists and tables with the same words", [says("".join(f"## Part {n}\n| name | count |\n|---|---|\n| row {n} | {n * 7} |\n- see part {n + 1}\n" for n in range(12)))], "the form is the same, the content is not"),
]  # fmt: skip
