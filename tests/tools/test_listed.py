import pytest

from headway.tools.listed import listed_names


def test_the_names_in_each_item():
    request = (
        "Please:\n\n1. Rename `load_all()` in src/io/load.py\n2. Add a test for `Cart::total`\n- [ ] Update docs/api.md"
    )
    assert [["load_all", "load.py"], ["total"], ["api.md"]] == listed_names(request)


def test_bare_names_below_a_line_that_asks():
    assert [["a.py"], ["b.py"]] == listed_names("Fix the imports in these files:\n* src/a.py\n* src/b.py\n")


@pytest.mark.parametrize(
    "request_",
    [
        "Fix `a.py` and `b.py`",
        "- Fix `a.py`",
        "- Fix the login\n- Update the docs",
        "- Do not change `a.py`\n- Never edit `b.py`\n- Fix `c.py`",
        "- Fix `a.py` if it is used\n- Remove `b.py` unless `c.py` needs it\n- Add `d.py` or `e.py`",
        "Steps to reproduce:\n1. Create `a.py`\n2. Change `b.py`",
        "It was seen in:\n- `a.py`\n- `b.py`",
        "Here is what I ran:\n```\n- Fix `a.py`\n- Fix `b.py`\n```",
        "- Add `git push --force`\n- Remove `rm -rf x`",
    ],
)
def test_no_list_of_things_to_do(request_):
    assert [] == listed_names(request_)


def test_a_secret_is_never_kept():
    secret = "ghp_" + "A1b2C3d4E5" * 3 + "f6g7h8"
    found = listed_names(f"- Add `{secret}`\n- Fix `a.py`\n- Fix `b.py`")
    assert secret not in str(found) and ["a.py"] in found
