"""Volumes and folders that containers mount."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from ...errors import DriverFailed

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..driver import Step
    from .engine_api import EngineApi


def ensure(api: EngineApi, plan: Mapping[str, Any], index: int, step: Step) -> list[dict[str, Any]]:
    """Makes the volumes and folders of a copy of the service that are not there. Returns its mounts."""
    prefix = str(plan["label_prefix"])
    instance = plan["instances"][index]
    for volume in instance["volumes"]:
        made = api.create_volume(volume, step)
        of_service, of_environment = f"{prefix}service-id", f"{prefix}environment-id"
        key = of_service if of_service in volume["Labels"] else of_environment
        owner = (made.get("Labels") or {}).get(key)
        if owner != volume["Labels"][key]:
            raise DriverFailed(f"the volume {volume['Name']} belongs to another service or environment, {owner}")
    mounts: list[dict[str, Any]] = instance["mounts"]
    for mount in mounts if api.is_local else ():
        if mount["Type"] == "bind":
            _make_folder(str(mount["Source"]))
    return mounts


def _make_folder(path: str) -> None:
    """Makes a folder of the machine that is mounted and not there, as Docker does for a short mount."""
    if os.path.lexists(path):
        return
    try:
        os.makedirs(path, exist_ok=True)
    except OSError as error:
        raise DriverFailed(f"the folder {path} cannot be made: {error.strerror}") from None
