"""Which paths look like tests."""

from fnmatch import fnmatchcase

TEST_FILES = (
    "test_*.*", "*_test.*", "*_tests.*", "*.test.*", "*.spec.*", "*_spec.*", "*Test.*", "*Tests.*",
)  # fmt: skip
TEST_FOLDERS = {"test", "tests", "__tests__", "spec", "specs", "testdata", "__snapshots__"}


def is_named_as_test(path: str) -> bool:
    """Whether a file has a test's name."""
    return any(fnmatchcase(path.rpartition("/")[2], pattern) for pattern in TEST_FILES)


def is_test_file(path: str) -> bool:
    """Whether a path looks like a test, or like a part of one."""
    return is_named_as_test(path) or bool(TEST_FOLDERS & {*path.split("/")[:-1]})
