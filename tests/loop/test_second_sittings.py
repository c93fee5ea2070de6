"""What a loop makes of files that changed between two sittings."""

from tests.loop.projects import agent, repair, suite

NEW_TESTS = "t5 bad\nt6 bad\n"
DELETES_A_TEST = "sed -i.bak /t1/d tests.txt; rm -f tests.txt.bak"


def rows(folder):
    """The rounds in the report: number, quality, tests."""
    report = folder / ".headway/loops/it/reports/output-selection-report.md"
    cells = [line.split(" | ") for line in report.read_text().splitlines() if line[:3].strip("| ").isdigit()]
    return [(line[0].strip("| "), line[2]) for line in cells]


def add_tests(folder):
    (folder / "tests.txt").write_text((folder / "tests.txt").read_text() + NEW_TESTS)


def test_rounds_from_before_a_persons_edit_are_not_compared_with_later_ones(loop, folder):
    loop("--max-rounds", 2, "--", agent(folder, r1=repair("t3"), r2="echo 'y = 2' >> code.py", r3="echo z >> z.py"))
    add_tests(folder)
    _, text = loop.run("--resume", "it", "--max-rounds", 3)
    assert "   measured with these changes: 3 of 6 tests pass\n" in loop.said
    assert "Round 3 is in the working tree.\n" in text and "3 of 6 tests pass" in text
    assert "of 4 tests" not in text + loop.said
    assert (folder / "z.py").exists() and (folder / "code.py").read_text().endswith("y = 2\n")
    assert [("0", "2/4"), ("1", "3/4"), ("2", "3/4"), ("3", "3/6")] == rows(folder)


def test_where_no_later_round_is_better_the_edited_files_are_handed_over_with_their_own_numbers(loop, folder):
    loop("--max-rounds", 2, "--", agent(folder, r1=repair("t3"), r2="echo 'y = 2' >> code.py", r3=DELETES_A_TEST))
    add_tests(folder)
    _, text = loop.run("--resume", "it", "--max-rounds", 3)
    assert "Round 2 is in the working tree, with the files that you changed yourself.\n" in text
    assert "round 2 with your changes: quality 0.69, below 0.70; 3 of 6 tests pass\n" in text
    assert ["t1 ok", "t2 ok", "t3 ok", "t4 bad", "t5 bad", "t6 bad"] == suite(folder)
    assert (folder / "code.py").read_text().endswith("y = 2\n")
    assert [("0", "2/4"), ("1", "3/4"), ("2", "3/4")] == rows(folder)[:3]


def test_a_resume_without_a_new_round_tells_the_numbers_of_the_edited_files(loop, folder):
    loop("--max-rounds", 1, "--", agent(folder, r1=repair("t3")))
    add_tests(folder)
    _, text = loop.run("--resume", "it", "--max-rounds", 1)
    assert "round 1 with your changes: quality 0.69, below 0.70; 3 of 6 tests pass\n" in text
    assert [("0", "2/4"), ("1", "3/4")] == rows(folder)


def test_what_was_done_before_a_persons_edit_is_not_done_after_it(loop, folder):
    until = ["--until", "! grep -q bad tests.txt"]
    assert 0 == loop("--max-rounds", 1, *until, "--", agent(folder, r1=repair("t3", "t4"), r2=repair("t5")))[0]
    add_tests(folder)
    assert 3 == loop.resume("--max-rounds", 2)[0]
    assert ["t5 ok", "t6 bad"] == suite(folder)[4:]


def test_tests_that_a_person_removes_are_not_missed_in_the_next_round(loop, folder):
    loop("--max-rounds", 1, "--", agent(folder, r1=repair("t3"), r2="echo z >> z.py"))
    (folder / "tests.txt").write_text("t2 ok\nt3 ok\nt4 bad\n")
    _, result = loop.resume("--max-rounds", 2)
    assert (2, []) == (result["selected"], result["warnings"])
    assert "taken back" not in loop.said and (folder / "z.py").exists()
