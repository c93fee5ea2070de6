"""The one exception that says: Headway ended this run."""

from headway.core.decision import CONTINUE, Decision


class RunStopped(Exception):
    """Headway ended the run; `decision` has the reason. The stop of every adapter that raises one is an instance."""

    decision: Decision = CONTINUE

    def __init__(self, text: str = "", decision: Decision | None = None) -> None:
        super().__init__(text)
        if decision is not None:
            self.decision = decision
