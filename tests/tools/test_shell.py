"""What shell commands do."""

import pytest

from headway.tools.meaning import END
from headway.tools.shell import agent_commands, program, read_command

READS = [
    ("cat a.py", "a.py", None),
    ("cat ./src//a.py", "src/a.py", None),
    ("less README.md", "README.md", None),
    ("nl -ba src/a.ts", "src/a.ts", None),
    ("sed -n '10,20p' f.py", "f.py", (10, 20)),
    ("sed -n 10,20p f.py", "f.py", (10, 20)),
    ('sed -n "5,+3p" f.py', "f.py", (5, 8)),
    ("sed -n '100,$p' f.py", "f.py", (100, END)),
    ("sed -n '1,$p' f.py", "f.py", None),
    ("sed -n '7p' f.py", "f.py", (7, 7)),
    ("sed -n -e '3,4p' f.py", "f.py", (3, 4)),
    ("sed '10,20!d' f.py", "f.py", (10, 20)),
    ("sed 30q f.py", "f.py", (1, 30)),
    ("sed 's/a/b/' f.py", "f.py", None),
    ("head f.py", "f.py", (1, 10)),
    ("head -50 f.py", "f.py", (1, 50)),
    ("head -n 50 f.py", "f.py", (1, 50)),
    ("head -n50 f.py", "f.py", (1, 50)),
    ("head --lines=50 f.py", "f.py", (1, 50)),
    ("head -c 100 f.py", "f.py", None),
    ("tail -20 f.py", "f.py", (END - 19, END)),
    ("tail -n +40 f.py", "f.py", (40, END)),
    ("awk 'NR>=10 && NR<=20' f.py", "f.py", (10, 20)),
    ("awk 'NR>10&&NR<20 {print}' f.py", "f.py", (11, 19)),
    ("awk 'NR==10,NR==20' f.py", "f.py", (10, 20)),
    ("cat f.py | sed -n '10,20p'", "f.py", (10, 20)),
    ("cat -n f.py | head -5", "f.py", (1, 5)),
    ("head -n 100 f.py | tail -n 20", "f.py", (81, 100)),
    ("sed -n '10,50p' f.py | head -5", "f.py", (10, 14)),
    ("nl -ba f.py | sed -n '5,9p'", "f.py", (5, 9)),
    ("awk '/a/,/b/' f.py | head -40", "f.py", None),
    ("cd src && cat a.py", "src/a.py", None),
    ("cd /w/src; cd ..; cat a.py", "/w/a.py", None),
    ("pushd src && ls; popd; cat a.py", "a.py", None),
    ("cd -; cat a.py", "a.py", None),
    ("cd - && cd src && cat a.py", "src/a.py", None),
    ("(cd a && ls); cat b.py", "b.py", None),
    ("bash -lc 'cd x && cat y.py'", "x/y.py", None),
    ("if [ -f x ]; then cat x; else echo no; fi", "x", None),
    ("cat f.py  # what is in it?", "f.py", None),
    ("cat \\\n  f.py", "f.py", None),
    ("cat 'a b.py'", "a b.py", None),
    ("cat a\\ b.py", "a b.py", None),
    ("cat 'unbalanced", "unbalanced", None),
    ("cat f.py 2>/dev/null || true", "f.py", None),
    ("jq '.a > 1' data.json", "data.json", None),
    ("sort names.txt | uniq -c", "names.txt", None),
    ("sort -o /dev/stdout names.txt", "names.txt", None),
    ("uniq -f 1 names.txt", "names.txt", None),
    ("yq -o json .a c.yaml", "c.yaml", None),
    ("sed 's/a/ w b/' f.py", "f.py", None),
    ("awk '$1 > \"a\"' f.py", "f.py", None),
    ("open src/a.py 120", "src/a.py", (105, 204)),
    ("str_replace_editor view /a/b.py --view_range 10 20", "/a/b.py", (10, 20)),
]


@pytest.mark.parametrize(("command", "path", "lines"), READS)
def test_reading(command, path, lines):
    meaning = read_command(command)
    assert ("read", path, lines) == (meaning.kind, meaning.path, meaning.lines)
    assert not meaning.changes


