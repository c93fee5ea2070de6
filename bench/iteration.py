"""What comparing two rounds' outputs costs, and whether the answer is right, beside the standard library's.

python bench/iteration.py
"""

import random
import time
from collections.abc import Callable
from difflib import SequenceMatcher

from headway.rolling.difference import difference


def main() -> None:
    words = [f"{random.Random(n).randrange(36**4):x}" for n in range(9_000)]  # about 50 KB
    text = " ".join(words)
    print(f"output difference of two texts of {len(text) / 1000:.0f} KB\n")
    print(f"{'changed':>16} {'headway':>9} {'ms':>8} {'difflib':>9} {'ms':>10}   goals")
    compare("one word", text, changed(words, 1), "< 0.01, 5 ms")
    compare("a fifth", text, changed(words, len(words) // 5), "about 0.2, 20 ms")
    compare("everything", text, changed(words, len(words)), "about 1")
    compare("500 KB, a line", "\n".join([text] * 10), "\n".join([text] * 9 + ["x"]), "small", difflib=False)


def changed(words: list[str], count: int) -> str:
    """The same text with some words replaced, evenly over its length."""
    step = len(words) / count
    places = {int(n * step) for n in range(count)}
    return " ".join(f"new{n}" if n in places else word for n, word in enumerate(words))


def compare(name: str, one: str, other: str, goals: str, difflib: bool = True) -> None:
    ours, seconds = timed(lambda: difference(one, other), 7)
    line = f"{name:>16} {ours:9.4f} {seconds * 1e3:8.2f}"
    if difflib:
        theirs, slow = timed(lambda: 1 - SequenceMatcher(None, one, other).ratio(), 1)
        line += f" {theirs:9.4f} {slow * 1e3:10.1f}"
    else:
        line += f" {'(not run)':>20}"
    print(f"{line}   {goals}")


def timed(action: Callable[[], float], times: int) -> tuple[float, float]:
    best = float("inf")
    for _ in range(times):
        start = time.perf_counter()
        answer = action()
        best = min(best, time.perf_counter() - start)
    return answer, best


if __name__ == "__main__":
    main()
