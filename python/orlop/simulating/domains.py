"""The custom domains of a simulation: how long DNS records and certificates take, and how they fail."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..checking.arguments import mappings
from ..live import Live
from .rules import control

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from .. import _core
    from .durations import Duration


class Domains(Live):
    """Rules of custom domains. The last added rule that fits a domain applies; without one its DNS record and certificate are there at once."""

    def __init__(self, core: _core.Engine) -> None:
        self._core = core

    def add(
        self, *, rule: str = "", domain: str = "", probability: float | None = None, dns_after: Duration | None = None, certificate_after: Duration | None = None,
        dns_fails: str = "", status: str = "", certificate_fails: str = "",
    ) -> None:  # fmt: skip
        """Adds a rule for the custom domains whose name fits `domain` (`*` and `?` are wildcards), with a `probability` of 0 to 1.

        The DNS record is known `dns_after` the last change of the custom domain; the certificate is issued `certificate_after` that. With `dns_fails` the record is wrong, with
        this reason and the `status` GENERIC_FAILURE, DOMAIN_LINKED_TO_WRONG_HOST or DOMAIN_NOT_CONFIGURED; with `certificate_fails` no certificate is issued. The check of the
        domains of a service answers so. Durations are seconds, texts like "10m", or random: `orlop.lognormal("10m", sigma=0.5)`. Raises `Misuse`.
        """
        given = {name: value for name, value in locals().items() if name != "self" and value is not None and value != ""}
        control(self._core, "POST", "domains", given, "")

    def load(self, rules: Iterable[Mapping[str, Any]]) -> None:
        """Adds rules, all or nothing: mappings with the arguments of `add` as members."""
        control(self._core, "POST", "domains", {"domains": mappings("rules", rules)}, "")

    def clear(self) -> None:
        """Removes all rules."""
        control(self._core, "DELETE", "domains")

    def __iter__(self) -> Iterator[dict[str, Any]]:
        found: list[dict[str, Any]] = control(self._core, "GET", "domains")["domains"]
        return iter(found)
