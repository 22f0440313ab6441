"""Volumes of a service: storage, mounts of named volumes and of host paths, memory mounts, and files as variables."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from .service_variables import FileVariables, text_of

if TYPE_CHECKING:
    from .project_contents import ProjectContents

    NoteAt = Callable[[tuple[str | int, ...], str], None]

_DRIVER_KEYS = ("driver", "driver_opts", "labels")


class Mounts:
    """Maps the volumes of all services of a project."""

    def __init__(
        self, project: ProjectContents, files: FileVariables, note: NoteAt, volumes: str, storage_size: int
    ) -> None:
        self.project, self.files, self.note = project, files, note
        self.volumes, self.storage_size = volumes, storage_size
        self.resources: dict[str, Any] = {}
        """Volumes of the environment by name."""
        self.uses = Counter(
            mount["source"]
            for service in project.services.values()
            for mount in self.of(service)
            if mount["type"] == "volume" and mount.get("source")
        )

    def of(self, service: dict[str, Any]) -> list[dict[str, Any]]:
        """Returns the mounts of a service, and those of the services that it takes volumes from."""
        found = list(service.get("volumes", ()))
        for text in service.get("volumes_from", ()):
            source, _, mode = text.partition(":")
            if source != "container" and source in self.project.services:
                for mount in self.project.services[source].get("volumes", ()):
                    found.append({**mount, "read_only": True} if mode == "ro" else mount)
        targets = [mount["target"] for mount in service.get("volumes", ())]
        own = len(targets)
        return found[:own] + [mount for mount in found[own:] if mount["target"] not in targets]

    def add(
        self,
        name: str,
        service: dict[str, Any],
        fields: dict[str, Any],
        runtime: dict[str, Any],
        variables: dict[str, Any],
    ) -> None:
        """Adds the mounts of a service to its fields, to `runtime` and to its variables."""
        storage: list[dict[str, Any]] = []
        mounts: list[dict[str, Any]] = []
        tmpfs = [_tmpfs(text) for text in service.get("tmpfs", ())]
        for at, mount in enumerate(self.of(service)):
            path = ("services", name, "volumes", at)
            if not mount["target"].startswith("/"):
                said = f"{self.shown(path)} is left out: its target {mount['target']} is no absolute path"
                drive = "; one letter before a colon is read as a drive of Windows, so give the volume a longer name"
                self.note(path, said + (drive if ":" in mount["target"] or mount["type"] == "bind" else ""))
            elif mount["type"] == "tmpfs":
                own = mount.get("tmpfs", {})
                sizes = {key: int(own[key]) for key in ("size", "mode") if key in own}
                tmpfs.append({"mount_point": mount["target"], **sizes})
            elif mount["type"] == "bind":
                self.bind(path, mount, mounts, variables)
            elif mount["type"] == "volume":
                self.volume(path, mount, storage, mounts)
            else:
                said = f"services.{name}.volumes[{at}] has the type {mount['type']}, which is not honoured"
                self.note(path, said)
        for text in service.get("volumes_from", ()):
            if text.startswith("container:"):
                self.note(("services", name, "volumes_from"), f"services.{name}.volumes_from {text} is not honoured")
        if storage:
            fields["storage"] = storage
        for key, found in (("mounts", mounts), ("tmpfs", tmpfs)):
            if found:
                runtime[key] = found

    def bind(
        self,
        path: tuple[str | int, ...],
        mount: dict[str, Any],
        mounts: list[dict[str, Any]],
        variables: dict[str, Any],
    ) -> None:
        """A text file of the project that cannot be run becomes a variable, everything else stays on the host."""
        source, target = mount["source"], mount["target"]
        is_inside = source.startswith(self.project.directory.rstrip("/") + "/")
        content = text_of(source) if is_inside and not os.access(source, os.X_OK) and os.path.isfile(source) else None
        is_executable = os.path.isfile(source) and os.stat(source).st_mode & 0o111
        if content is not None and not is_executable:
            self.files.put(variables, f"file_{os.path.basename(source)}", content, target, False)
            if not mount.get("read_only"):
                said = f"{self.shown(path)} is mounted as its present text: the container cannot write to it"
                self.note(path, said)
            return
        if is_inside and not os.path.exists(source):
            said = f"{self.shown(path)} mounts {source}, which is not there: a folder is made"
            self.note(path, said)
        own = mount.get("bind", {})
        made = {"type": "HOST_PATH", "source": source, "mount_point": target}
        if mount.get("read_only"):
            made["read_only"] = True
        for key in ("propagation", "selinux"):
            if key in own:
                made[key] = own[key]
        if "create_host_path" not in own and "bind" in mount:
            made["create_host_path"] = True
        mounts.append(made)

    def volume(
        self,
        path: tuple[str | int, ...],
        mount: dict[str, Any],
        storage: list[dict[str, Any]],
        mounts: list[dict[str, Any]],
    ) -> None:
        name, own = mount.get("source", ""), mount.get("volume", {})
        resource = self.project.volumes.get(name, {})
        is_plain = not mount.get("read_only") and not any(own.get(key) for key in ("nocopy", "subpath"))
        is_named = bool(name) and self.project.given("volumes", name, "name") != f"{self.project.name}_{name}"
        is_local = resource.get("driver") in (None, "local") and not resource.get("driver_opts")
        is_own = self.uses[name] <= 1 and is_local and not resource.get("external") and not is_named
        if not name or (self.volumes == "storage" and is_plain and is_own):
            storage.append({"type": "FAST_SSD", "size": self.storage_size, "mount_point": mount["target"]})
            if name:
                has = f"has {self.storage_size} GiB and is deleted with its service"
                self.note(path, f"{self.shown(path)}: the volume {name} {has}")
            return
        self.resources[name] = self.resource(name, resource)
        made = {"type": "VOLUME", "source": name, "mount_point": mount["target"]}
        if mount.get("read_only"):
            made["read_only"] = True
        if own.get("nocopy"):
            made["no_copy"] = True
        if own.get("subpath"):
            made["sub_path"] = own["subpath"]
        mounts.append(made)

    @staticmethod
    def resource(name: str, given: dict[str, Any]) -> dict[str, Any]:
        made: dict[str, Any] = {"name": given.get("name", name)}
        if given.get("external"):
            made["external"] = True
        made.update({key: given[key] for key in _DRIVER_KEYS if given.get(key)})
        return made

    @staticmethod
    def shown(path: tuple[str | int, ...]) -> str:
        return f"services.{path[1]}.volumes[{path[3]}]"


def _tmpfs(text: str) -> dict[str, Any]:
    """Returns a memory mount: `/run:size=64m,mode=1777`."""
    from .units import size_of

    target, _, options = text.partition(":")
    made: dict[str, Any] = {"mount_point": target}
    others = []
    for option in filter(None, options.split(",")):
        key, _, value = option.partition("=")
        if key == "size" and not value.endswith("%"):
            made["size"] = size_of(value)
        elif key == "mode" and value:
            made["mode"] = int(value, 8)
        else:
            others.append(option)
    if others:
        made["options"] = others
    return made
