"""Run one program with its instrumentation, and write the spans that it emits; `capture.py` starts this.

    python record.py PROGRAM RUN FILE

Each line of the file is a span as the SDK prints it, with the names of the attributes that it had at its beginning
(`at_start`) and the instrumentation that made it.
"""

import importlib.util
import json
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

from scripted_model import serving

LOOKS = 7
"""Calls in a run: enough for a nudge, a refusal and a stop."""
NAMES = ["Ada", "Bela", "Cleo", "Dora", "Emil", "Fritz", "Greta"]


def look_up_customer(name: str) -> str:
    """Look up a customer.

    Args:
        name: the name of the customer

    """
    return "one open order"


def script(run: str) -> list[dict[str, Any]]:
    """What the model says: it looks up seven customers, or the first of them seven times."""
    asked = ["Ada"] * LOOKS if run == "loop" else NAMES
    calls = [[{"id": f"call_{n}", "name": "look_up_customer", "args": {"name": name}}] for n, name in enumerate(asked)]
    return [*({"text": "", "calls": call} for call in calls), {"text": "done", "calls": []}]


class Recorder:
    """A span processor that keeps each span as it ends."""

    def __init__(self) -> None:
        self.spans: list[dict[str, Any]] = []
        self._at_start: dict[int, list[str]] = {}

    def on_start(self, span: Any, parent_context: Any = None) -> None:
        """Keep which attributes are there already."""
        self._at_start[span.context.span_id] = sorted(span.attributes or {})

    def on_end(self, span: Any) -> None:
        """Keep the span."""
        scope = span.instrumentation_scope
        told = json.loads(span.to_json(indent=None))
        told.pop("resource", None)
        told["scope"] = {"name": scope.name, "version": scope.version}
        told["at_start"] = self._at_start.pop(span.context.span_id, [])
        self.spans.append(told)

    def _on_ending(self, span: Any) -> None:
        """Nothing is done here."""

    def shutdown(self) -> None:
        """Nothing is kept open."""

    def force_flush(self, timeout_millis: int = 30000) -> bool:
        """Nothing waits."""
        return True


def main(program: Path, run: str, file: Path) -> None:
    """Record one run."""
    from opentelemetry import trace
    from opentelemetry.sdk.trace import TracerProvider

    recorder, provider = Recorder(), TracerProvider()
    provider.add_span_processor(recorder)
    trace.set_tracer_provider(provider)
    specification = importlib.util.spec_from_file_location("program", program)
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    with serving(getattr(module, "script", script)(run)) as address:
        module.run(provider, look_up_customer, address)
    provider.force_flush()
    file.write_text("".join(json.dumps(span) + "\n" for span in recorder.spans))


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3]))
