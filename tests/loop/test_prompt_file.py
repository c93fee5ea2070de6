"""The prompt file: edited, removed or damaged while a loop runs, and text that cannot be an argument."""

import pytest

from headway.loop.agents import filled
from tests.loop.projects import HEADWAY, agent, journal, prompt, repair
from tests.slow import slow

BEFORE = "The previous text is used"


@pytest.fixture
def file(folder):
    made = folder / "PROMPT.md"
    made.write_text("make it work\n")
    return made


@pytest.mark.parametrize(
    ("spoil", "why"),
    [
        ("rm PROMPT.md", "PROMPT.md: No such file or directory"),
        *slow(
            ("rm PROMPT.md; mkdir PROMPT.md", "PROMPT.md: Is a directory"),
            (": > PROMPT.md", "PROMPT.md: the file is empty"),
            ("printf 'a\\0b' > PROMPT.md", "the prompt contains a NUL character"),
        ),
    ],
)
def test_a_deleted_prompt_file_keeps_its_previous_text(loop, folder, file, spoil, why):
    """The loop says so once, and later rounds get the text that was last read."""
    script = agent(folder, r1=f"{spoil}; {repair('t3')}", r2="echo 'z = 1' > new.py", r3=repair("t4"))
    code, result = loop.run("--prompt", file.name, *HEADWAY, "--max-rounds", 3, "--", script, "{prompt}")
    assert (3, 3) == (code, result["rounds"])
    assert all(prompt(folder, number).startswith("make it work\n") for number in (1, 2, 3))
    assert 1 == loop.said.count(BEFORE)
    assert why in loop.said


def test_an_edited_prompt_is_used_from_the_next_round_on(loop, folder, file):
    script = agent(folder, r1="echo 'do it well' > PROMPT.md", r2="rm PROMPT.md")
    loop.run("--prompt", file.name, *HEADWAY, "--max-rounds", 3, "--", script)
    assert ["make it work", "do it well", "do it well"] == [prompt(folder, n).splitlines()[0] for n in (1, 2, 3)]
    began = [fact for fact in journal(folder) if fact["fact"] == "round_began"]
    assert [None, "do it well\n", None] == [fact.get("prompt") for fact in began]


def test_a_loop_without_its_prompt_file_resumes_with_the_previous_text(loop, folder, file):
    script = agent(folder, r1="echo 'do it well' > PROMPT.md", r2=repair("t3"))
    loop.run("--prompt", file.name, *HEADWAY, "--max-rounds", 2, "--", script)
    file.unlink()
    code, _ = loop.resume("--max-rounds", 4)
    assert 3 == code
    assert ["do it well", "do it well"] == [prompt(folder, number).splitlines()[0] for number in (3, 4)]
    assert 1 == loop.said.count(BEFORE)


def test_a_restored_prompt_file_is_read_again(loop, folder, file):
    script = agent(folder, r1="rm PROMPT.md", r2="echo 'do it well' > PROMPT.md", r3="rm PROMPT.md")
    loop.run("--prompt", file.name, *HEADWAY, "--max-rounds", 4, "--", script)
    lines = [prompt(folder, number).splitlines()[0] for number in (1, 2, 3, 4)]
    assert ["make it work", "make it work", "do it well", "do it well"] == lines
    assert 2 == loop.said.count(BEFORE)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--task", "a\0b", "--", "true"), "--task contains a NUL character, which no program can receive"),
        (("--task", "caf\udce9", "--", "true"), "--task is not valid UTF-8, at character 4"),
        (("--task", "x", "--", "true", "a\udce9"), "the agent's command is not valid UTF-8, at character 2"),
        (("--task", "x", "--set", 'loop.until="a\\u0000b"', "--", "true"), "--until contains a NUL character"),
        (("--prompt", "nul.md", "--", "echo", "{prompt}"), "use {prompt_file} in the agent's command"),
        (("--prompt", "nul.md", "--then", "echo {prompt}", "--", "true"), "the prompt contains a NUL character"),
        (("--prompt", "empty.md", "--", "true"), "empty.md: the file is empty; expected the prompt"),
    ],
)
def test_text_that_cannot_be_an_argument_is_refused_before_the_loop(loop, folder, arguments, said):
    (folder / "nul.md").write_bytes(b"do\0it")
    (folder / "empty.md").write_bytes(b" \n")
    assert 2 == loop.run(*arguments)[0]
    assert said in " ".join(loop.said.split())
    assert "Traceback" not in loop.said
    assert not (folder / ".headway" / "loops").exists()


def test_a_prompt_with_nul_reaches_an_agent_that_reads_it_from_a_file(loop, folder):
    (folder / "nul.md").write_bytes(b"do\0it")
    script = agent(folder, r1="tr '\\0' '_' < $HEADWAY_PROMPT_FILE | head -1 > ../got")
    code, _ = loop.run("--prompt", "nul.md", *HEADWAY, "--max-rounds", 1, "--", script, "{prompt_file}")
    assert 3 == code
    assert "do_it\n" == (folder.parent / "got").read_text()


def test_nul_in_what_is_quoted_to_the_agent_does_not_end_the_loop():
    """A finding may quote a command of the transcript, and that may have anything in it."""
    assert ("sh", "ab") == filled(("sh", "{prompt}"), prompt="a\0b", prompt_file="p", round=1)
