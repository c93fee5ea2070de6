"""The grammar that `bench/shell.py` draws its lines from: every construct around every way to change a file, or none.

A `Deed` is one command; a construct of the shell makes a longer one of it. Where a deed's output goes (`sink`) may stand
beside its command or behind the whole construct: `{ echo a; } > f`.
"""

from collections.abc import Callable
from random import Random
from shlex import quote
from typing import NamedTuple

from shell_deeds import CHANGING, IDLE, Deed

__all__ = ["CHANGING", "CONSTRUCTS", "IDLE", "Line", "drawn"]

Construct = Callable[[Deed, Random], Deed]


class Line(NamedTuple):
    """One line, with the cell of the table that it belongs to."""

    construct: str
    way: str
    text: str


def drawn(construct: str, way: str, count: int, seed: int) -> list[Line]:
    """So many different lines of one cell."""
    rng = Random(f"{seed} {construct} {way}")
    texts: dict[str, None] = {}
    for _ in range(count * 30):
        texts[written(CONSTRUCTS[construct](({**CHANGING, **IDLE})[way](rng), rng))] = None
        if len(texts) == count:
            break
    return [Line(construct, way, text) for text in texts]


def written(deed: Deed) -> str:
    """The whole line, with the texts of its here-documents below it."""
    return f"{deed.text}{deed.sink}{below(deed.body)}"


def below(body: str) -> str:
    return f"\n{body}" if body else ""


class Placed(NamedTuple):
    """A deed inside a compound command: its text up to the next command, and what stands behind the compound."""

    inside: str
    sink: str
    body: str


def placed(deed: Deed, rng: Random) -> Placed:
    if deed.sink and rng.random() < 0.6:
        return Placed(f"{deed.text}; ", deed.sink, deed.body)
    return Placed(f"{deed.text}{deed.sink}" + (f"\n{deed.body}\n" if deed.body else "; "), "", "")


def compound(*shapes: str) -> Construct:
    """Around a list of commands: `@` is its place, with its separator."""

    def build(deed: Deed, rng: Random) -> Deed:
        part = placed(deed, rng)
        return Deed(rng.choice(shapes).replace("@", part.inside), part.sink, part.body, False)

    return build


def inline(*shapes: str) -> Construct:
    """Around one command on its line: `@` is its place."""

    def build(deed: Deed, rng: Random) -> Deed:
        return Deed(rng.choice(shapes).replace("@", deed.text + deed.sink), "", deed.body, False)

    return build


def text(deed: Deed, rng: Random) -> Deed:
    """As text for another shell, or for `eval`."""
    sink = bool(deed.sink) and rng.random() < 0.4
    inner = deed.text if sink else written(deed)
    way = rng.randrange(8)
    behind = (deed.sink, deed.body) if sink else ("", "")
    if way < 5:
        return Deed(
            f"{('bash -c', 'bash -ec', 'eval', 'bash --norc -c', 'bash <<<')[way]} {quote(inner)}", *behind, False
        )
    if way == 5:
        return Deed(f"printf '%s\\n' {quote(inner)} | bash", *behind, False)
    return Deed(f"bash{('', ' -s')[way - 6]}", " <<'END'", f"{written(deed)}\nEND", False)


def fed(deed: Deed, rng: Random) -> Deed:
    """By `xargs`, or by `find` for each file."""
    command = (
        deed.text
        if deed.simple and rng.random() < 0.6
        else f"bash -c {quote(deed.text if deed.sink else written(deed))}"
    )
    behind = (deed.sink, deed.body) if deed.sink else ("", "")
    shape = rng.choice(("echo x | xargs -I% @", "seq 2 | xargs -I _ @", "find a.txt -exec @ \\;", "ls *.md | xargs -I% @",
                        "printf '1\\n' | xargs -I% -P 1 @", "find . -maxdepth 0 -exec @ \\;"))  # fmt: skip
    return Deed(shape.replace("@", command), *behind, False)


def wrapped(deed: Deed, rng: Random) -> Deed:
    """Behind a program that runs another one, or a word of the shell that runs a command."""
    if rng.random() < 0.15:
        return compound("time { @}", "! { @}")(deed, rng)
    simple = deed.simple and rng.random() < 0.8
    command = deed.text if simple else f"bash -c {quote(deed.text if deed.sink else written(deed))}"
    behind = (deed.sink, deed.body) if deed.sink or simple else ("", "")
    prefix = rng.choice((
        "env X=1", "time", "time -p", "nice -n 5", "nice", "timeout 20", "timeout -k 2 20s", "sudo -n", "sudo -nu root",
        "nohup", "command", "LC_ALL=C", "A=1 B='x y'", "stdbuf -oL", "/usr/bin/env", "env -i PATH=\"$PATH\"", "exec",
        "sudo -n env X=2 nice", "setsid -w", "ionice -c 3", "env -u FOO", "!",
    ))  # fmt: skip
    return Deed(f"{prefix} {command}", *behind, False)


