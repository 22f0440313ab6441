"""The driver that deploys services as containers of Docker or Podman."""

from .containers import Containers as Containers
