"""Sends notifications while the service runs."""

import asyncio

from starlette.concurrency import run_in_threadpool

from headway.hosts.notifications import send_due, user_notify
from headway.store.faults import note_fault

CHECK_SECONDS = 2.0


async def notify_for_ever() -> None:
    """Send due notices until this task is cancelled. Settings are read each time."""
    while True:
        try:
            await run_in_threadpool(lambda: send_due(user_notify()))
        except Exception as error:  # a fault here must not end the service
            note_fault("notifications", error)
        await asyncio.sleep(CHECK_SECONDS)