SEARCHES = [
    ("grep foo f.py", "f.py", "foo"),
    ('grep -rn "foo bar" src/', "src", "foo bar"),
    ("grep -rnA3 foo src", "src", "foo"),
    ("grep -A 3 -B 2 foo f.py", "f.py", "foo"),
    ("grep -e foo f.py", "f.py", "foo"),
    ("grep --include='*.py' -r foo .", ".", "foo"),
    ("grep -n 'a -> b > c' f.py", "f.py", "a -> b > c"),
    ("egrep 'a|b' f.py", "f.py", "a|b"),
    ("rg foo", None, "foo"),
    ("rg -n foo src -g '*.ts' | head -20", "src", "foo"),
    ("cd src && rg foo", "src", "foo"),
    ("rg --files | rg test", None, "test"),
    ("rg --files -g '*.py' src", "src", "*.py"),
    ("ag foo lib", "lib", "foo"),
    ("git grep -n foo -- src", "src", "foo"),
    ("find . -name '*.py'", ".", "*.py"),
    ("find src -type f -iname 'a*' | wc -l", "src", "a*"),
    ("find . -name '*.py' -exec grep -l foo {} +", ".", "foo"),
    ("find src -name '*.py' | xargs grep -n foo", "src", "foo"),
    ("find . -name '*.py' | grep util", ".", "*.py | util"),
    ("fd conf src", "src", "conf"),
    ("fd conf src -x wc -l", "src", "conf"),
    ("fd -e py . src -X grep foo", "src", "foo"),
    ("sg -p 'f($A)' src", "src", "f($A)"),
    ("cat f.py | grep foo", "f.py", "foo"),
    ("ls src | grep foo", "src", "foo"),
    ("sed -n '/foo/p' f.py", "f.py", "foo"),
    ("awk '/foo/' f.py", "f.py", "foo"),
    ("which java", None, "java"),
    ("command -v node", None, "node"),
    ('search_dir "x y" src', "src", "x y"),
    ("search_file foo a.py", "a.py", "foo"),
    ("find_file a.py", None, "a.py"),
]


@pytest.mark.parametrize(("command", "path", "query"), SEARCHES)
def test_searching(command, path, query):
    meaning = read_command(command)
    assert ("search", path, query) == (meaning.kind, meaning.path, meaning.query)


LISTS = [
    ("ls", None),
    ("ls -la src | head", "src"),
    ("cd src && ls", "src"),
    ("tree -L 2 src", "src"),
    ("du -sh src", "src"),
    ("find . -maxdepth 2 -type f", "."),
    ("rg --files src", "src"),
    ("wc -l f.py", "f.py"),
    ("git ls-files", None),
    ("tar tzf a.tgz", "a.tgz"),
    ("pwd && ls /w", "/w"),
]


@pytest.mark.parametrize(("command", "path"), LISTS)
def test_listing(command, path):
    meaning = read_command(command)
    assert ("list", path) == (meaning.kind, meaning.path)


TESTS = [
    "pytest",
    "pytest -q 2>&1 | tail -20",
    "python -m pytest tests/test_a.py::test_b -x",
    "python3 -m unittest discover",
    "python3.11 -m pytest",
    ".venv/bin/pytest -q",
    "/usr/bin/python3 -m pytest",
    "FOO=1 BAR=2 pytest -k 'a or b'",
    "sudo timeout 60 nice -n 5 pytest -q",
    "env FOO=1 pytest",
    "time -p pytest",
    "uv run --with x pytest",
    "poetry run python -m pytest",
    "coverage run -m pytest",
    "tox -e py311",
    "nox -s tests",
    "npm test",
    "npm t",
    "npm run test",
    "npm run test:unit -- --watch=false",
    "npm --prefix app test",
    "yarn test",
    "pnpm --filter app test",
    "bun test",
    "npx jest foo",
    "npx vitest run src/a.test.ts",
    "npx mocha",
    "npx playwright test",
    "node --test",
    "deno test",
    "go test ./...",
    "cargo test -- --nocapture",
    "cargo nextest run",
    "mvn -q test -Dtest=X",
    "./mvnw verify",
    "gradle test",
    "./gradlew :core:test --tests X",
    "make test",
    "make check",
    "make -C build check",
    "ctest --output-on-failure",
    "bundle exec rspec",
    "vendor/bin/phpunit tests",
    "python manage.py test app",
    "./manage.py test",
    "./runtests.py auth",
    "python tests/runtests.py",
    "./run_tests.sh",
    "bash run-tests.sh",
    "dotnet test",
    "mix test",
    "bazel test //...",
    "docker exec -it box pytest -q",
    "docker compose exec web pytest",
    "mkdir -p out && pytest",
    "cd app && pytest && git status",
    "pytest | tee log.txt",
    "pytest -q > out.txt 2>&1; tail out.txt",
    "OUT=$(pytest -q); echo $OUT",
    "git stash list && pytest",
    "pytest && cat report.txt",
    "pytest -n 4 -l",
    "ctest -V",
]


