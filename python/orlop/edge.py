"""Names for the option `allow_hosts` of `orlop.asgi.app`."""

from .serving.edge import LOOPBACK_HOSTS

__all__ = ["LOOPBACK_HOSTS"]
