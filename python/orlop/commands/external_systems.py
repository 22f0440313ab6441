"""The flags of `orlop serve` about external systems: those in the box by name, and the host's own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..errors import Misuse
from ..options.arguments import nearest_hint, shown

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable

    from ..generated.external_systems import ExternalSystems

BOXED = ("argocd", "git", "helm", "prometheus", "registries", "terraform")
HELP = (
    f" MODULE:NAME of a class, or of a function that makes one, or a system in the box: {', '.join(BOXED)} (all but "
    f"git need orlop[externals]). Several are separated by commas; the first that answers a question counts."
)
_PAIRS = {
    "git_server": "--git-server must be PROVIDER=URL, with one of GITHUB, GITLAB and BITBUCKET",
    "terraform_index": "--terraform-index must be ENGINE=URL, with one of TERRAFORM and OPEN_TOFU",
}
_NEEDED_BY = {
    "external_allow": BOXED,
    "git_server": ("git",),
    "prometheus": ("prometheus",),
    "terraform_index": ("terraform",),
}


def add(group: Any) -> None:
    """Adds the flags that the systems in the box have."""
    group.add_argument(
        "--external-allow",
        action="append",
        default=[],
        metavar="TEXT",
        help="a host, address or range like 10.0.0.0/8 that the external systems in the box may reach in addition to "
        "the public internet, also by http; may be repeated",
    )
    group.add_argument(
        "--git-server",
        action="append",
        default=[],
        metavar="PROVIDER=URL",
        help="for git: the server of GITHUB, GITLAB or BITBUCKET, if it is a company's own; may be repeated",
    )
    group.add_argument(
        "--terraform-index",
        action="append",
        default=[],
        metavar="ENGINE=URL",
        help="for terraform: the index of the versions of TERRAFORM or OPEN_TOFU; may be repeated",
    )
    group.add_argument("--prometheus", metavar="URL", help="for prometheus: the server that checks PromQL")


def check(given: argparse.Namespace) -> None:
    """Refuses flags that do not fit each other."""
    names = _names(given)
    boxed = [name for name in names if ":" not in name]
    for name in boxed:
        if name not in BOXED:
            raise Misuse(
                f"--external-systems must be MODULE:NAME or one of {', '.join(BOXED)}, not "
                f"{shown(name)}{nearest_hint(name, BOXED)}"
            )
        if names.count(name) > 1:
            raise Misuse(f"--external-systems must name each system once, not {name} twice")
    if given.sim and boxed:
        raise Misuse(f"a simulation touches nothing real: --external-systems {boxed[0]} and --sim exclude each other")
    for option, systems in _NEEDED_BY.items():
        if getattr(given, option) and not set(systems) & set(boxed):
            flag = "--" + option.replace("_", "-")
            raise Misuse(f"{flag} belongs to --external-systems {systems[0] if len(systems) == 1 else 'in the box'}")
    for option, flag in (("terraform_index", "terraform"), ("prometheus", "prometheus")):
        if flag in boxed and not getattr(given, option):
            raise Misuse(f"--external-systems {flag} needs --{option.replace('_', '-')}")


def systems_of(given: argparse.Namespace, named: Callable[[str], ExternalSystems]) -> ExternalSystems | None:
    """Returns the external systems of the flags as one; None if there are none. `named` makes that of MODULE:NAME."""
    made = [named(name) if ":" in name else _boxed(name, given) for name in _names(given)]
    if len(made) < 2:
        return made[0] if made else None
    from ..externals import Combined

    return Combined(*made)


def _names(given: argparse.Namespace) -> list[str]:
    return [] if given.external_systems is None else [name.strip() for name in given.external_systems.split(",")]


def _boxed(name: str, given: argparse.Namespace) -> ExternalSystems:
    from .. import externals

    allow: list[str] = given.external_allow
    try:
        if name == "git":
            return externals.Git(allow=allow, servers=_pairs(given, "git_server"))
        if name == "registries":
            return externals.Registries(allow=allow)
        if name == "helm":
            return externals.HelmRepositories(allow=allow)
        if name == "terraform":
            return externals.Terraform(_pairs(given, "terraform_index"), allow=allow)
        if name == "argocd":
            return externals.ArgoCd(allow=allow)
        return externals.Prometheus(given.prometheus, allow=allow)
    except ModuleNotFoundError as error:
        raise Misuse(str(error)) from error


def _pairs(given: argparse.Namespace, option: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for entry in getattr(given, option):
        name, equals, url = entry.partition("=")
        if not equals or not url or name in found:
            raise Misuse(f"{_PAIRS[option]}, each once, not {shown(entry)}")
        found[name] = url
    return found