@pytest.mark.parametrize("command", TESTS)
def test_testing(command):
    meaning = read_command(command)
    assert ("test", False) == (meaning.kind, meaning.changes)


BUILDS = [
    "make",
    "make -j4 all",
    "time make",
    "npm run build",
    "npm run check 2>&1 | grep error | head",
    "yarn lint",
    "npx tsc --noEmit",
    "tsc > /dev/null",
    "cargo build --release",
    "cargo check",
    "cargo clippy",
    "go build ./...",
    "go vet ./...",
    "mvn -q compile",
    "mvn clean package -DskipTests",
    "./gradlew assemble",
    "cmake --build build",
    "javac -cp .:lib/* Foo.java",
    "gcc -o a a.c",
    "python -m mypy src",
    "ruff check .",
    "eslint src",
    "docker build -t x .",
    "python setup.py build",
    "mkdir -p build && cd build && cmake .. && make",
]


@pytest.mark.parametrize("command", BUILDS)
def test_building(command):
    meaning = read_command(command)
    assert ("build", False) == (meaning.kind, meaning.changes)


WRITES = [
    ("echo hi > f.txt", "write", "f.txt"),
    ("echo hi >> f.txt", "edit", "f.txt"),
    ("printf 'a\\nb' >f.txt", "write", "f.txt"),
    ("cat > f.py <<'EOF'\nif a > b:\n  print('x')\nEOF", "write", "f.py"),
    ("cat <<EOF > f.py\nx\nEOF\npython f.py", "write", "f.py"),
    ("cat <<-EOF >> f.py\n\tx\n\tEOF", "edit", "f.py"),
    ("cat <<EOF > f.py\nunfinished", "write", "f.py"),
    ("cd src && echo x > a.py", "write", "src/a.py"),
    ("> empty.txt", "write", "empty.txt"),
    ("echo x | tee f", "write", "f"),
    ("echo x | tee -a f", "edit", "f"),
    ("echo x | sudo tee /etc/hosts > /dev/null", "write", "/etc/hosts"),
    ("sed -i 's/a/b/' f.py", "edit", "f.py"),
    ("sed -i.bak -e 's/a/b/' f.py", "edit", "f.py"),
    ("sed -i '' 's/a/b/' f.py", "edit", "f.py"),
    ("perl -pi -e 's/a/b/' f.py", "edit", "f.py"),
    ("find . -name '*.py' -exec sed -i 's/a/b/' {} \\;", "edit", "."),
    ("grep -rl a src | xargs sed -i 's/a/b/'", "edit", "src"),
    ("patch -p1 < x.diff", "edit", None),
    ("patch f.py x.diff", "edit", "f.py"),
    ("apply_patch <<'P'\n*** Begin Patch\n*** Update File: a/b.ts\n@@\n-x\n+y\n*** End Patch\nP", "edit", "a/b.ts"),
    ("dd if=/dev/zero of=x.bin bs=1", "write", "x.bin"),
    ("git diff > my.patch", "write", "my.patch"),
    ("git show HEAD:a.py > a.py && pytest", "write", "a.py"),
    ("grep x f | sort > out.txt", "write", "out.txt"),
    ("rm -rf build", "write", "build"),
    ("cp a.py b.py", "write", "b.py"),
    ("mkdir -p src/x", "write", "src/x"),
    ("touch a.py && ls", "write", "a.py"),
    ("chmod +x run.sh", "write", "run.sh"),
    ("find . -name '*.pyc' -delete", "write", "."),
    ("tar xzf a.tgz", "write", None),
    ("edit 12:15\nfoo > bar\nend_of_edit", "edit", None),
    ("create a.py", "write", "a.py"),
    ("str_replace_editor create /a.py --file_text 'x > y'", "write", "/a.py"),
    ("awk -i inplace '{gsub(/a/, \"b\")}1' f.py", "edit", "f.py"),
    ("gawk -iinplace -v INPLACE_SUFFIX=.bak '{print}' f.py", "edit", "f.py"),
    ("awk '{print > \"out\"}' f", "write", None),
    ("sed -n 's/a/b/gw out' f", "write", "out"),
    ("sed -n '/a/w out' f", "write", "out"),
    ("yq -i '.a = 1' c.yaml", "edit", "c.yaml"),
    ("yq eval --inplace '.a = 1' c.yaml", "edit", "c.yaml"),
    ("sort -o f f", "write", "f"),
    ("cat a | sort --output=f", "write", "f"),
    ("uniq a b", "write", "b"),
    ("xxd -r a b", "write", "b"),
    ("iconv -f latin1 -o out in", "write", "out"),
    ("python -m json.tool a.json b.json", "write", "b.json"),
    ("ast-grep run -p 'f($A)' -r 'g($A)' -U src", "edit", "src"),
    ("sg -p x -r y --update-all src", "edit", "src"),
    ("comby 'a' 'b' f.py -i", "edit", "f.py"),
    ("semgrep --config auto --autofix src", "edit", "src"),
    ("fd x src -x sed -i 's/a/b/' {}", "edit", "src"),
    ("find . -fprint out", "write", "out"),
    ("find . -name x -exec perl -pi -e 's/a/b/' {} +", "edit", "."),
    ("find . -name x -exec grep -q a {} \\; -exec sed -i s/a/b/ {} \\;", "edit", "."),
]


