"""Ignored files stay the user's, whatever an agent does to the ignore rules."""

import stat

import pytest

from headway.snapshots import Repository, changes, claim, export, forget, list_snapshots, restore, take
from tests.slow import slow
from tests.snapshots.projects import commit_all, found, git, lines, plain, project, write

RULES = b".env\nnode_modules/\n*.sqlite\n"
IGNORED = {".env": b"SECRET=1\n", "node_modules/m.js": b"m\n", "dev.sqlite": b"rows\n"}


@pytest.fixture(params=["git", *slow("plain")])
def folder(request, tmp_path):
    """A project with files that its user ignores."""
    made = (project if request.param == "git" else plain)(tmp_path / "p", {".gitignore": RULES, "code.py": b"x = 1\n"})
    write(made, IGNORED)
    (made / ".env").chmod(0o600)
    return made


def test_rewritten_ignore_rules_add_no_file_and_a_rollback_removes_none(folder, tmp_path):
    first = take(folder, "loop/0", "m", first=True)
    write(folder, {".gitignore": b"dist/\n", "code.py": b"broken\n", "node_modules/later.js": b"l\n"})
    bad = take(folder, "loop/1", "m", like=first)

    export(bad, tmp_path / "out")
    restored = restore(folder, first, "kept")

    assert {".gitignore", "code.py"} == set(found(tmp_path / "out"))
    assert {".gitignore", "code.py"} == {file.path for file in changes(first, bad).files}
    assert ((".gitignore", "code.py"), ()) == (tuple(sorted(restored.written)), restored.removed)
    assert IGNORED | {"node_modules/later.js": b"l\n"} == {
        name: content for name, (_, content) in found(folder).items() if name not in (".gitignore", "code.py")
    }
    assert 0o600 == stat.S_IMODE((folder / ".env").stat().st_mode)

    restore(folder, bad, "kept")
    assert {**IGNORED, "code.py": b"broken\n"}.items() <= {name: one[1] for name, one in found(folder).items()}.items()


def test_a_file_that_was_forced_into_the_index_is_still_ignored(tmp_path):
    folder = project(tmp_path / "p", {".gitignore": RULES, "a": b"a\n"})
    write(folder, IGNORED)
    first = take(folder, "loop/0", "m", first=True)
    git(folder, "add", "-f", ".env")
    git(folder, "commit", "-q", "-m", "oops")

    second = take(folder, "loop/1", "m", like=first)
    restore(folder, first, "kept")

    assert first.tree == second.tree
    assert b"SECRET=1\n" == (folder / ".env").read_bytes()


def test_a_file_that_a_new_rule_hides_stays_in_all_snapshots(folder):
    write(folder, {"mine.txt": b"an hour of work\n"})
    first = take(folder, "loop/0", "m", first=True)
    write(folder, {".gitignore": RULES + b"mine.txt\n", "code.py": b"better\n"})
    second = take(folder, "loop/1", "m", like=first)
    restore(folder, first, "kept")
    restore(folder, second, "kept")

    assert {".gitignore", "code.py"} == {file.path for file in changes(first, second).files}
    assert b"an hour of work\n" == (folder / "mine.txt").read_bytes()


def test_a_file_removed_only_from_the_index_stays_in_all_snapshots(tmp_path):
    folder = project(tmp_path / "p", {"config": b"c\n", "a": b"a\n"})
    write(folder, {".gitignore": b"config\n"})
    first = take(folder, "loop/0", "m", first=True)
    git(folder, "rm", "-q", "--cached", "config")

    assert first.tree == take(folder, "loop/1", "m", like=first).tree


HIDING = {
    "a rule of the project": {".gitignore": RULES + b"conftest.py\n"},
    "a rule that hides itself": {"tests/.gitignore": b"*\n"},
    "a rule in a new folder": {"new/.gitignore": b"*.py\n"},
    "a rule in git's own folder": {".git/info/exclude": b"conftest.py\n"},
}


