"""An ASGI server with a platform below /platform: run `uvicorn mount:application`."""

import threading
from typing import Any

import orlop
from orlop import asgi

engine = orlop.Engine()  # with a path, a driver, and authentication="required" as soon as others can connect
platform = asgi.app(engine)
threading.Thread(target=engine.run, daemon=True).start()  # moves deployments on


async def application(scope: Any, receive: Any, send: Any) -> None:
    """Routes requests to the platform or to the server's own pages, and handles startup and shutdown."""
    if scope["type"] == "http" and scope["path"].startswith("/platform/"):
        await platform({**scope, "root_path": "/platform"}, receive, send)
    elif scope["type"] == "http":
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-type", b"text/plain")]})
        await send({"type": "http.response.body", "body": b"a page of the server\n"})
    else:
        await platform(scope, receive, send)
