"""Every time files give way, the command that is named brings them back."""

import re
import shlex

from headway.cli import run
from tests.loop.projects import agent, repair, suite

BLOAT = "seq 1 9 | sed 's/.*/y& = &/' >> code.py; echo 'z = 1' > new.py"


def undone_by(text):
    """Carry out the command that a text names after saying what it is for."""
    (command,) = re.findall(r"to undo(?: this)?: headway (.*)", text)
    assert 0 == run([*shlex.split(command), "--yes"])


def test_what_gave_way_to_the_result(loop, folder):
    given = ["--task", "x", "--test", "sh check.sh", "--id", "it", "--max-rounds", 2]
    _, text = loop.run(*given, "--", agent(folder, r1=repair("t3"), r2=BLOAT))
    assert "Round 1 is in the working tree.\nto undo this: headway rollback it before-going-back-002\n" in text
    assert not (folder / "new.py").exists()
    undone_by(text)
    assert "z = 1\n" == (folder / "new.py").read_text()
    assert "y9 = 9\n" in (folder / "code.py").read_text()


def test_what_gave_way_to_the_files_of_before_when_the_result_is_on_a_branch(loop, folder):
    given = ["--task", "x", "--test", "sh check.sh", "--id", "it", "--max-rounds", 1, "--branch", "result"]
    _, text = loop.run(*given, "--", agent(folder, r1=repair("t3")))
    assert "t3 bad" in suite(folder)
    undone_by(text)
    assert "t3 ok" in suite(folder)


def test_a_round_that_was_taken_back(loop, folder):
    loop("--max-rounds", 3, "--", agent(folder, r1=repair("t3"), r2="sed -i.bak /t1/d tests.txt"))
    assert "back to round 1; to undo: headway rollback it 2\n" in loop.said
    assert "t1 ok" in suite(folder)
    undone_by(loop.said)
    assert "t1 ok" not in suite(folder)