@pytest.mark.parametrize(("command", "kind", "path"), WRITES)
def test_writing(command, kind, path):
    meaning = read_command(command)
    assert (kind, path, True) == (meaning.kind, meaning.path, meaning.changes)


GIT = [
    ("git status", False),
    ("git diff HEAD~1 | head -50", False),
    ("git log --oneline -5", False),
    ("git show HEAD", False),
    ("git add -A && git commit -m 'x > y'", False),
    ('git commit -m "$(cat <<\'EOF\'\nFix "a" > b; rm -rf c\nEOF\n)" && git push', False),
    ("git branch -a", False),
    ("git checkout -b new", False),
    ("git stash list", False),
    ("git restore --staged a.py", False),
    ("git reset HEAD a.py", False),
    ("git clean -n", False),
    ("git apply --check x.patch", False),
    ("git checkout -- a.py", True),
    ("git checkout main", True),
    ("git restore a.py", True),
    ("git reset --hard HEAD~1", True),
    ("git stash", True),
    ("git stash pop", True),
    ("git apply x.patch", True),
    ("git -C repo pull", True),
    ("git merge main", True),
    ("git rebase main", True),
    ("git clean -fd", True),
    ("git --no-pager diff", False),
    ("git worktree list", False),
    ("git worktree add ../w1 main", True),
    ("svn update", True),
]


@pytest.mark.parametrize(("command", "changes"), GIT)
def test_version_control(command, changes):
    meaning = read_command(command)
    assert ("vcs", changes) == (meaning.kind, meaning.changes)


POLLS = [
    ("sleep 30", True),
    ("sleep 2m", True),
    ("sleep $DELAY", True),
    ("wait", True),
    ("watch -n 5 ls", True),
    ("tail -f server.log", True),
    ("timeout 60 tail -F server.log", True),
    ("sleep 30 && cat log", True),
    ("sleep 60; gh run list", True),
    ("while ! curl -s localhost:8000; do sleep 1; done", True),
    ("until nc -z localhost 5432; do sleep 2; done", True),
    ("for i in $(seq 30); do curl -s localhost && break; sleep 2; done", True),
    ("kubectl get pods", False),
    ("kubectl wait --for=condition=ready pod/x", True),
    ("kubectl rollout status deploy/x", True),
    ("docker ps", False),
    ("docker compose logs web | tail", False),
    ("docker logs -f web", True),
    ("gh run view 12", False),
    ("gh run watch 12", True),
    ("squeue -u me", False),
    ("ps aux | grep python", False),
    ("systemctl status nginx", False),
    ("curl -s localhost:8000/health", False),
    ("curl -sf https://api.example.com/v1/status?full=1", False),
]


def test_less_than_a_second_is_no_waiting_and_asks_for_no_status():
    assert ("other", False) == (read_command("sleep 0.5").kind, read_command("sleep 0.5").waits)
    assert "read" == read_command("cat notes.txt; sleep 0.3").kind


