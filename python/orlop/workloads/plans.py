"""The plan of a step for a container engine."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .. import _core
from ..base.wire import dumps, loads

if TYPE_CHECKING:
    from collections.abc import Mapping


def container_plan(
    configuration: Mapping[str, Any] | str | bytes, options: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """Maps the configuration of a step to requests of the Docker Engine API, which Docker and Podman serve.

    The plan has the bodies that create the network, the volumes and the containers of the service, and its files,
    ports, probes and image, with the secrets of the configuration. The same input gives the same plan. `options` are
    those of `orlop_container_plan` (include/orlop/workloads.h). Raises `Misuse` for a service that no container engine
    runs, such as a Helm service.
    """
    text = _text_of(configuration)
    plan: dict[str, Any] = loads(_core.container_plan(text, _text_of(options or {})).encode())
    return plan


def _text_of(given: Mapping[str, Any] | str | bytes) -> str:
    if isinstance(given, str):
        return given
    if isinstance(given, bytes):
        return given.decode()
    return dumps(dict(given)).decode()
