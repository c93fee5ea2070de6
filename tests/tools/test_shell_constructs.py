"""Shell commands inside groups, loops, conditions, functions and words; and words that only look like a change."""

import pytest

from headway.tools.shell import read_command

WRITES = [
    ("{ echo a; echo b; } > f", "write", ("f",)),
    ("{\n  echo a\n  cat b\n} >> f", "edit", ("f",)),
    ("(cd src && cat a) > f", "write", ("f",)),
    ("for x in a b; do echo $x; done > f", "write", ("f",)),
    ("for ((i = 0; i < 3; i++)); do echo $i; done >| f", "write", ("f",)),
    ("while read -r l; do echo $l; done < a > f", "write", ("f",)),
    ("until false; do echo a; break; done &> f", "write", ("f",)),
    ("if [ -f a ]; then cat a; else echo b; fi > f", "write", ("f",)),
    ("case $x in (a|b) echo a;; *) echo b;; esac > f", "write", ("f",)),
    ("if true; then { echo b; } fi > f", "write", ("f",)),
    ("{ cat; } > f <<EOF\na > b\nEOF", "write", ("f",)),
    ("for x in a b; do echo $x; done | tee f", "write", ("f",)),
    ("{ { echo a; } > f; } | cat", "write", ("f",)),
    ("time { echo a; } > f", "write", ("f",)),
    ("f() { echo a > $1; echo b > c; }; f d", "write", ("c", ".")),
    ("function f { echo a; }; f > b", "write", ("b",)),
    ("f() { echo a; } > b; f", "write", ("b",)),
    ("bash -c 'echo a' > f", "write", ("f",)),
    ("bash <<< 'echo a > f'", "write", ("f",)),
    ("bash -o pipefail -c 'echo a > f'", "write", ("f",)),
    ('echo "$(echo a > f)"', "write", ("f",)),
    ("x=`rm a`", "write", ("a",)),
    ('echo "$(case $x in a) rm b;; esac)"', "write", ("b",)),
    ("cat <<EOF\n$(rm a)\nEOF", "write", ("a",)),
    ("sort a | tee >(cat > f)", "write", ("f",)),
    ("cat a 2> f", "write", ("f",)),
    ("exec 3<> f", "edit", ("f",)),
    ("cd src; { cd lib; echo a > b; } > c; echo d > e", "write", ("src/lib/b", "src/c", "src/lib/e")),
    ("sed -i s/a/b/ x; rm y", "edit", ("x", "y")),
    ("sed -i s/a/b/ x; tar xf y.tar", "edit", ("x", ".")),
    ("for f in a b; do sed -i s/a/b/ $f; done; echo c > d", "edit", ("d", ".")),
    ("sed -i.bak s/a/b/ x", "edit", ("x", "x.bak")),
    ("truncate -s 0 f", "write", ("f",)),
    ("split -l 10 a", "write", ()),
    ("7z x a.7z", "write", ()),
    ("unzip -o a.zip -d out", "write", ()),
    ("ex -sc '1d|x' f", "edit", ("f",)),
    ("vim -es -c '1d' -c wq f", "edit", ("f",)),
    ("jq -i .a=1 f", "edit", ("f",)),
    ("mv -t src a b", "write", ("src", "a", "b")),
    ("patch -o new a x.diff", "edit", ("new",)),
    ("find a -exec mv {} b \\;", "write", ("a", "b")),
    ("find a -exec touch b \\;", "write", ("a", "b")),
    ("awk '{print > $1}' f", "write", ()),
    ("awk '{print $1 > $2 \".txt\"}' f", "write", ()),
    ("awk -v o=x '{printf \"%s\", $1 >> o}' f", "write", ()),
    ("git archive -o a.tar HEAD", "vcs", ("a.tar",)),
    ("git diff --output=a.diff", "vcs", ("a.diff",)),
    ("git worktree add ../b", "vcs", ()),
    ("curl -s https://x.org/a > a.log", "web", ("a.log",)),
    ("curl -s https://x.org/a | tee a", "web", ("a",)),
    ("ps aux > f", "poll", ("f",)),
    ("git ls-files -m | xargs rm", "write", ()),
    ("git status; mkdir a", "vcs", ("a",)),
]


@pytest.mark.parametrize(("command", "kind", "paths"), WRITES)
def test_it_changes_files(command, kind, paths):
    meaning = read_command(command)
    named = meaning.paths or ((meaning.path,) if meaning.path else ())
    assert (kind, set(paths), True, False) == (meaning.kind, set(named), meaning.changes, meaning.idle)


