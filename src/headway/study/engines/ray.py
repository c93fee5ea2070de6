"""Runs work on a Ray cluster: one task for each item.

Ray restarts a task when its worker or node dies. A task that kills its worker every time is given up, like one that
raises an exception every time. Every node needs the same version of Headway.
"""

import os
import socket
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from headway.study.engines import MAX_ATTEMPTS, Common, Failure, Item, Result, failure

TASKS_PER_CORE = 2
"""Tasks in progress for each core, so that the next one starts without delay."""


class RayEngine:
    """Tasks on a cluster, or on this machine if there is no address. Results are in the order of completion."""

    def __init__(self, address: str | None = None, workers: int | None = None, tries: int = MAX_ATTEMPTS) -> None:
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # nothing about a scan leaves the cluster
        os.environ.setdefault("RAY_task_oom_retries", str(tries - 1))  # unlimited if it is not set
        import ray  # an extra, and slow to import

        self._ray: Any = ray
        self._tries = tries
        self._owns = not ray.is_initialized()
        if self._owns:
            _check(address or "")
            local = {} if address else {"num_cpus": workers, "include_dashboard": False}
            ray.init(address=address or "local", log_to_driver=False, logging_level="ERROR", **local)
        self._most = workers

    @property
    def workers(self) -> int:
        """The requested number, or the number of cores of the cluster, which may grow."""
        return self._most or max(1, int(self._ray.cluster_resources().get("CPU", 1)))

    def run(
        self, work: Callable[[Item, Common], Result], items: Iterable[Item], common: Common
    ) -> Iterator[tuple[Item, Result | Failure]]:
        """The result of each item, in any order."""
        ray = self._ray
        task = ray.remote(num_cpus=1, max_retries=self._tries - 1)(work)
        shared = ray.put(common)
        waiting = iter(items)
        under_way: dict[Any, tuple[Item, int]] = {}
        try:
            while True:
                room = self._most or self.workers * TASKS_PER_CORE
                while len(under_way) < room and (item := next(waiting, None)) is not None:
                    under_way[task.remote(item, shared)] = item, 1
                if not under_way:
                    return
                for ready in ray.wait(list(under_way), num_returns=1)[0]:
                    item, tries = under_way.pop(ready)
                    result = self._result(ready)
                    if isinstance(result, _Raised) and tries < self._tries:
                        under_way[task.remote(item, shared)] = item, tries + 1
                    else:
                        yield item, failure(result.error) if isinstance(result, _Raised) else result
        finally:
            for reference in under_way:
                ray.cancel(reference, force=True)

    def _result(self, reference: Any) -> Any:
        """The result of a task. An exception may be gone the next time; Ray itself has retried a dead worker."""
        errors = self._ray.exceptions
        try:
            return self._ray.get(reference)
        except errors.RayTaskError as error:
            return _Raised(error.cause if isinstance(error.cause, Exception) else error)
        except errors.RayError as error:
            return Failure(f"the process that read it died, perhaps for lack of memory ({type(error).__name__})")

    def close(self) -> None:
        """Disconnect from the cluster; shut it down if it was started here."""
        if self._owns:
            self._ray.shutdown()


def _check(address: str) -> None:
    """Raise at once if nothing answers there. Ray would try for minutes."""
    host, _, port = address.rpartition("://")[2].rpartition(":")
    if host and port.isdigit():
        socket.create_connection((host.strip("[]"), int(port)), timeout=10).close()


class _Raised:
    """An exception that the work raised."""

    def __init__(self, error: BaseException) -> None:
        self.error = error
