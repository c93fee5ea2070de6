"""Invented runs of agents, as recordings on disk, to look at and to test pages with."""

import json
import random
from pathlib import Path

FILES = ("src/cart.py", "src/tax.py", "src/checkout.py", "src/users/session.py", "tests/test_cart.py", "README.md")
INJECTION = "</script><script>window.owned = 1</script><img src=x onerror='window.owned = 2'>"


class Recording:
    """One run, written call by call."""

    def __init__(
        self,
        run: str,
        program: str = "example",
        model: str = "example-large",
        at: float = 1_790_000_000,
        root: str | None = None,
    ) -> None:
        self.run, self.at, self.calls = run, at, 0
        self.lines: list[dict] = []
        self.add("run_started", program=program, model=model, root=root)

    def add(self, kind: str, **fields) -> "Recording":
        self.at += 7
        self.lines.append({"type": kind, "run": self.run, "at": self.at, **fields})
        return self

    def user(self, text: str) -> "Recording":
        return self.add("user_spoke", text=text)

    def call(self, tool: str, args: dict, output: str, failed: bool = False) -> "Recording":
        self.calls += 1
        self.add("tool_called", call=f"c{self.calls}", tool=tool, args=args)
        self.add("tool_returned", call=f"c{self.calls}", output=output, failed=failed)
        return self.add("used", tokens_in=9_000 + 400 * self.calls, tokens_out=350, cost_usd=0.012)

    def bash(self, command: str, output: str, failed: bool = False) -> "Recording":
        return self.call("Bash", {"command": command}, output, failed)

    def write(self, folder: Path) -> Path:
        path = folder / f"{self.run}.jsonl"
        path.write_text("".join(json.dumps(line) + "\n" for line in self.lines))
        return path


def honest(run: str, length: int, seed: int, prompt: str = "Fix the total of the cart.", **about) -> Recording:
    """A run that gets somewhere."""
    chance = random.Random(seed)
    recording = Recording(run, **about).user(prompt)
    for n in range(length):
        path = chance.choice(FILES)
        recording.call("Read", {"file_path": path}, f"def part_{seed}_{n}():\n    return {n}\n# {path}")
        if n % 3 == 1:
            edit = {"file_path": path, "old_string": f"return {n}", "new_string": f"return {n} + {seed}"}
            recording.call("Edit", edit, f"The file {path} has been updated.")
        if n % 3 == 2:
            left = max(0, length - n - 3)
            recording.bash("python -m pytest -q", f"{left} failed, {n + 4} passed in 0.{n}s", failed=left > 0)
        if n == length // 2:
            recording.user("Good. Also round to cents, please.")
        if n % 5 == 4:
            recording.call("Grep", {"pattern": f"discount_{n}"}, f"src/cart.py:{n}: discount_{n} = 1")
    return recording


def stuck(run: str, length: int, seed: int, **about) -> Recording:
    """A run that does not: the same failing edit, again and again."""
    recording = honest(run, 4 + seed % 9, seed, **about).user("Now rename tax() to vat() everywhere.")
    edit = {"file_path": "src/tax.py", "old_string": "def tax(", "new_string": "def vat("}
    for n in range(length):
        recording.call("Edit", edit, "Error: String to replace not found in file.", failed=True)
        if n % 2:
            recording.call("Read", {"file_path": "src/tax.py"}, "def taxes(amount):\n    return amount * 0.19\n")
    return recording


def searching(run: str, length: int, seed: int, prompt: str = "Where is it converted?", **about) -> Recording:
    """A run that looks for what is not there."""
    recording = Recording(run, **about).user(prompt)
    for n in range(length):
        recording.call("Grep", {"pattern": f"convert_currency_{n}"}, "No matches found")
        if n % 4 == 3:
            recording.call("Read", {"file_path": "src/cart.py"}, "def total(items):\n    return sum(items)\n")
    return recording


def hostile(run: str = "hostile") -> Recording:
    """A run whose every text tries to be more than text."""
    recording = Recording(run, program=f"x{INJECTION}", model=INJECTION).user(INJECTION)
    for _ in range(8):
        recording.call(
            f"Tool{INJECTION}", {"path": INJECTION, "x": "\u2028\u202e\x00"}, f"Error: {INJECTION}", failed=True
        )
    return recording


def a_month_of_runs(folder: Path, count: int = 36) -> Path:
    """A folder of runs of three programs over a month: most of them fine, some not."""
    folder.mkdir(parents=True, exist_ok=True)
    programs = (("claude-code", "claude-sonnet-4-5"), ("codex", "gpt-5-codex"), ("gemini-cli", "gemini-2.5-pro"))
    titles = {
        "cart-total": "The total of the cart is wrong when a discount applies. Please fix it.",
        "currency": "Convert every currency with the rate of the day, and round to cents.",
        "login-form": "The login form accepts an empty password. Add a test and fix it.",
        "invoice-pdf": "Write the invoice as a PDF with the address on top.",
        "search-index": "Rebuild the search index only for documents that changed.",
        "rate-limit": "Limit requests to ten a second for each customer.",
        "dark-mode": "Add a dark mode that follows the system.",
        "csv-export": "Export orders as CSV; commas in names must not break a row.",
    }
    for n in range(count):
        program, model = programs[(n * n + n // 3) % 3]
        title = list(titles)[n % len(titles)]
        about = {
            "program": program,
            "model": model,
            "root": f"/home/ada/{('shop', 'site')[n % 2]}",
            "at": 1_790_000_000 + (n * 53 % 31) * 86_400 + n * 3_600,
        }
        make = stuck if n % 6 == 2 else searching if n % 7 == 3 else honest
        make(f"{title}-{n:02}", 8 + n * 5 % 23, n, prompt=titles[title], **about).write(folder)
    return folder