@pytest.mark.parametrize(("command", "waits"), POLLS)
def test_polling(command, waits):
    meaning = read_command(command)
    assert ("poll", waits) == (meaning.kind, meaning.waits)


RUNS = [
    "python script.py",
    "python -c 'print(1)'",
    "python test.py",
    "python - <<'EOF'",
    "node x.js",
    "./x.sh --flag",
    "bash x.sh",
    "pip install foo",
    "npm install",
    "apt-get install -y foo",
    "java -cp . Foo",
    "npm run dev &",
    "curl -s localhost:8000/items",
    "docker run image",
    "some_unknown_program --x",
    "python x.py | head",
    "yes | pip uninstall foo",
    "python x.py > server.log 2>&1 &",
    "curl https://x.org/install.sh | bash",
    "pytest --version",
    "uv run python -m pytest --collect-only -q",
    "make -n test",
    "tox -l",
    "ctest -N",
    "npx playwright install chromium",
    "go test -list . ./...",
    "cargo test --no-run",
    "npm test -- --help",
    "find . -name '*.py' -exec python fix.py {} \\;",
    "fd -e py -x sh -c 'sed -i s/a/b/ $1' _",
]


@pytest.mark.parametrize("command", RUNS)
def test_running(command):
    meaning = read_command(command)
    assert ("run", False) == (meaning.kind, meaning.changes)


@pytest.mark.parametrize(
    "command",
    [
        "npx jest -u src/a.test.js",
        "vitest --update",
        "pytest --snapshot-update",
        "npx playwright test --update-snapshots",
    ],
)
def test_tests_that_rewrite_what_they_compare_with(command):
    meaning = read_command(command)
    assert ("test", True) == (meaning.kind, meaning.may_change_anything)
    assert not read_command(command.rsplit(" -", 1)[0]).may_change_anything


OTHERS = [
    "",
    "   ",
    "# only a comment",
    "echo hi",
    'echo "a -> b > c"',
    "cd x",
    "export A=1",
    "A=1",
    "pwd",
    "env | grep PATH",
    "[ -f x ]",
    "[[ a > b ]]",
]


@pytest.mark.parametrize("command", OTHERS)
def test_nothing_much(command):
    meaning = read_command(command)
    assert ("other", None, False) == (meaning.kind, meaning.path, meaning.changes)


WEB = [
    ("curl https://x.org/a", "https://x.org/a", False),
    ("curl -s -H 'A: b' https://x.org/a | jq .", "https://x.org/a", False),
    ("curl -o f https://x.org/a", "https://x.org/a", True),
    ("curl -s https://x.org/a > page.html", "https://x.org/a", True),
    ("wget https://x.org/a.tgz", "https://x.org/a.tgz", True),
    ("wget -qO- https://x.org/a", "https://x.org/a", False),
]


@pytest.mark.parametrize(("command", "address", "changes"), WEB)
def test_web(command, address, changes):
    meaning = read_command(command)
    assert ("web", address, changes) == (meaning.kind, meaning.query, meaning.changes)


@pytest.mark.parametrize(
    "command",
    [
        "curl -X POST https://a.example/x", "curl -sXDELETE https://a.example/x", "curl -d a=1 https://a.example/x",
        "curl --request PUT https://a.example/x", "curl --json '{}' https://a.example/x", "http POST a.example/x a=1",
        "wget --post-data=a=1 https://a.example/x", "wget --method=DELETE https://a.example/x",
        "curl -X POST localhost:8000/health", "kill 12", "kill -HUP 12; cat log", "pkill -f server", "export A=1",
        "export A=1; export B=2", "unset A", "ulimit -n 12", "docker restart web", "docker compose up -d", "kubectl delete pod web-0",
    ],
)  # fmt: skip
def test_what_acts_on_a_service_a_process_or_the_shell(command):
    assert read_command(command).acts


@pytest.mark.parametrize(
    "command",
    [
        "curl https://a.example/POST", "curl -G -d a=1 https://a.example/x", "curl -X GET https://a.example/x",
        "kubectl get pods", "docker logs web", "export A=1; cat a.py", "set -e; pytest -q", "echo kill", "git log",
    ],
)  # fmt: skip
def test_what_only_looks_or_prepares_its_own_line(command):
    assert not read_command(command).acts


