"""External systems in the box, which answer the engine's questions: git repositories, container registries, Helm
repositories, versions of Terraform, Argo CD, Prometheus.

    from orlop.externals import Combined, Git, Registries

    engine = orlop.Engine("platform.db", external_systems=Combined(Git(), Registries()))

All but `Git` need the extra `orlop[externals]`. Addresses come from the configuration of users: nothing but the public
internet is reached, except for the hosts and ranges of `allow`.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .argocd import ArgoCd
    from .combined import Combined
    from .git import Git
    from .helm_repositories import HelmRepositories
    from .prometheus import Prometheus
    from .registries import Registries
    from .terraform import Terraform

__all__ = ["ArgoCd", "Combined", "Git", "HelmRepositories", "Prometheus", "Registries", "Terraform"]

# Imported at first use: each needs other packages.
_LATER = {
    "ArgoCd": "argocd",
    "Combined": "combined",
    "Git": "git",
    "HelmRepositories": "helm_repositories",
    "Prometheus": "prometheus",
    "Registries": "registries",
    "Terraform": "terraform",
}


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module 'orlop.externals' has no attribute {name!r}")
    from importlib import import_module

    try:
        value = getattr(import_module(f"{__name__}.{_LATER[name]}"), name)
    except ModuleNotFoundError as error:
        if error.name and error.name.split(".")[0] in ("httpx", "httpcore", "semver"):
            raise ModuleNotFoundError(
                f"{error.name} is missing, which {name} needs: pip install 'orlop[externals]'", name=error.name
            ) from error
        raise
    globals()[name] = value
    return value
