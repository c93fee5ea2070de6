"""Files changed by whole constructs of the shell: groups, loops, conditions, functions, text that a shell expands."""

from tests.agent_calls import bash, failing, read, rounds, sh

POOL = "tests/test_pool.py"


def refused(n):
    """One test fails in the same words after every change; three other files are green, one more every few rounds."""
    return failing(
        "pytest -q tests/test_pool.py", test="limit", message="PoolTimeout: queue is full", passed=4 + n // 3
    )


def written_by_a_group(n):
    lines = "; ".join(f"echo '{key} = {value + n}'" for key, value in (("size", 8), ("overflow", 2), ("wait", 30)))
    return bash(f"{{ echo '[pool]'; {lines}; }} > conf/pool.toml")


def written_by_a_loop(n):
    return bash(f"for name in eu us ap; do\n  printf '%s: {n + 3}\\n' \"$name\"\ndone > regions.yaml")


def read_line_by_line(n):
    return bash(f'while IFS=, read -r name port; do echo "$name=$(( port + {n} ))"; done < hosts.csv > hosts.env')


def chosen_by_a_condition(n):
    return bash(f"if [ -f local.env ]; then cat local.env; else echo LIMIT={n}; fi >| .env")


def chosen_by_a_case(n):
    return sh(
        f'case "$(uname)" in\n  Linux) echo "threads={n}";;\n  Darwin|*BSD) echo "threads=1";;\nesac >> build.conf'
    )


def made_by_a_function(n):
    return sh(f'row() {{ printf \'%s;%s\\n\' "$1" "$2"; }}\n{{ row id total; row {n} {n * 7}; }} > tests/data/rows.csv')


def tried_until_it_fits(n):
    return sh(f'until [ $((i += 1)) -gt {n + 2} ]; do echo "step $i"; done | tee plan.txt')


def cut_and_edited(n):
    if n % 2:
        return bash(f"ex -sc '{n}d|x' src/queue.c")
    return bash(f"truncate -s {4096 - n} src/table.bin; split -l {n + 2} all.csv part-")


def compared(n):
    """Its output, and what a test without an exit code prints."""
    return sh(
        "make check",
        f"  CC queue.o\nFAIL: queue_test\n# TOTAL: 14\n# PASS:  {9 + n // 2}\n# FAIL:  {5 - n // 2}\nmake: *** [check] Error 1",
    )


STREAMS = {
    "settings that a group of commands writes, tested each time": rounds(9, written_by_a_group, refused, lambda n: read("src/pool.py", f"LIMIT = {n}")),
    "a table that a loop writes, tested each time": [*rounds(12, written_by_a_loop, refused), bash("git diff --stat", " regions.yaml | 3 +-")],
    "a file rewritten line by line": rounds(9, read_line_by_line, refused, lambda n: bash("head -2 hosts.env", f"db={5432 + n}\nweb={80 + n}")),
    "settings that depend on a condition": rounds(9, chosen_by_a_condition, refused, lambda n: bash("cat .env", f"LIMIT={n}")),
    "settings that depend on the machine": rounds(9, chosen_by_a_case, compared, lambda n: sh("tail -1 build.conf", f"threads={n}")),
    "test data written by functions": rounds(9, made_by_a_function, refused, lambda n: sh("cat tests/data/rows.csv", f"id;total\n{n};{n * 7}")),
    "a plan printed and kept": rounds(9, tried_until_it_fits, refused, lambda n: sh("wc -l plan.txt", f"{n + 2} plan.txt")),
    "files cut, split and edited by a line editor": rounds(9, cut_and_edited, refused, lambda n: sh("wc -c src/table.bin", f"{4096 - n} src/table.bin")),
    "headers written by groups of echo, and nothing else": [
        bash(f"{{ echo '#pragma once'; echo '#define LANE_{n} {n * 3}'; }} > include/lane_{n}.h") for n in range(26)
    ],
}  # fmt: skip
