import re

from headway.core import events
from headway.readers.aider import Aider
from headway.sources import Source
from tests.readers.counting import SAMPLES, counts, only, sample

NAME = "aider/sample.aider.chat.history.md"
START = "\n# aider chat started at 2025-03-01 10:00:00\n\n"


def read(text):
    source = Source(content=text.encode())
    assert Aider().recognises(source.head())
    return list(Aider().read(source)), source


def block(old, new, path="a.py"):
    return f"Like this.\n\n{path}\n```python\n<<<<<<< SEARCH\n{old}\n=======\n{new}\n>>>>>>> REPLACE\n```\n\n"


def test_counts_agree_with_the_raw_text():
    text = (SAMPLES / NAME).read_text()
    applied, refused = text.count("> Applied edit to"), text.count("> # 1 SEARCH/REPLACE block failed to match!")
    told = re.findall(r"Tokens: ([\d.]+)k sent, (\d+) received", text)
    expected = {
        "calls": applied + refused,
        "results": applied + refused,
        "failed": refused,
        "denied": 0,
        "turns": len(re.findall(r"^#### ", text, re.MULTILINE)),
        "tokens_in": sum(int(float(sent) * 1000) for sent, _ in told),
        "tokens_out": sum(int(received) for _, received in told),
    }
    stream, source = sample(NAME)
    assert expected == counts(stream)
    assert (1, 3, 0) == (applied, refused, source.skipped)


def test_two_chats():
    stream, _ = sample(NAME)
    assert ["2026-11-15 23:47:45", "2026-11-15 23:48:11"] == list(dict.fromkeys(event.run for event in stream))
    assert ["openai/scripted"] * 2 == [event.model for event in only(stream, events.RunStarted) if event.model]
    assert ["say hello instead of hi", "now say hey"] == [turn.text for turn in only(stream, events.UserSpoke)]
    first, *again = only(stream, events.ToolCalled)
    assert {"path": "greet.py", "old_string": '    print("hi")', "new_string": '    print("hello")'} == first.args
    assert 1 == len({str(call.args) for call in again})
    results = only(stream, events.ToolReturned)
    assert [False, True, True, True] == [result.failed for result in results]
    assert results[1].output.startswith("The LLM did not conform") or "failed to match" in results[1].output
    assert "I give up." == only(stream, events.AgentSpoke)[-1].text


def test_an_edit_without_a_block_is_told_by_aider_alone():
    stream, _ = read(START + "#### change it  \n\nDone.\n\n> Applied edit to b.py  \n> Applied edit to c.py  \n")
    assert [{"path": "b.py"}, {"path": "c.py"}] == [call.args for call in only(stream, events.ToolCalled)]


def test_an_edit_that_nobody_mentions_again_was_not_made():
    stream, _ = read(START + "#### show me  \n\n" + block("x", "y") + "#### thanks  \n")
    assert ([], 2) == (only(stream, events.ToolCalled), len(only(stream, events.UserSpoke)))


def test_what_aider_says_over_several_lines_is_not_the_models_word():
    text = (
        START
        + "> aider --message do\nthis\nand that  \n#### do  \n\nI did.\n\n> Tokens: 2.5M sent, 1,024 received. Cost: $0.25 message, $1.00 session.  \n"
    )
    stream, _ = read(text)
    assert ["I did."] == [said.text for said in only(stream, events.AgentSpoke)]
    assert [(2_500_000, 1_024, 0.25)] == [(u.tokens_in, u.tokens_out, u.cost_usd) for u in only(stream, events.Used)]


def test_commands_for_aider_are_no_turns():
    stream, _ = read(START + "#### /add a.py  \n\n> Added a.py to the chat.  \n\n#### /ask why?  \n\nBecause.\n")
    assert ["why?"] == [turn.text for turn in only(stream, events.UserSpoke)]


def test_blank_lines_stay_in_edits_and_broken_blocks_do_no_harm():
    text = (
        START
        + "#### go  \n\n"
        + block("a\n\nb", "")
        + "> Applied edit to a.py  \n\n"
        + "<<<<<<< SEARCH\n" * 3
        + "=======\n" * 3
    )
    stream, source = read(text)
    assert ["a\n\nb"] == [call.args["old_string"] for call in only(stream, events.ToolCalled)]
    assert 0 == source.skipped