@pytest.mark.parametrize("rules", HIDING.values(), ids=HIDING)
def test_a_new_file_that_only_a_newer_rule_ignores_belongs_to_the_round(tmp_path, rules):
    folder = project(tmp_path / "p", {".gitignore": RULES, "tests/test_a.py": b"t\n"})
    (folder / ".git" / "info").mkdir(exist_ok=True)
    new = {"conftest.py": b"cheat\n", "tests/conftest.py": b"cheat\n", "new/conftest.py": b"cheat\n"}
    first = take(folder, "loop/0", "m", first=True)
    write(folder, {**rules, **new, ".env": b"later\n"})
    second = take(folder, "loop/1", "m", like=first)

    kept = {name for name in rules if not name.startswith(".git/")}
    assert {*new, *kept} == {file.path for file in changes(first, second).files}
    restore(folder, first, "kept")
    assert {".gitignore", "tests/test_a.py", ".env"} == set(found(folder))


def test_a_new_folder_that_ignores_itself_is_not_saved(folder):
    """The cache of a test runner, or an environment, contains its own rule."""
    first = take(folder, "loop/0", "m", first=True)
    caches = {".pytest_cache/.gitignore": b"# Created by pytest automatically.\n*\n", ".pytest_cache/v/c": b"v\n"}
    write(folder, {**caches, "new.py": b"n\n"})
    assert ["new.py"] == [file.path for file in changes(first, take(folder, "loop/1", "m", like=first)).files]

    write(folder, {".pytest_cache/.gitignore": b""})  # it no longer does, and not a name has changed
    second = take(folder, "loop/2", "m", like=first)
    assert {*caches, "new.py"} == {file.path for file in changes(first, second).files}


def test_installed_and_ignored_packages_are_not_saved(folder):
    """A new rule hides no test, but the thousands of files of a package manager must not be in a round."""
    first = take(folder, "loop/0", "m", first=True)
    write(folder, {"target/debug/app": b"x\n", "web/target/a/b.o": b"x\n", "conftest.py": b"c\n"})
    write(folder, {".gitignore": b"target/\nconftest.py\n"})
    taken = {file.path for file in changes(first, take(folder, "loop/1", "m", like=first)).files}
    assert {".gitignore", "conftest.py"} == taken

    write(folder, {".gitignore": b"conftest.py\n"})  # without a rule they are work like any other
    later = {file.path for file in changes(first, take(folder, "loop/2", "m", like=first)).files}
    assert {"target/debug/app", "web/target/a/b.o"} <= later


def test_rules_in_folders_apply_in_later_snapshots(tmp_path):
    """New files are listed with one merged rule file, and the result equals git's own listing."""
    rules = {
        ".gitignore": b"\xef\xbb\xbf*.log\n/top\n!keep.log\r\n# no\n\nout/\n",
        "a/.gitignore": b"plain\n/anchored\nmid/dle\ndir/\n!x.log\n\\#hash\n**/any\ntrail  \n",
        "a/b/.gitignore": b"!plain\n*\n!keep\n",
        "we[ir]d*/.gitignore": b"secret\n/only\n",
    }
    folder = project(tmp_path / "p", {**rules, "code": b"c\n"})
    first = take(folder, "loop/0", "m", first=True)
    names = (
        "plain anchored mid/dle x/mid/dle dir/f x/dir/f x.log keep.log #hash any x/any trail top out/o keep secret only"
    )
    places = ["", "a/", "a/x/", "a/b/", "a/b/x/", "we[ir]d*/", "we[ir]d*/x/", "weid/", "other/"]
    write(folder, {f"{place}{name}": b"n\n" for place in places for name in names.split()})
    listed = git(folder, "ls-files", "-z", "--others", "--exclude-standard").split("\0")[:-1]
    assert 60 < len(listed) < 150

    second = take(folder, "loop/1", "m", like=first)
    assert set(listed) == {file.path for file in changes(first, second).files}
    for place in rules:
        (folder / place).unlink()
    third = take(folder, "loop/2", "m", like=first)
    assert set(listed) == {file.path for file in changes(first, third).files} - set(rules)


