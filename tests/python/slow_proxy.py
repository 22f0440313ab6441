"""A proxy that delays every byte, as a network between two machines does."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Iterator


@contextlib.contextmanager
def delayed(port: int, seconds: float) -> Iterator[int]:
    """Yields the port of a proxy to `port` of this machine; each part takes `seconds` in each direction."""
    loop = asyncio.new_event_loop()
    ready: list[int] = []
    started = threading.Event()
    stopping = asyncio.Event()

    async def carry(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        parts: asyncio.Queue[tuple[float, bytes]] = asyncio.Queue()

        async def send() -> None:
            while True:
                due, part = await parts.get()
                await asyncio.sleep(max(0.0, due - loop.time()))
                if not part:
                    writer.close()
                    return
                writer.write(part)
                await writer.drain()

        sending = asyncio.ensure_future(send())
        with contextlib.suppress(OSError):
            while part := await reader.read(65536):
                parts.put_nowait((loop.time() + seconds, part))
        parts.put_nowait((loop.time() + seconds, b""))
        with contextlib.suppress(OSError):
            await sending

    async def connect(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            onward = await asyncio.open_connection("127.0.0.1", port)
        except OSError:
            writer.close()
            return
        await asyncio.gather(carry(reader, onward[1]), carry(onward[0], writer))

    async def serve() -> None:
        server = await asyncio.start_server(connect, "127.0.0.1", 0)
        ready.append(server.sockets[0].getsockname()[1])
        started.set()
        await stopping.wait()
        server.close()
        left = asyncio.all_tasks() - {asyncio.current_task()}
        for task in left:
            task.cancel()
        await asyncio.gather(*left, return_exceptions=True)

    thread = threading.Thread(target=loop.run_until_complete, args=(serve(),), daemon=True)
    thread.start()
    started.wait()
    try:
        yield ready[0]
    finally:
        loop.call_soon_threadsafe(stopping.set)
        thread.join()
        loop.close()
