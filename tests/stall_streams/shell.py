"""Commands whose words look like a change and that change nothing: what surrounds them is told all the same."""

from tests.agent_calls import bash, failing, rounds, sh

TEST = failing("pytest -q tests/test_pool.py", test="limit", message="PoolTimeout: queue is full")


def compared(_):
    return bash('if [[ "$NEW" > "$OLD" ]]; then echo newer; else echo older; fi', "older")


def counted(_):
    return sh(
        'files=(src/*.py); for ((i = ${#files[@]}; i > n; i--)); do wc -l "${files[i-1]}"; done', "41 src/pool.py"
    )


def searched(_):
    return sh('case "$(grep -c "a > b" src/pool.py)" in (0) echo none;; *) echo some;; esac', "none")


def shown(_):
    return sh('show() { sed -n "$1p" src/pool.py; }; show 3; show 9', "limit = 3\nreturn limit")


STREAMS = {
    "two versions compared, tested again": (8, rounds(13, compared, lambda _: TEST)),
    "lines counted in a loop, tested again": (8, rounds(13, counted, lambda _: TEST)),
    "a search inside a condition, tested again": (8, rounds(13, searched, lambda _: TEST)),
    "lines shown by a function, tested again": (8, rounds(13, shown, lambda _: TEST)),
}