def test_rules_of_all_sources_apply(tmp_path, own_git_settings):
    """Also rules in folders, rule files that ignore themselves, `info/exclude`, and the user's global rules."""
    ours = tmp_path / "ignore"
    ours.write_text("*.swp\n")
    own_git_settings.write_text(own_git_settings.read_text() + f"[core]\n\texcludesFile = {ours}\n")
    folder = project(tmp_path / "p", {"a": b"a\n", "src/.gitignore": b"/out\n!keep.swp\n"})
    rules = {".venv/.gitignore": b"*\n", "tools/.venv/.gitignore": b"*\n", ".git/info/exclude": b"notes\n"}
    write(folder, rules)
    theirs = {"src/out/o": b"o\n", ".venv/v": b"v\n", "tools/.venv/t": b"t\n", "notes": b"n\n", "x.swp": b"s\n"}
    write(folder, theirs)
    first = take(folder, "loop/0", "m", first=True)
    ours.write_text("")
    write(folder, {"src/.gitignore": b"", ".git/info/exclude": b""})
    write(folder, {".venv/.gitignore": b"", "tools/.venv/.gitignore": b"", "src/new.swp": b"", "src/keep.swp": b""})
    write(folder, {"tools/new": b"n\n"})

    second = take(folder, "loop/1", "m", like=first)
    restore(folder, first, "kept")

    assert ["src/.gitignore", "src/keep.swp", "tools/new"] == [file.path for file in changes(first, second).files]
    assert theirs.items() <= {name: content for name, (_, content) in found(folder).items()}.items()


def test_nested_repositories_use_their_own_rules(tmp_path):
    folder = project(tmp_path / "p", {"a": b"a\n", ".gitignore": b"cache/\n"})
    project(folder / "lib", {"l": b"l\n", ".gitignore": b"*.log\n"})
    write(folder, {"lib/n.log": b"noise\n", "lib/cache/c": b"belongs to lib\n"})
    first = take(folder, "loop/0", "m", first=True)
    write(folder, {".gitignore": b"lib/\n", "lib/.gitignore": b"", "lib/new": b"n\n"})
    project(folder / "cache" / "clone", {"c": b"c\n"})

    second = take(folder, "loop/1", "m", like=first)
    restore(folder, first, "kept")

    assert [".gitignore", "lib/.gitignore", "lib/new"] == [file.path for file in changes(first, second).files]
    assert b"noise\n" == (folder / "lib/n.log").read_bytes() and b"c\n" == (folder / "cache/clone/c").read_bytes()


def test_a_repository_created_by_a_round_hides_nothing(tmp_path):
    """Its rules are the agent's, so the rules of the project around it apply as before."""
    folder = project(tmp_path / "p", {"tests/test_a.py": b"t\n", ".gitignore": b"*.log\n/made/out\n"})
    first = take(folder, "loop/0", "m", first=True)
    for place in ("tests", "made"):
        (folder / place).mkdir(exist_ok=True)
        git(folder / place, "init", "-q")
        (folder / place / ".git" / "info").mkdir(exist_ok=True)
    hidden = {"tests/conftest.py": b"cheat\n", "made/conftest.py": b"cheat\n", "made/.gitignore": b"*.py\n"}
    rules = {"tests/.git/info/exclude": b"conftest.py\n", "made/.git/info/exclude": b"*\n"}
    write(folder, {**hidden, **rules, "tests/n.log": b"n\n", "made/n.log": b"n\n", "made/out": b"o\n"})

    assert set(hidden) == {file.path for file in changes(first, take(folder, "loop/1", "m", like=first)).files}


