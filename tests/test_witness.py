"""The second opinion on sentences must notice when one is false: each claim is tried true, and then made false."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent.parent / "bench"))
from witness import Seen, call_of, problem


def seen(*steps, messages=()):
    """What was recorded: tool, arguments, output and, if not False, whether it failed."""
    calls = []
    for number, (tool, args, output, *failed) in enumerate(steps, 1):
        record = {
            "tool": tool, "args": args, "output": output, "args_sha1": str(args), "output_sha1": str(output),
            "error": failed[0] if failed else False,
        }  # fmt: skip
        calls.append(call_of(record, number, 0, guessed=False))
    return Seen(calls, list(messages), {})


def bash(command, output="", *failed):
    return ("Bash", {"command": command}, output, *failed)


LS, EDIT = bash("ls src", "a.py"), ("Edit", {"file_path": "a.py"}, "done")
BAD = bash("make all", "error: boom", True)
ASK, ASKED = ("ask", {"n": 1}, "one"), ("ask", {"n": 2}, "two")
VIEW = ("Read", {"file_path": "a.py"}, "one\ntwo\nthree\n")

TRUE_AND_FALSE = [
    ("The command `ls src` gave the same result 3 times in a row.", seen(LS, LS, LS), seen(LS, EDIT, LS)),
    ("The command `ls src` gave the same result 3 times in a row.", seen(LS, LS, LS), seen(LS, bash("ls src", "b.py"), LS)),
    ("The command `ls src` gave the same result 3 times in a row.", seen(LS, LS, LS), seen(*[bash("ls lib", "a.py")] * 3)),
    ("The command `make all` failed in the same way 2 times in a row.", seen(BAD, BAD), seen(BAD, bash("make all", "error: other", True))),
    ("The command `ls src` gave the same result 2 times, with no change seen in between.", seen(LS, BAD, LS), seen(LS, EDIT, LS)),
    ("The command `ls src` gave the same result 2 times, with no change seen in between.", seen(LS, BAD, LS), seen(LS, bash("echo x > y"), LS)),
    ("The same ask call gave the same result 2 times, whatever ask was called with in between.", seen(ASK, ASKED, ASK), seen(ASK, VIEW, ASK)),
    ("The same ask call gave the same result 2 times, whatever ask was called with in between.", None, seen(ASK, ASKED, ("ask", {"n": 1}, "two"))),
    ("The last 4 calls were the same 2 calls, repeated 2 times with the same results.", seen(LS, BAD, LS, BAD), seen(LS, BAD, LS, VIEW)),
    ("The last 5 calls were the same 2 calls, repeated 2 times with the same results.", None, seen(LS, BAD, LS, BAD, LS)),
    ("The last 3 calls all failed.", seen(BAD, BAD, BAD), seen(BAD, VIEW, BAD)),
    ("2 of the last 3 calls failed.", seen(BAD, VIEW, BAD), seen(BAD, VIEW, VIEW)),
    ('Bash failed 2 times in the last 10 steps with the same error: "error: boom".', seen(BAD, BAD), seen(BAD, VIEW)),
    ('2 Bash calls, 2 of them different, failed in the same way: "error: boom".', seen(BAD, bash("make", "error: boom", True)), seen(BAD, BAD)),
    ("1 of 2 reads of a.py returned mostly lines that had been read before, with no change of the file seen in between.", seen(VIEW, VIEW), seen(VIEW)),
    ("a.py was changed 2 times in the last 10 steps.", seen(EDIT, EDIT), seen(EDIT, VIEW)),
    ("3 messages in a row said hardly anything new, and nothing was done in between.",
     seen(messages=[(1, "a"), (1, "a"), (1, "a")]), seen(messages=[(1, "a"), (2, "a"), (2, "a")])),
    ('Towards its end, the message repeats the same phrase 3 times: "to do".',
     seen(messages=[(0, "to do. to do. to do.")]), seen(messages=[(0, "to do.")])),
    ("A sentence that nobody has thought of.", None, seen(LS)),
]  # fmt: skip


@pytest.mark.parametrize(("sentence", "_", "counterexample"), TRUE_AND_FALSE)
def test_a_false_sentence_is_noticed(sentence, _, counterexample):
    assert "" != problem(sentence, counterexample)


@pytest.mark.parametrize(("sentence", "example"), [case[:2] for case in TRUE_AND_FALSE if case[1] is not None])
def test_a_true_sentence_is_confirmed(sentence, example):
    assert "" == problem(sentence, example)


def test_it_shares_no_code_with_what_it_judges():
    source = (Path(__file__).parent.parent / "bench" / "witness.py").read_text()
    assert "import headway" not in source and "from headway" not in source
