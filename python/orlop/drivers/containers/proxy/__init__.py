"""The reverse proxy of the driver for containers: one HAProxy of this machine for the public HTTP ports of services."""

from .proxy import Proxy as Proxy
from .proxy import ServiceRoutes as ServiceRoutes
from .proxy import has_routes as has_routes
