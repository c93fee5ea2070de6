"""Random small projects: every snapshot restores its own bytes, whatever an agent does to the files."""

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from headway.snapshots import changes, export, restore, take
from tests.conftest import examples
from tests.snapshots.projects import empty, found, plain, project

NAMES = st.sampled_from(["a", "b", "-c", "ü d", "e\nf"])
CONTENTS = st.tuples(st.just("file"), st.binary(max_size=8) | st.sampled_from([b"x\r\n", b"x\n", b"\0"]))
PROGRAMS = st.tuples(st.just("program"), st.binary(max_size=8))
LINKS = st.tuples(st.just("link"), st.sampled_from([b"a", b"b/a", b"..", b"/nowhere"]))
TREES = st.recursive(
    st.dictionaries(NAMES, CONTENTS | PROGRAMS | LINKS, max_size=4),
    lambda inner: st.dictionaries(NAMES, CONTENTS | PROGRAMS | LINKS | inner, max_size=4),
    max_leaves=6,
)


def build(folder: Path, tree: dict) -> None:
    for name, what in tree.items():
        place = folder / name
        if isinstance(what, dict):
            place.mkdir()
            build(place, what)
        elif what[0] == "link":
            place.symlink_to(what[1].decode())
        else:
            place.write_bytes(what[1])
            place.chmod(0o755 if what[0] == "program" else 0o644)


LINK_TO_ITSELF = {"a": ("link", b"a")}
"""Paths below this link fail with "too many levels of symbolic links"."""
FOLDERS_OF_THAT_NAME = {"a": {"a": {"b": ("file", b"x")}}}


@pytest.mark.parametrize("start", [project, plain], ids=["git", "plain"])
@settings(max_examples=examples(25), suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@example(one=LINK_TO_ITSELF, two=FOLDERS_OF_THAT_NAME)
@example(one=FOLDERS_OF_THAT_NAME, two=LINK_TO_ITSELF)
@given(one=TREES, two=TREES)
def test_any_state_can_be_restored_from_any_other(start, one, two):
    with TemporaryDirectory() as place:
        folder = start(Path(place) / "project", {})
        build(folder, one)
        first, first_snapshot = found(folder), take(folder, "one", "m")
        empty(folder)
        build(folder, two)
        second, second_snapshot = found(folder), take(folder, "two", "m")

        restore(folder, first_snapshot, "kept")
        assert first == found(folder)
        restore(folder, second_snapshot, "kept")
        assert second == found(folder)

        export(first_snapshot, Path(place) / "out")
        assert first == found(Path(place) / "out")
        assert (first == second) == (not changes(first_snapshot, second_snapshot).files)