def function(deed: Deed, rng: Random) -> Deed:
    """In a function that is called."""
    name = rng.choice(("work", "go_on", "f", "make_it", "_step"))
    part = placed(deed, rng)
    head, close = rng.choice(
        ((f"{name}() {{ ", "}"), (f"function {name} {{ ", "}"), (f"{name} () ( ", ")"), (f"{name}() {{\n  ", "}"))
    )
    if part.body:  # the text of a here-document follows the line of its call
        return Deed(f"{head}{part.inside}{close}; {name}", part.sink, part.body, False)
    if rng.random() < 0.3:
        return Deed(
            f"{head}{part.inside}{close}{part.sink}\n{name}{rng.choice((' 1 2', ' | cat', ' && echo ok', ''))}",
            "",
            "",
            False,
        )
    return Deed(f"{head}{part.inside}{close}; {rng.choice(('', 'cat b.txt; '))}{name}", part.sink, "", False)


def substitution(deed: Deed, rng: Random) -> Deed:
    """In a command substitution or a process substitution."""
    inner = f"{written(deed)}\n" if deed.body else written(deed)
    shape = rng.choice((
        "x=$(@)", 'echo "$(@)"', "echo $(@) | cat", '[ -z "$(@)" ] || echo some', 'if [ -n "$(@)" ]; then echo some; fi',
        "cat <(@)", ': "$(@)"', 'export x="$(@)"', 'printf "%s\\n" "a $(@) b"', "for w in $(@); do echo $w; done",
        "grep -c alpha <(@) b.txt", 'x=$(@) && echo "${#x}"', 'case "$(@)" in *) echo any;; esac',
    ))  # fmt: skip
    if set(inner).isdisjoint("`\\$\"'\n") and rng.random() < 0.3:
        shape = rng.choice(("x=`@`", 'echo "`@`"'))
    return Deed(shape.replace("@", inner), "", "", False)


def background(deed: Deed, rng: Random) -> Deed:
    """Beside the rest of the line, which waits for it."""
    if rng.random() < 0.4:
        return Deed(f"{deed.text}{deed.sink} &{below(deed.body)}\nwait", "", "", False)
    shapes = (
        "{ @} & wait",
        "(@) & wait $!",
        "sleep 0.01 & @wait",
        "for i in 1; do @done & wait",
        "{ @} & echo started; wait",
    )
    return compound(*shapes)(deed, rng)


def nested(deed: Deed, rng: Random) -> Deed:
    """Two or three of the others around each other."""
    for name in rng.sample([name for name in CONSTRUCTS if name != "nested"], rng.choice((2, 2, 3))):
        deed = CONSTRUCTS[name](deed, rng)
    return deed


CONSTRUCTS: dict[str, Construct] = {
    "plain": inline("@"),
    "chain": inline(
        "true && @", "@ || echo no", "cd . && @", "@ && echo ok", "test -f a.txt && @", "false || @", "echo start\n@",
        "cat b.txt; @", "git status --short; @", "cd src && cd .. && @", "# first\n@", "head -1 a.txt && @ && ls",
    ),
    "pipe": inline("cat b.txt | @", "@ | cat", "@ | tail -2", "@ 2>&1 | head -5", "seq 3 | sort -r | @", "@ |& grep -c .", "ls | @ | wc -l"),
    "subshell": compound("( @)", "(cd . && @)", "( echo a\n@)", "(@) 2>&1", "( (@) )"),
    "group": compound("{ @}", "{ echo a; @}", "{\n  @}", "{ cd .; @echo done; }", "true && { @}"),
    "for": compound(
        "for i in 1 2; do @done", "for f in *.txt; do @break; done", "for ((i = 0; i < 2; i++)); do @done",
        "for i in $(seq 2); do @done", "for w in a 'b c'\ndo\n  @done", "for i in {1..2}; do [ $i = 1 ] || continue; @done",
    ),
    "while": compound(
        "while :; do @break; done", 'until [ -n "$ok" ]; do @ok=1; done', "n=0; while [ $n -lt 2 ]; do @n=$((n + 1)); done",
        "printf 'x\\n' | while read -r l; do @done", "while true\ndo\n  @break\ndone", "while ((k++ < 1)); do @done",
    ),
    "if": compound(
        "if true; then @fi", "if [ -f a.txt ]; then @else echo no; fi", "if [[ -n x && b > a ]]; then @fi",
        "if ! grep -q zzz a.txt; then @fi", "if @then echo yes; fi", "if false; then echo no; elif true; then @fi",
        "if (( 2 > 1 )); then @fi", "if [ -d none ]\nthen\n  echo no\nelse\n  @fi",
    ),
    "case": compound(
        "case x in x) @;; esac", 'case "$PWD" in (/*) @;; *) echo no;; esac', "case a in b|c) echo no;; *) @esac",
        "case $((1 + 1)) in\n  1) echo no ;;\n  2|3)\n    @;;\nesac", "case y in [yY]*) @;; n) exit;; esac",
    ),
    "function": function, "text": text, "fed": fed, "wrapped": wrapped,
    "background": background, "substitution": substitution, "nested": nested,
}  # fmt: skip
