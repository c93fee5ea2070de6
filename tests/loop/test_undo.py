"""Every time files are replaced, the named command restores them."""

import re
import shlex

from headway.cli import run
from tests.loop.projects import agent, repair, suite

BLOAT = "seq 1 9 | sed 's/.*/y& = &/' >> code.py; echo 'z = 1' > new.py"


def undone_by(text):
    """Run the command that a text names after its purpose."""
    (command,) = re.findall(r"to undo(?: this)?: headway (.*)", text)
    assert 0 == run([*shlex.split(command), "--yes"])


def test_undo_the_result(loop, folder):
    given = ["--task", "x", "--test", "sh check.sh", "--id", "it", "--max-rounds", 2]
    _, text = loop.run(*given, "--", agent(folder, r1=repair("t3"), r2=BLOAT))
    assert "Round 1 is in the working tree.\nto undo this: headway rollback it before-going-back-002\n" in text
    assert not (folder / "new.py").exists()
    undone_by(text)
    assert "z = 1\n" == (folder / "new.py").read_text()
    assert "y9 = 9\n" in (folder / "code.py").read_text()


def test_undo_the_restored_files_if_the_result_is_on_a_branch(loop, folder):
    given = ["--task", "x", "--test", "sh check.sh", "--id", "it", "--max-rounds", 1, "--branch", "result"]
    _, text = loop.run(*given, "--", agent(folder, r1=repair("t3")))
    assert "t3 bad" in suite(folder)
    undone_by(text)
    assert "t3 ok" in suite(folder)


def test_undo_a_rollback(loop, folder):
    loop("--max-rounds", 3, "--", agent(folder, r1=repair("t3"), r2="sed -i.bak /t1/d tests.txt"))
    assert "back to round 1; to undo: headway rollback it 2\n" in loop.said
    assert "t1 ok" in suite(folder)
    undone_by(loop.said)
    assert "t1 ok" not in suite(folder)