CHANGES_NOTHING = [
    "if [[ a > b ]]; then cat c; fi",
    "[[ a > b && c > d || ( e < f ) ]]",
    "(( a > b )) && ls",
    "while (( n-- > 3 )); do cat a; done",
    "for ((i = 9; i > j; i--)); do cat a; done",
    "x=$((a > b)); echo $((1 > 2)) $(( (4 << 2) > 3 ))",
    "echo ${x#*>} ${y//a/>}",
    "files=(a b 'c > d'); ls ${files[@]}",
    "declare -A m=([a]=b); echo ${m[a]}",
    "case $x in a) ls;; b|c) cat d;; esac",
    "case $x in\n  (a|rm)\n    ls ;;\nesac",
    "f() { cat a; }; f",
    "f() { rm -rf a; }",
    'show() { sed -n "$1p" a; }\nshow 1; show 2',
    'echo "$(grep "a > b" "c d")"',
    "echo $'it\\'s > a'",
    "diff <(sort a) <(sort b) | head",
    "grep -c x <(cat a) b",
    "{ git status; git diff; } 2>&1 | head > /dev/null",
    "for f in *.py; do wc -l $f; done | sort -n",
    "cat <<'EOF'\n$(rm a) > b\nEOF",
    "bash -c 'cat a' 2> /dev/null",
    "find . -name a -exec sh -c 'cat $1' _ {} \\;",
    "exec 3< a; read -r x <&3; exec 3<&-",
    "awk '{print ($1 > 3)}' a",
    "awk '$1 > 3 || /a|b/ {print $2}' a",
    "awk '{print > \"/dev/stderr\"}' a",
    "awk '{print $1 | \"sort -u\"}' a",
    "cat a | tee >(wc -l)",
    "gunzip -c a.gz",
    "gzip -dc a.gz | head",
    "unzip -l a.zip",
    "7z l a.7z",
    "tar -C b -tzf a.tgz",
    "sudo -nu root cat a",
    "git worktree list",
    "patch --dry-run -p1 -i a.diff",
    "mapfile -t lines < a; echo ${#lines[*]}",
]


@pytest.mark.parametrize("command", CHANGES_NOTHING)
def test_it_changes_nothing(command):
    meaning = read_command(command)
    assert not (meaning.changes or meaning.may_change_anything)


TESTS = [
    "hatch run test", "uv run test", "poetry run test:unit", "pdm run tests", "ruby -Itest t.rb", "python -mpytest -q", "python3 -Bm pytest",
    "/usr/bin/time pytest", "/usr/bin/env FOO=1 pytest", "node test.js", "{ pytest -q; } > log.txt", "for i in 1 2; do pytest -q; done | tail",
    "if make; then pytest; fi", 'echo "$(pytest -q | tail -1)"', "t() { pytest -q \"$@\"; }; t -x",
]  # fmt: skip


@pytest.mark.parametrize("command", TESTS)
def test_it_tests(command):
    assert ("test", False) == (read_command(command).kind, read_command(command).changes)


def test_a_test_does_not_hide_what_else_is_run():
    assert read_command("npm install x && npm test").may_change
    assert not read_command("cd a && npm test").may_change


def test_a_wait_does_not_hide_what_is_run():
    assert read_command("for i in 1 2; do python build.py & done; wait").may_change
    assert read_command('echo "$(for i in 1; do ssh-keygen -f key & done; wait)"').may_change


def test_a_script_that_is_sourced_is_no_file_that_is_looked_at():
    assert ("run", None) == (read_command(". env.sh; cat a").kind, read_command("source env.sh").path)


def test_what_a_task_is_called_does_not_outrank_a_program():
    assert ("build", "run") == (read_command("uv run ruff check").kind, read_command("uv run tools/test/make.py").kind)


@pytest.mark.parametrize(
    "line", ["{ " * 900, "f() { f; f; }; f", "( " * 900 + "cat a", "case x in " * 300, 'x="$(' * 500, "a=(" * 900]
)
def test_lines_without_an_end_are_read_all_the_same(line):
    assert read_command(line).kind


def test_the_names_of_many_changed_files_stand_for_others_too():
    assert "." == read_command("rm " + " ".join(f"f{i}" for i in range(100))).paths[-1]
