"""A round changed protected files.

Why it matters: an agent that may change the tests can always make them pass.
Fires: when a round changed, added or removed a file at or below one of `paths`.
Clears: with the next round that leaves them unchanged.
Blind to: rounds whose changed files are not reported. Without `paths` it never fires.
"""

from headway.core.detector import Detector, Findings
from headway.core.finding import Severity
from headway.core.iteration import Iteration
from headway.core.session import Session


class ProtectedFiles(Detector):
    """Changes to protected files."""

    severity: Severity = Severity.CRITICAL
    paths: tuple[str, ...] = ()
    """Files and folders, relative to the project, that no round may change."""
    confidence = 0.95

    def on_iteration(self, iteration: Iteration, session: Session) -> Findings:
        """Check the names of the changed files."""
        if not self.paths or iteration.changes is None:
            return
        touched = sorted(path for path in iteration.changes.files if self._is_protected(path))
        if touched:
            more = f" and {len(touched) - 3} more" if len(touched) > 3 else ""
            yield self.finding(
                f"Protected files were changed: {', '.join(touched[:3])}{more}.",
                identity=f"protected {' '.join(touched[:10])}",
                files=tuple(touched[:20]),
            )

    def _is_protected(self, path: str) -> bool:
        places = (protected.removeprefix("./").rstrip("/") for protected in self.paths)
        return any(path == place or path.startswith(f"{place}/") for place in places)
