import pytest

from headway.detectors import built_in
from headway.scaffold.names import LONGEST, NewError, checked


def test_a_name_has_four_spellings():
    assert ("failed_downloads2", "FailedDownloads2", "failed-downloads2", "Failed downloads2") == checked(
        "failed_downloads2"
    )


@pytest.mark.parametrize("id", built_in())
def test_module_and_class_agree_as_they_do_for_every_detector(id):
    assert (id, built_in()[id].__name__) == checked(id)[:2]


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ("FailedDownloads", r"'FailedDownloads' does not work as a name: .*, for example 'failed_downloads'\."),
        ("my-format", r"for example 'my_format'\."),
        ("my format", r"for example 'my_format'\."),
        ("HTTPErrors", r"for example 'http_errors'\."),
        ("a1b", r"for example 'a1_b'\."),
        ("_private", r"for example 'private'\."),
        ("../escape", r"for example 'escape'\."),
        ("123", r"digits only at the end of a word\.$"),
        ("", r"digits only at the end of a word\.$"),
        ("import", r"'import' is a word of Python itself"),
        ("true", r"'true' is a word of Python itself"),
        ("false", r"'false' is a word of Python itself"),
        ("none", r"'none' is a word of Python itself"),
        ("Class", r"digits only at the end of a word\.$"),
        ("x" * (LONGEST + 1), rf"has {LONGEST + 1} characters; a name has {LONGEST} at most\."),
    ],
)
def test_a_name_that_does_not_work_is_refused_with_one_that_does(given, told):
    with pytest.raises(NewError, match=told):
        checked(given)


@pytest.mark.parametrize(
    ("kind", "given", "told"),
    [
        (
            "detector",
            "test_x",
            r"'test_x' begins like a test, and pytest may collect it as one\. Choose another name\.",
        ),
        ("detector", "testing", "begins like a test"),
        ("reader", "test_log", "begins like a test"),
        ("adapter", "test_kit", "begins like a test"),
        ("detector", "chanting", "'chanting' is the old id of the detector repeated_phrase"),
        (
            "detector",
            "manual_stop",
            r"is a reason for decisions already: a person stopped the run\. Choose another name\.",
        ),
        ("detector", "end_of_turn", "is the name of a rule of the policy"),
    ],
)
def test_a_name_that_would_be_taken_for_something_else_is_refused(kind, given, told):
    with pytest.raises(NewError, match=told):
        checked(given, kind)


@pytest.mark.parametrize(
    ("kind", "given"),
    [("adapter", "testkit"), ("reader", "chanting"), ("detector", "latest_failures"), ("reader", "owed")],
)
def test_what_is_taken_by_another_kind_is_free(kind, given):
    assert given == checked(given, kind).module
