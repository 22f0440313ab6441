"""The custom domains of a simulation: delays and failures of DNS records and certificates."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .rules import ScriptedRules, control, given_of

if TYPE_CHECKING:
    from .durations import Duration


class Domains(ScriptedRules):
    """Rules of custom domains. The last added rule that matches a domain applies; without one its DNS record and
    certificate exist at once."""

    _what = "domains"

    def add(
        self,
        *,
        rule: str = "",
        domain: str = "",
        probability: float | None = None,
        dns_after: Duration | None = None,
        certificate_after: Duration | None = None,
        dns_fails: str = "",
        status: str = "",
        certificate_fails: str = "",
    ) -> None:
        """Adds a rule for the custom domains whose name matches `domain` (`*` and `?` are wildcards), with a
        `probability` of 0 to 1.

        The DNS record is known `dns_after` the last change of the custom domain; the certificate is issued
        `certificate_after` that. With `dns_fails` the record is wrong, with this reason and the `status`
        GENERIC_FAILURE, DOMAIN_LINKED_TO_WRONG_HOST or DOMAIN_NOT_CONFIGURED; with `certificate_fails` no certificate
        is issued. The check of the domains of a service returns these. Durations are seconds, texts like "10m", or
        random: `orlop.lognormal("10m", sigma=0.5)`. Raises `Misuse`.
        """
        control(self._core, "POST", "domains", given_of(Domains.add, locals()), "")
