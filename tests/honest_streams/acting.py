"""Acting on a world of its own: games, keys, devices, mails, orders. What is done counts, not what is said of it."""

from tests.agent_calls import bash, rounds, tool

MOVES = "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5 Bb3 d6 c3 O-O h3 Nb8 d4 Nbd7".split()
ROOMS = [
    "Cellar",
    "Stairs",
    "Hall",
    "Kitchen",
    "Garden",
    "Well",
    "Garden",
    "Hall",
    "Library",
    "Attic",
    "Library",
    "Hall",
    "Gate",
]
WORDS = "crane slate pious mound fudge vinyl brick jumpy gawks vozhd waltz nymph".split()
MARKS = "⬜⬜🟨⬜⬜ ⬜🟨⬜⬜⬜ ⬜⬜⬜🟨⬜ 🟩⬜🟨⬜⬜ ⬜⬜🟨⬜⬜ 🟩🟩🟩🟩🟩".split()


def grid(n, size=8):
    """A board on which one piece walks."""
    place = n * 3 % (size * size)
    return "\n".join(
        "".join("@" if row * size + column == place else "." for column in range(size)) for row in range(size)
    )


def halved(number, low=0, high=100_000):
    """The guesses that find a number."""
    steps = []
    while low < high:
        middle = (low + high) // 2
        steps.append(tool("guess", {"number": middle}, "too low" if middle < number else "too high, or right"))
        low, high = (middle + 1, high) if middle < number else (low, middle)
    return steps


STREAMS = {
    "a game of chess": [
        tool("chess_move", {"move": move}, f"Move {n // 2 + 1}: {move}. {'Black' if n % 2 == 0 else 'White'} to move.") for n, move in enumerate(MOVES)
    ],
    "a game of chess, the same question before each move": rounds(
        10,
        lambda n: tool("get_board", {}, f"moves so far: {' '.join(MOVES[: 2 * n])}"),
        lambda n: tool("chess_move", {"move": MOVES[2 * n]}, "ok"),
    ),
    "a board walked over": [tool("step", {"action": "right"}, grid(n)) for n in range(21)],
    "a grid world of which only the place is told": [tool("step", {"action": "right"}, {"pos": [n % 8, n // 8], "done": False}) for n in range(24)],
    "a text adventure": [
        tool("game_command", {"text": "go north" if n % 2 else "go east"}, f"You are in the {room}. Exits: north, east.") for n, room in enumerate(ROOMS)
    ],
    "a fight with the same command": [tool("game_command", {"text": "attack troll"}, f"You hit. Troll: {60 - 4 * n} hp. You: {40 - n} hp.") for n in range(15)],
    "a maze of rooms that look alike": [tool("walk", {"direction": "forward"}, f"A corridor. Steps taken: {n}") for n in range(1, 25)],
    "two games of Wordle": [tool("guess", {"word": word}, MARKS[n % 6]) for n, word in enumerate(WORDS)],
    "guesses that are too low and too high": halved(73_110),
    "cards drawn": [tool("draw_card", {}, f"{n % 13 + 1} of {('clubs', 'hearts', 'spades')[n % 3]}") for n in range(26)],
    "a counter clicked": [tool("mcp__browser__click", {"ref": "e7"}, f"Clicked. Count: {n}") for n in range(1, 20)],
    "arrow keys, each press told": [tool("mcp__playwright__browser_press_key", {"key": "ArrowDown"}, f"Pressed ArrowDown, option {n} focused") for n in range(1, 20)],
    "keys typed into a terminal": [tool("computer", {"action": "key", "text": key}, "") for key in "Tab Tab Tab Down Down Return Tab Down Tab Tab Return Escape".split()],
    "pages turned with the same key": rounds(
        8, lambda n: tool("computer", {"action": "key", "text": "Page_Down"}, "Key pressed"), lambda n: tool("computer", {"action": "zoom", "region": [0, n, 9, 9]}, f"page {n + 2}")
    ),
    "a drone flown": [tool("fly_forward", {"metres": 5}, f"position ({5 * n}, 0, 30) battery {90 - 2 * n}%") for n in range(20)],
    "a valve opened bit by bit": rounds(
        10, lambda n: tool("set_valve", {"percent": 5 * n}, "ok"), lambda n: tool("read_pressure", {}, f"{1 + n * 0.3:.1f} bar")
    ),
    "orders booked": [tool("create_booking", {"order": 700 + n}, {"status": "confirmed", "booking": 91000 + 7 * n}) for n in range(20)],
    "mails sent with the same answer": [tool("send_email", {"to": f"u{n}@example.com", "subject": "Renewal"}, "Message accepted") for n in range(20)],
    "tickets closed": [tool("mcp__jira__transition", {"issue": f"SHOP-{n}", "to": "Done"}, {"ok": True}) for n in range(40, 60)],
    "labels given": rounds(
        12, lambda n: tool("get_next_item", {}, {"item": n, "text": f"review {n}: nice"}), lambda n: tool("label", {"item": n, "label": "positive"}, "saved")
    ),
    "labels given where the tool knows the item": rounds(12, lambda n: tool("next_item", {}, f"{n + 1}/12"), lambda n: tool("label", {"label": "positive"}, "saved")),
    "pictures converted": [bash(f"convert in/{n:03}.png -quality 80 out/{n:03}.jpg") for n in range(30)],
    "containers stopped": [bash(f"docker stop worker-{n}", f"worker-{n}") for n in range(14)],
    "hosts pinged": [bash(f"ping -c1 -W1 10.0.3.{n}", f"64 bytes from 10.0.3.{n}: icmp_seq=1 ttl=64 time=0.{n + 10} ms") for n in range(1, 25)],
    "ports tried": [bash(f"nc -zv db.internal {port}", f"nc: connect to db.internal port {port} (tcp) failed: Connection refused", 1) for port in range(5430, 5437)],
    "a relay switched on and off, its contact and a temperature read in turn": rounds(
        9, lambda n: bash("gpioset gpiochip0 17=1"), lambda n: bash("gpioget gpiochip0 27", "0"),
        lambda n: bash("gpioset gpiochip0 17=0"), lambda n: bash("cat /sys/class/thermal/zone0/temp", f"{41_000 + 125 * n}"),
    ),
    "a process halted and continued, its port and its counter asked in turn": rounds(
        9, lambda n: bash("kill -STOP 4711"), lambda n: bash("ss -ltn sport = :8080", "LISTEN 0 511 *:8080"),
        lambda n: bash("kill -CONT 4711"), lambda n: bash("cat served.txt", f"{n * 37}"),
    ),
}  # fmt: skip
