"""Lists that were flattened into attributes."""

import pytest

from headway.shapes.flattened import listed, nested, whole

FLAT = {
    "other": 1,
    "in.1.message.role": "user",
    "in.0.message.role": "assistant",
    "in.0.message.calls.1.id": "b",
    "in.0.message.calls.0.id": "a",
    "in.10.name": "last",
    "inner.0.name": "of another list",
}


def test_fields_and_items_find_their_places():
    first, second, last = nested(FLAT, "in")
    assert {"message": {"role": "assistant", "calls": [{"id": "a"}, {"id": "b"}]}} == first
    assert ({"message": {"role": "user"}}, {"name": "last"}) == (second, last)


def test_items_are_compared_without_putting_them_together():
    more = {**FLAT, "in.11.name": "new"}
    assert listed(FLAT, "in") == listed(more, "in")[:-1]
    assert listed(FLAT, "in") != listed({**FLAT, "in.10.name": "changed"}, "in")
    assert {"name": "new"} == whole(listed(more, "in")[-1])


@pytest.mark.parametrize(
    ("attributes", "expected"),
    [
        ({"in": [{"a": 1}, 5], "in.0.a": 2}, [{"a": 1}, 5]),
        ({"in.0": "x", "in.1": 7}, ["x", 7]),
        ({"in.0": "x", "in.0.a": 1}, ["x"]),
        ({"in.0.a": 1, "in.0": "x"}, ["x"]),
        ({"in.0.a": 1, "in.0.a.b": 2}, [{"a": 1}]),
        ({"in.0.a": 1, "in.name": 2}, []),
        ({"in.0.a": 1, "in.9999999999": 2}, []),
        ({"in": 5}, []),
        ({"in.": 5, "in..": 6}, []),
        ({}, []),
    ],
)
def test_what_does_not_fit_together(attributes, expected):
    assert expected == nested(attributes, "in")


def test_names_of_any_depth():
    (found,) = nested({"in.0." + "a." * 3_000 + "b": 1}, "in")
    assert {"a"} == found.keys()
