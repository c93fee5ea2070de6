"""Whether a tool's name decides what is a loop: honest look-ups and loops under made-up names.

    python bench/names.py

Every name looks up `ITEMS` different ids, of which a share is found, and says in one of several ways that there is
none: nothing of it may be refused or stopped. Then it looks up the same id again and again: that is told, whatever the
tool is called.
"""

from collections import Counter
from collections.abc import Iterator
from itertools import product
from typing import Any

from headway import Monitor

NAMES = (
    "get_customer", "lookup_customer", "find_user", "fetch_invoice", "check_stock", "verify_email", "validate_iban",
    "read_record", "open_ticket", "show_order", "search_parts", "query_ledger", "list_bookings", "locate_parcel",
    "order_status", "shipment_status", "ask_directory", "clarify_code", "resolve_name", "is_registered", "has_licence",
    "exists", "customerLookup", "GetAccount", "crm.get_contact", "mcp__crm__get_contact", "inventory-find",
    "download_receipt", "browse_catalog", "visit_profile", "transfer_status", "build_info", "plan_price", "think_of",
    "run_report", "view_claim", "describe_asset", "retrieve", "load_profile", "update_check",
)  # fmt: skip
"""Tools of nobody's: their first or last words suggest every kind there is."""

NONE = (
    "Error: not found",
    '{"error": "not found"}',
    '{"status": 404, "message": "Not Found"}',
    '{"found": false}',
    "null",
    "No record with id {id}",
    "Error: {id} does not exist",
    "0 results",
)
"""Ways to say that there is none."""
SHARES = (0.0, 0.1, 0.25, 0.5)
"""Shares of the ids that are found."""
ITEMS = 40
MULTIPLIER, MODULUS = 7919, 100_003
"""Spread the ids, so that none looks like the next."""


def told(steps: Iterator[tuple[str, dict[str, Any], str]]) -> Counter[str]:
    """How often each action is taken about these calls."""
    monitor, actions = Monitor(), Counter[str]()
    monitor.user_spoke("Which of these are there?")
    for number, (name, args, output) in enumerate(steps):
        actions[str(monitor.called(name, args, call=str(number)).action)] += 1
        actions[str(monitor.returned(str(number), output).action)] += 1
    return actions


def look_ups(name: str, none: str, share: float) -> Iterator[tuple[str, dict[str, Any], str]]:
    """Honest work: each id once, spread evenly over what is there and what is not."""
    for place in range(ITEMS):
        id_ = place * MULTIPLIER % MODULUS
        is_there = int((place + 1) * share) > int(place * share)
        yield name, {"id": id_}, f'{{"id": {id_}, "name": "N{id_}"}}' if is_there else none.replace("{id}", str(id_))


def loop(name: str, none: str) -> Iterator[tuple[str, dict[str, Any], str]]:
    """The same id, again and again."""
    for _ in range(ITEMS):
        yield name, {"id": 17}, none.replace("{id}", "17")


def main() -> None:
    """Print what is said of both."""
    honest = {key: told(look_ups(*key)) for key in product(NAMES, NONE, SHARES)}
    loops = {key: told(loop(*key)) for key in product(NAMES, NONE)}
    hard = [key for key, actions in honest.items() if actions["block"] + actions["stop"] + actions["escalate"]]
    print(f"{len(NAMES)} names, {len(NONE)} ways to say that there is none, {ITEMS} ids")
    print(f"honest look-ups ({', '.join(f'{share:.0%}' for share in SHARES)} found): {len(honest)}")
    print(f"    refused or stopped: {len(hard)}; spoken to: {sum(actions['nudge'] > 0 for actions in honest.values())}")
    print(f"loops: {len(loops)}, told: {sum(actions['nudge'] > 0 for actions in loops.values())}")
    for key in hard:
        print("   refused or stopped:", *key)
    for key in (key for key, actions in honest.items() if actions["nudge"] and key not in hard):
        print("   spoken to:", *key)
    for key in (key for key, actions in loops.items() if not actions["nudge"]):
        print("   loop not told:", *key)


if __name__ == "__main__":
    main()
