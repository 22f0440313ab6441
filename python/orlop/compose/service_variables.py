"""Variables of a service, and files that become variables: secrets, configs, and single files that are mounted."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .project_contents import ProjectContents

    NoteAt = Callable[[tuple[str | int, ...], str], None]

VALUE_MAX = 65_536
"""Bytes of a value."""
_SECRET = re.compile(
    r"(^|[_.-])(PASS|PASSWD|PASSWORD|PASSPHRASE|SECRET|SECRETS|TOKEN|TOKENS|CREDENTIALS?|API_?KEY|ACCESS_?KEY|"
    r"PRIVATE_?KEY|ENCRYPTION_?KEY|SECRET_?KEY|SIGNING_?KEY|JWT_?KEY|AUTH_?KEY|SALT|DSN)($|[_.-](BASE)?[0-9]*$)"
    r"|(PASSWORD|SECRET|TOKEN|APIKEY)$",
    re.IGNORECASE,
)
_NOT_A_KEY = re.compile(r"[\s{}]")


def is_secret(key: str, value: str) -> bool:
    """Reports whether a variable looks like a secret by its name. The path of a file with one is none."""
    return bool(_SECRET.search(key)) and not key.upper().endswith("_FILE") and value != ""


def variables_of(project: ProjectContents, name: str, service: dict[str, Any], note: NoteAt) -> dict[str, Any]:
    """Returns the variables of a service. One without a value does not exist."""
    made: dict[str, Any] = {}
    for key, value in service.get("environment", {}).items():
        if value is None:
            continue
        path = ("services", name, "environment", key)
        if not key or _NOT_A_KEY.search(key):
            note(path, f'the variable "{key}" of services.{name} is left out: a name holds no blank and no brace')
            continue
        if len(value.encode()) > VALUE_MAX or "\0" in value:
            note(
                path,
                f"the variable {key} of services.{name} is left out: a value has at most {VALUE_MAX} bytes, no NUL",
            )
            continue
        if "{{" in value:
            note(path, f"the variable {key} of services.{name} holds {{{{, which the platform replaces by variables")
        made[key] = {"value": value, "is_secret": is_secret(key, value)}
    return made


class FileVariables:
    """Adds files as variables with a mount path."""

    def __init__(self, project: ProjectContents, note: NoteAt) -> None:
        self.project = project
        self.note = note

    def add(self, name: str, service: dict[str, Any], variables: dict[str, Any]) -> None:
        """Adds the secrets and configs of a service."""
        for kind, folder, resources in (
            ("secrets", "/run/secrets/", self.project.secrets),
            ("configs", "/", self.project.configs),
        ):
            for at, given in enumerate(service.get(kind, ())):
                path = ("services", name, kind, at)
                source = given.get("source", "")
                target = given.get("target") or folder + source
                target = target if target.startswith("/") else folder + target
                for key in ("uid", "gid", "mode"):
                    if key in given:
                        self.note((*path, key), f"services.{name}.{kind}[{at}].{key} is not honoured")
                value = self.value(kind, source, resources.get(source, {}))
                if isinstance(value, str):
                    self.put(variables, f"{kind[:-1]}_{source}", value, target, kind == "secrets")
                else:
                    self.note(path, f"services.{name}.{kind}: {source} is left out: {value[0]}")

    def value(self, kind: str, name: str, resource: dict[str, Any]) -> str | tuple[str]:
        """Returns the content of a secret or config, or why there is none."""
        if resource.get("external"):
            return ("it is external, and the platform has no such secret",)
        if "environment" in resource:
            found = self.project.environment.get(resource["environment"])
            return found if found is not None else (f"the variable {resource['environment']} has no value",)
        if "content" in resource:
            return str(resource["content"])
        content = text_of(resource.get("file", ""))
        return content if content is not None else (f"{resource.get('file')} is no text of at most {VALUE_MAX} bytes",)

    @staticmethod
    def put(variables: dict[str, Any], key: str, value: str, target: str, is_secret: bool) -> None:
        """Adds a variable with a key of its own."""
        key = re.sub(r"[^A-Za-z0-9]+", "_", key).strip("_").upper()
        number = 1
        while (key if number == 1 else f"{key}_{number}") in variables:
            number += 1
        entry = {"value": value, "is_secret": is_secret, "mount_path": target}
        variables[key if number == 1 else f"{key}_{number}"] = entry


def text_of(path: str) -> str | None:
    """Returns the content of a file that fits into a variable, else None."""
    try:
        if not os.path.isfile(path) or os.path.getsize(path) > VALUE_MAX:
            return None
        with open(path, "rb") as file:
            content = file.read(VALUE_MAX + 1)
        text = content.decode()
    except (OSError, UnicodeDecodeError):
        return None
    return None if len(content) > VALUE_MAX or "\0" in text else text
