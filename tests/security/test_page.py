"""The page about security is held by tests: each of its promises names one that is there."""

import re
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
PAGE = (ROOT / "docs" / "development" / "security.md").read_text("utf-8")
PROMISES = ("What never runs", "What is written, and where", "What an agent notices", "What is shown")
NAME = re.compile(r"`(test_\w+)`")


def section(title: str) -> str:
    return PAGE.split(f"\n## {title}\n", 1)[1].split("\n## ", 1)[0]


def lines_of(text: str) -> list[str]:
    """The items of its lists, each on one line."""
    return [" ".join(item.split()) for item in re.split(r"^- ", text, flags=re.MULTILINE)[1:]]


def there() -> set[str]:
    return {
        name
        for path in (ROOT / "tests").rglob("test_*.py")
        for name in re.findall(r"^def (test_\w+)", path.read_text("utf-8"), re.MULTILINE)
    }


def test_every_promise_names_a_test_that_is_there():
    tests = there()
    promises = [line for title in PROMISES for line in lines_of(section(title))]
    promises += lines_of(section("Secrets").split("Not masked")[0])
    assert len(promises) > 20
    assert [] == [line for line in promises if not NAME.search(line)]
    assert [] == [name for line in promises for name in NAME.findall(line) if name not in tests]


def test_every_command_that_looks_is_tried():
    from tests.security.test_looking import LOOKING

    told = re.findall(r"`([a-z]+(?: --[a-z-]+)?)`", lines_of(section("What never runs"))[0])
    tried = {" ".join(word for word in arguments if word in name.split()) for name, arguments in LOOKING.items()}
    assert {*told} <= tried | set(LOOKING)


def test_reporters_find_their_way():
    text = (ROOT / "SECURITY.md").read_text("utf-8")
    assert "docs/development/security.md" in text and "Report a vulnerability" in text
