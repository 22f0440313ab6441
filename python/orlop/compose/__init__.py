"""Compose files, read as the reference library of Docker Compose reads them, and what becomes of them on the platform.

    from orlop.compose import read_compose

    project = read_compose("compose.yaml")
    platform = project.to_platform()

Needs the extra `orlop[compose]`.
"""

from .platform import Platform
from .project import Project, read_compose
from .project_contents import Note
from .source import ComposeError

__all__ = ["ComposeError", "Note", "Platform", "Project", "read_compose"]
