"""The counters of an instance, in the text format of Prometheus."""

from collections import Counter

_ABOUT = {
    "taken": "Events processed",
    "doubled": "Events that had been processed before and changed nothing",
    "early": "Events that came before an earlier one and waited",
    "missing": "Events that never came although later ones waited for them",
    "refused": "Messages that went to headway.dead",
    "findings": "Findings sent",
    "restarted": "Sessions that started again under the same name",
    "loaded": "Sessions loaded from the store",
    "unreadable": "Sessions with stored data that this version cannot read",
}


class Counts:
    """Counters of one instance, since it was started."""

    def __init__(self) -> None:
        self.taken = self.doubled = self.early = self.missing = self.refused = self.findings = 0
        self.restarted = self.loaded = self.unreadable = self.live = 0
        self.decisions: Counter[str] = Counter()

    def decide(self, action: str) -> None:
        """A decision was sent."""
        self.decisions[action] += 1

    def text(self) -> str:
        """All counters, as Prometheus reads them."""
        lines = []
        for name, about in _ABOUT.items():
            lines += [f"# HELP headway_fleet_{name}_total {about}.", f"# TYPE headway_fleet_{name}_total counter"]
            lines.append(f"headway_fleet_{name}_total {getattr(self, name)}")
        lines += [
            "# HELP headway_fleet_decisions_total Decisions sent.",
            "# TYPE headway_fleet_decisions_total counter",
        ]
        lines += [f'headway_fleet_decisions_total{{action="{a}"}} {n}' for a, n in sorted(dict(self.decisions).items())]
        lines += ["# HELP headway_fleet_sessions Sessions in memory.", "# TYPE headway_fleet_sessions gauge"]
        return "\n".join([*lines, f"headway_fleet_sessions {self.live}", ""])
