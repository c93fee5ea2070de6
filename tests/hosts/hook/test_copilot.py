"""Copilot CLI reports nothing about a denied call after announcing it."""

from .programs import Program, refusal_in, told_in

FAILURE = "FAILED tests/test_x.py::test_a - assert 1 == 2\n1 failed, 2 passed in 0.1s"


def test_a_denied_change_does_not_count_as_a_change():
    program = Program("copilot")
    told, refused = [], []
    for number in range(5):
        program.count += 1
        program._ask(program.spelled("before", command="sed -i s/a/b/ x.py"))  # its user says no
        before, after = program.step("pytest -q", FAILURE, failed=True)
        told += [number] * bool(told_in(after))
        refused += [number] * bool(refusal_in(before))

    assert ([2], [3, 4]) == (told, refused)


def test_the_shell_number_is_removed_and_the_exit_code_is_read():
    program = Program("copilot")
    told = ""
    for shell in range(3):
        program.count += 1
        data = program.spelled("after", command="./check", output="", code=0)
        text = f"working\n<shellId: {shell} completed with exit code 3>"
        data["toolResult"] = {"resultType": "success", "textResultForLlm": text}
        told = told_in(program._ask(data))

    assert "failed in the same way 3 times in a row" in told
