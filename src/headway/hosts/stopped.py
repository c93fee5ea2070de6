"""The exception for a run that Headway ended."""

from headway.core.decision import CONTINUE, Decision


class RunStopped(Exception):
    """Headway ended the run; `decision` has the reason. The exceptions of all adapters are subclasses."""

    decision: Decision = CONTINUE

    def __init__(self, text: str = "", decision: Decision | None = None) -> None:
        super().__init__(text)
        if decision is not None:
            self.decision = decision
