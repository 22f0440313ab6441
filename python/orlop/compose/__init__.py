"""Compose files, read as the reference library of Docker Compose reads them.

    from orlop.compose import read_compose

    project = read_compose("compose.yaml")

Needs the extra `orlop[compose]`.
"""

from .project import Note, Project, read_compose
from .source import ComposeError

__all__ = ["ComposeError", "Note", "Project", "read_compose"]