def test_several_files_are_all_named():
    assert ("a.py", "b.py", "c.py") == read_command("cat a.py b.py c.py").paths
    assert ("a.py", "b.py") == read_command("cat a.py; cat b.py").paths
    assert ("b", "a") == read_command("mv a b").paths


def test_files_read_in_different_ranges_are_not_mixed():
    """A range belongs to one file; a second file with another range would get the wrong one."""
    meaning = read_command("sed -n 1,5p a.py; sed -n 7,9p b.py")
    assert ("a.py", (), (1, 5)) == (meaning.path, meaning.paths, meaning.lines)


def test_the_names_of_files_are_bounded():
    meaning = read_command("cat " + " ".join(f"f{i}" for i in range(100)))
    assert 20 == len(meaning.paths)


def test_a_chain_changes_files_when_any_part_does():
    """The strongest part names the chain, but a checkout before a test still changes files."""
    meaning = read_command("git checkout -- a.py && pytest")
    assert ("test", "a.py", True) == (meaning.kind, meaning.path, meaning.changes)


def test_a_chain_waits_when_any_part_does():
    meaning = read_command("sleep 5 && pytest")
    assert ("test", True) == (meaning.kind, meaning.waits)


def test_a_chain_may_change_files_and_run_something_as_well():
    assert all(read_command(command).runs for command in ("sed -i s/a/b/ x && pytest", "cat > x <<E\ny\nE\npython x"))
    assert not any(read_command(command).runs for command in ("sed -i s/a/b/ x", "cd x && pytest", "touch x && pytest"))


def test_output_kept_in_a_file_changes_that_file():
    meaning = read_command("python gen.py > data.json")
    assert ("run", "data.json", True) == (meaning.kind, meaning.path, meaning.changes)


def test_code_that_writes_changes_files():
    meaning = read_command("python3 - <<'EOF'\nfrom pathlib import Path\nPath('a.py').write_text('x')\nEOF")
    assert ("run", "a.py", True) == (meaning.kind, meaning.path, meaning.changes)
    assert read_command("python -c \"open('x', 'w').write('y')\"").changes
    assert not read_command("python -c \"print(open('x').read())\"").changes


def test_code_that_sleeps_waits():
    assert read_command("python -c 'import time; time.sleep(5)'").waits
    assert not read_command("python -c 'import time; time.sleep(0.1)'").waits


def test_searches_inside_searches_are_not_followed_for_ever():
    assert "run" == read_command("find . -exec sudo find . " * 150).kind


def test_formatters_change_files_unless_told_only_to_check():
    assert read_command("black .").changes
    assert not read_command("black --check .").changes
    assert read_command("ruff check --fix .").changes
    assert read_command("npx prettier --write src").changes


def test_the_command_is_evened_out_and_clipped():
    assert "cat a.py b.py" == read_command("  cat   a.py\n\t b.py ").command
    assert 500 == len(read_command("echo " + "x" * 5_000).command or "")


def test_paths_are_seen_from_the_folder_the_command_runs_in():
    assert "/w/src/a.py" == read_command("cat src/a.py", "/w").path
    assert "/b.py" == read_command("cat /b.py", "/w").path
    assert "/w" == read_command("rg foo", "/w").path


ELSEWHERE = [
    ("ssh host cat /etc/hosts", "read", False),
    ("ssh host 'cd /x && sed -n 1,5p y'", "read", False),
    ("ssh host 'ls /x'", "list", False),
    ("ssh host <<EOF\ncat f\nEOF", "run", False),
    ("ssh host 'sed -i s/a/b/ f'", "edit", True),
    ("ssh host docker logs x", "poll", False),
    ("ssh host docker exec box cat f", "read", False),
    ("sudo docker exec -it box cat f", "read", False),
    ("docker exec box grep -rn foo /src", "search", False),
    ("docker exec -i box bash <<EOF\ncat f\nEOF", "read", False),
    ("docker compose exec web bash -lc 'cd /app && pytest'", "test", False),
    ("kubectl exec pod -- cat /etc/hosts", "read", False),
]


@pytest.mark.parametrize(("command", "kind", "changes"), ELSEWHERE)
def test_a_command_on_another_machine_has_no_file_of_this_one(command, kind, changes):
    meaning = read_command(command, "/w")
    assert (kind, None, (), None, changes) == (
        meaning.kind, meaning.path, meaning.paths, meaning.lines, meaning.changes
    )  # fmt: skip
    assert "/w/f" == read_command("ssh host cat f > f", "/w").path


