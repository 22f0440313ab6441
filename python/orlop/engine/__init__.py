"""The engine in real time: requests, ticks, events, batches, backups, and its form for asyncio."""
