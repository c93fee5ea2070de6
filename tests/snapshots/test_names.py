import pytest
from hypothesis import given
from hypothesis import strategies as st

from headway.snapshots import forget, list_snapshots, load, take
from headway.snapshots.names import is_ours, readable, ref_of
from tests.snapshots.projects import git, project, users_git

HOSTILE = [
    "refs/heads/main",
    "refs/headway",
    "refs/headwayx/a",
    "../heads/main",
    "a/../../heads/main",
    "a/./b",
    "a//b",
    "/a",
    "a/",
    "",
    "-d",
    "--stdin",
    "a/-x",
    "a..b",
    "a.lock",
    "a.",
    ".a",
    "a b",
    "a\nb",
    "a\0b",
    "a~1",
    "a^",
    "a:b",
    "a?",
    "a*",
    "a[b",
    "a\\b",
    "@",
    "a@{1}",
    "ä",
]


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_name_is_refused_before_anything_happens(tmp_path, name):
    folder = project(tmp_path / "project", {"a": b"a\n"})
    before = users_git(folder)

    for attempt in (lambda: take(folder, name, "m"), lambda: load(folder, name)):
        with pytest.raises(ValueError, match="cannot name a snapshot"):
            attempt()

    assert before == users_git(folder)
    assert not (folder / ".git" / "headway").exists()


def test_forget_cannot_reach_other_refs(tmp_path):
    folder = project(tmp_path / "project", {"a": b"a\n"})

    for prefix in ("refs/heads", "../heads", "refs/heads/main", "-"):
        with pytest.raises(ValueError, match="cannot name"):
            forget(folder, prefix)

    assert "refs/heads/main\n" == git(folder, "for-each-ref", "--format=%(refname)")


@given(st.from_regex(r"(refs/headway/)?[A-Za-z0-9_]([A-Za-z0-9_-]|/[a-z]|\.[a-k]){0,20}", fullmatch=True))
def test_accepted_names_stay_below_our_refs(name):
    ref = ref_of(name)

    assert ref.startswith("refs/headway/")
    assert not {"..", "."} & set(ref.split("/"))
    assert ref == ref_of(ref)


def test_full_and_short_names_mean_the_same(tmp_path):
    folder = project(tmp_path / "project", {"a": b"a\n"})

    taken = take(folder, "refs/headway/loops/a1/round-1", "m")

    assert taken == load(folder, "loops/a1/round-1") == load(folder, "refs/headway/loops/a1/round-1")


def test_a_list_is_in_the_order_of_rounds_and_stays_below_its_prefix(tmp_path):
    folder = project(tmp_path / "project", {"a": b"a\n"})
    for name in ("x/round-10", "x/round-2", "x/round-1", "xy/round-1"):
        take(folder, name, f"about {name}")

    listed = list_snapshots(folder, "x")

    assert ["round-1", "round-2", "round-10"] == [each.ref.split("/")[-1] for each in listed]
    assert "about x/round-1" == listed[0].message
    assert 4 == len(list_snapshots(folder))


def test_forget_drops_one_prefix_and_nothing_else(tmp_path):
    folder = project(tmp_path / "project", {"a": b"a\n"})
    for name in ("x/1", "x/2", "xy/1"):
        take(folder, name, "m")

    assert 2 == forget(folder, "x")

    assert ["refs/headway/xy/1"] == [each.ref for each in list_snapshots(folder)]
    assert 0 == forget(folder, "x")
    with pytest.raises(KeyError, match=r"refs/headway/x/1"):
        load(folder, "x/1")


def test_a_foreign_ref_below_ours_is_not_a_snapshot_but_can_be_deleted(tmp_path):
    folder = project(tmp_path / "project", {"a": b"a\n"})
    git(folder, "update-ref", "refs/headway/x/foreign", "HEAD")
    take(folder, "x/ours", "m")

    assert ["refs/headway/x/ours"] == [each.ref for each in list_snapshots(folder, "x")]
    assert 2 == forget(folder, "x")


@pytest.mark.parametrize("message", ["one line", "", "two\n\nparagraphs", '{"files":99,"parts":{}}', "ends\n\n"])
def test_any_message_is_restored(tmp_path, message):
    folder = project(tmp_path / "project", {"a": b"a\n"})
    taken = take(folder, "a", message)

    assert message.rstrip("\n") == load(folder, "a").message.rstrip("\n")
    assert 1 == load(folder, "a").files == taken.files


def test_own_files_are_recognised_by_whole_path_components():
    assert is_ours(".headway/x") and is_ours("a/.headway/git/HEAD") and is_ours("a/.headway-tmp-0123")
    assert not is_ours("headway/x") and not is_ours(".headway.toml") and not is_ours("a.headway/x")


def test_names_that_are_not_utf8_can_be_printed():
    assert "a\\xff" == readable("a\udcff")
    assert "ä b" == readable("ä b")
