"""Cancellation of the tasks of an event loop."""

from __future__ import annotations

import asyncio


async def cancel_others() -> None:
    """Cancels all other tasks of the loop, and waits for their end."""
    tasks = asyncio.all_tasks() - {asyncio.current_task()}
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
