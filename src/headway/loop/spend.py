"""What a round cost, where the agent's own output tells: Claude Code's JSON, and aider's last line."""

import re

_TOTAL = re.compile(r'"total_cost_usd":\s*([0-9]+(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?)')
_AIDER = re.compile(r"Cost: \$[0-9.]+ message, \$([0-9]+(?:\.[0-9]+)?) session")


def cost_in(output: str) -> float | None:
    """US dollars by the agent's own account, or None where it gives none. Totals grow, so the last one counts."""
    for pattern in (_TOTAL, _AIDER):
        found = pattern.findall(output)
        if found:
            return float(found[-1])
    return None