def test_machines_behind_machines_are_not_followed_for_ever():
    assert "run" == read_command("ssh a eval " * 300).kind


def test_the_text_of_a_here_document_is_not_read_as_commands():
    """Heredoc bodies are data, wherever the line goes on afterwards."""
    text = "cat > a.txt <<'EOF'\nrm -rf /\ngit push\nEOF\nls"
    meaning = read_command(text)
    assert ("write", "a.txt", ()) == (meaning.kind, meaning.path, meaning.paths)


def test_what_follows_a_long_here_document_is_still_seen():
    meaning = read_command("python - <<'EOF'\n" + "x = 1\n" * 50_000 + "EOF\npytest -q")
    assert "test" == meaning.kind


def test_arithmetic_is_not_a_redirection():
    assert not read_command("((a > 5)) && echo $((1 << 3))").changes


def test_claude_on_the_command_line_is_delegation():
    assert "delegate" == read_command('claude -p "fix it"').kind


def test_the_commands_of_agents_own_shells_are_read_by_the_file_that_is_loaded_for_them():
    assert {*program._AGENT_COMMANDS} == {*agent_commands._READERS}


@pytest.mark.parametrize(
    ("command", "begins", "leaves"),
    [
        ("pytest", None, None),
        ("cd /x && pytest", "/x", "/x"),
        ("make; cd sub", None, "sub"),
        ("cd sub && make && cd ..", "sub", None),
        ("cd a && cd b", "a", "a/b"),
        ("cd", "~", "~"),
        ("cd -", "-", "-"),
        ("popd", "-", "-"),
        ("pushd a && make && popd", "a", None),
        ("if [ -d a ]; then cd a; fi", None, "a"),
        ("test -d a && { cd a; make; }", None, "a"),
        ("Set-Location -Path a", "a", "a"),
        ("(cd a && make)", None, None),
        ("bash -c 'cd a && make'", None, None),
        ("git commit -m 'cd a'", None, None),
    ],
)
def test_where_a_command_begins_and_where_it_leaves_the_shell(command, begins, leaves):
    meaning = read_command(command)
    assert (begins, leaves) == (meaning.begins_in, meaning.leaves_in)


def test_a_call_that_names_its_folder_leaves_no_shell_elsewhere():
    meaning = read_command("cd sub && make", "/x")
    assert ("/x/sub", None) == (meaning.begins_in, meaning.leaves_in)


JUMPS = (
    "git checkout v1.2", "git checkout -q 3f2a91c", "git checkout main", "git switch release/2.0", "git bisect bad",
    "git bisect reset", "git reset --hard HEAD~3", "git checkout -q v1.28 && pytest -q", "cd a && git checkout HEAD~1",
)  # fmt: skip
KEEPS = (
    "git checkout cart.py", "git checkout -- cart", "git checkout .", "git checkout src/", "git checkout -b fix", "git switch -c fix",
    "git bisect log", "git reset --hard", "git reset HEAD~1", "git stash", "git status", "git checkout HEAD src/cart.py",
)  # fmt: skip


@pytest.mark.parametrize("command", JUMPS)
def test_a_command_that_goes_to_another_commit(command):
    assert read_command(command).jumps


@pytest.mark.parametrize("command", KEEPS)
def test_a_command_that_stays_at_its_commit(command):
    assert not read_command(command).jumps


@pytest.mark.parametrize("command", ["read -t 30", "read -rt 5 x", "timeout /t 30 /nobreak", "timeout 30"])
def test_commands_that_only_wait(command):
    assert ("poll", True) == (read_command(command).kind, read_command(command).waits)


@pytest.mark.parametrize(
    "command", ["read x", "read -t 0", "while read -r line; do echo $line; done < a", "timeout 30 make"]
)
def test_commands_that_look_like_waiting(command):
    assert not read_command(command).waits


def test_of_a_command_that_was_cut_off_nobody_knows_that_it_does_nothing():
    assert read_command("printf 'f=1; print(f)\\n'").idle and read_command('echo "it\'s done"').idle
    assert not read_command("printf 'f=open(\"src/generators").idle
    assert not read_command('cd a && echo "half of it').idle
