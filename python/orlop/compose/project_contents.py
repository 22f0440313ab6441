"""The contents of a Compose project, and notes about them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from .source import Map, Mark, mark_at

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .loader import Reading


class Note(NamedTuple):
    """A key that is not honoured, or a value that probably is not what is meant."""

    file: str
    line: int
    service: str
    """The name of the service, empty if the note is not about one."""
    key: str
    """The key below the service, or the path from the top of the file."""
    text: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.text}"


class ProjectContents:
    """The contents of a project. The members have the forms that the reference library compose-go gives them."""

    name: str
    """Name of the project."""
    directory: str
    """Absolute folder that relative paths of the first file start from."""
    environment: dict[str, str]
    """Variables for values: those of the caller and of files such as `.env`."""
    services: dict[str, dict[str, Any]]
    """Active services by name."""
    disabled_services: dict[str, dict[str, Any]]
    """Services without an active profile, by name."""
    jobs: dict[str, dict[str, Any]]
    """Active jobs by name."""
    networks: dict[str, dict[str, Any]]
    """Networks by name, with the network `default` if a service is in it."""
    volumes: dict[str, dict[str, Any]]
    """Named volumes by name."""
    secrets: dict[str, dict[str, Any]]
    """Secrets by name. The value of one that the environment holds is in `secret`."""
    configs: dict[str, dict[str, Any]]
    """Configs by name."""
    models: dict[str, Any]
    """Language models by name."""
    warnings: list[Note]
    """Values that probably are not what is meant, such as variables without a value."""

    def __init__(self, name: str, directory: str, reading: Reading, environment: dict[str, str]) -> None:
        self.name = name
        self.directory = directory
        self.environment = environment
        self.services, self.disabled_services, self.jobs, self.networks = {}, {}, {}, {}
        self.volumes, self.secrets, self.configs, self.models = {}, {}, {}, {}
        self.warnings = []
        self._tree = Map()
        self._reading = reading

    def mark(self, *path: str | int) -> Mark:
        """Returns the line of the value at the path, or of the nearest value above it."""
        return mark_at(self._tree, path) or Mark(self.directory, 1)

    def note(self, path: Sequence[str | int], text: str) -> Note:
        """Returns a note about the value at the path, which begins with `services` and the name of one, or another
        section."""
        mark = self.mark(*path)
        parts = [str(part) for part in path]
        is_service = parts[:1] == ["services"] and len(parts) > 1
        return Note(
            mark.file, mark.line, parts[1] if is_service else "", ".".join(parts[2 if is_service else 0 :]), text
        )

    def given(self, *path: str | int) -> Any:
        """Returns the value at the path as the merged files have it, None if there is none."""
        value: Any = self._tree
        for part in path:
            if isinstance(value, dict):
                value = value.get(str(part))
            elif isinstance(value, list) and isinstance(part, int) and part < len(value):
                value = value[part]
            else:
                return None
        return value

    def secret(self, name: str) -> str | None:
        """Returns the value of a secret that the caller's environment holds."""
        value = self.given("secrets", name, "x-#value")
        return None if value is None else str(value)

    def as_json(self) -> dict[str, Any]:
        """Returns the project as compose-go writes it as JSON."""
        made: dict[str, Any] = {"name": self.name, "services": self.services}
        for key in ("networks", "volumes", "secrets", "configs", "jobs", "models"):
            if getattr(self, key):
                made[key] = getattr(self, key)
        hidden = "content"
        for key in ("secrets", "configs"):
            if key in made:
                made[key] = {
                    name: {
                        part: value
                        for part, value in given.items()
                        if part != hidden or (key == "configs" and "environment" not in given)
                    }
                    for name, given in made[key].items()
                }
        return made
