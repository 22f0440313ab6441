"""The engine as an ASGI 3 application: `orlop.asgi.app(engine)`."""

from .serving.asgi import Application, app

__all__ = ["Application", "app"]