def test_file_names_that_look_like_patterns_are_literal(folder):
    first = take(folder, "loop/0", "m", first=True)
    write(folder, {":(top)x": b"", "*.py": b"", ":/y": b"", "z\n.sqlite": b"", ".gitignore": b""})

    new = {file.path for file in changes(first, take(folder, "loop/1", "m", like=first)).files}

    assert {":(top)x", "*.py", ":/y", ".gitignore"} == new


def test_permissions_are_restored(folder):
    write(folder, {"key.pem": b"k\n", "run": b"#!\n"})
    (folder / "key.pem").chmod(0o400)
    (folder / "run").chmod(0o750)
    first = take(folder, "loop/0", "m", first=True)
    for name in ("key.pem", "run"):
        (folder / name).unlink()
    write(folder, {"key.pem": b"other\n"})

    restore(folder, first, "kept")

    assert [0o400, 0o750] == [stat.S_IMODE((folder / name).stat().st_mode) for name in ("key.pem", "run")]


def test_an_empty_folder_is_kept_and_restored(folder):
    (folder / "data").mkdir()
    (folder / "logs" / "old").mkdir(parents=True)
    first = take(folder, "loop/0", "m", first=True)
    write(folder, {"data/rows.csv": b"1\n", "made/by/agent": b"a\n"})
    (folder / "logs" / "old").rmdir()
    (folder / "logs").rmdir()

    restore(folder, first, "kept")

    assert (folder / "data").is_dir() and (folder / "logs" / "old").is_dir()
    assert not (folder / "made").exists()


def test_a_damaged_index_does_not_hide_files(tmp_path):
    """Neither are tracked files that a rule ignores."""
    folder = project(tmp_path / "p", {"a": b"a\n", "d/b": b"b\n"})
    write(folder, {".gitignore": b"d/\n", "new": b"n\n"})
    first = take(folder, "loop/0", "m", first=True)
    (folder / ".git" / "index").write_bytes(b"damaged")
    assert first.tree == take(folder, "loop/1", "m", like=first).tree
    write(folder, {"d/b": b"changed\n"})

    restore(folder, first, "kept")

    assert b"b\n" == (folder / "d/b").read_bytes()
    assert b"damaged" == (folder / ".git" / "index").read_bytes()


def test_without_replace_the_next_snapshot_gets_a_number(folder):
    first = take(folder, "loop/1", "m")
    assert first == take(folder, "loop/1", "again", replace=False)
    write(folder, {"code.py": b"other\n"})
    second = take(folder, "loop/1", "m", replace=False)

    assert "refs/headway/loop/1-2" == second.ref
    assert [first, second] == list_snapshots(folder)


def test_a_name_is_claimed_once_for_all_worktrees(tmp_path):
    folder = project(tmp_path / "p", {"a": b"a\n"})
    git(folder, "worktree", "add", "-q", "-b", "other", str(tmp_path / "w"))

    assert claim(Repository.at(folder), "loops/it/name", "p")
    assert not claim(Repository.at(tmp_path / "w"), "loops/it/name", "w")
    assert claim(Repository.at(tmp_path / "w"), "loops/it-2/name", "w")


def test_forgotten_snapshots_leave_no_copies_of_rules(folder):
    first = take(folder, "loops/one/0", "m", first=True)
    write(folder, {"new": b"n\n"})
    take(folder, "loops/one/1", "m", like=first)
    copies = Repository.at(folder).room / "rules"
    assert [first.baseline] == [copy.name for copy in copies.iterdir()]
    forget(folder, "loops/one")
    assert [] == list(copies.iterdir())


def test_a_baseline_survives_git_gc(tmp_path):
    folder = project(tmp_path / "p", {f"d{n % 10}/f{n}": lines(1, str(n)) for n in range(300)})
    first = take(folder, "loop/0", "m", first=True)
    commit_all(folder)
    git(folder, "gc", "-q", "--prune=now")
    write(folder, {"new": b"n\n"})

    assert 301 == take(folder, "loop/1", "m", like=first).files
