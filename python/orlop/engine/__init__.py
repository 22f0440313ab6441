"""The engine in real time: requests, ticks, events, batches and backups; also for asyncio."""
