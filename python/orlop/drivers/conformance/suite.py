"""`check`: tries the rules of the driver contract on a driver."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ...errors import Error, Misuse, text_of
from ...options.arguments import callback, nearest_hint, number, shown, texts, whole
from . import deploy_rules, interruption_rules, lifecycle_rules  # noqa: F401 - they register their rules
from .bench import Setup
from .report import FAILED, NOT_APPLICABLE, PASSED, Broken, NotApplicable, DriverReport, RuleResult
from .rule import RULES as _RULES
from .rule import Rule

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from ..driver import Driver
    from .view import Probe

RULES = {name: rule.statement for name, rule in _RULES.items()}
"""Statements of the rules by their names, in the order in which they are tried."""

_CONTAINER = {"image_name": "acme/web", "tag": "1"}
_REGISTRY = {"kind": "DOCKER_HUB", "config": {}}
_FAMILIES = ("applications", "containers", "databases", "helms")


def check(
    driver_factory: Callable[[], Driver],
    *,
    service: Mapping[str, Any] | None = None,
    slow: Mapping[str, Any] | None = None,
    broken: Mapping[str, Any] | None = None,
    job: Mapping[str, Any] | None = None,
    family: str = "containers",
    registry: Mapping[str, Any] | None = None,
    probe: Probe | None = None,
    only: Iterable[str] = (),
    patience: float = 60.0,
    settle: float = 5.0,
    points: int = 8,
) -> DriverReport:
    """Tries the rules of the driver contract, each with a fresh engine on a store of its own.

    `driver_factory` is called for each engine. The drivers that it makes must see the same workloads, as those of a
    host do that is started again.

    `service` has the fields of the services that are deployed, `family` the name of their collection, `registry` the
    fields of the registry that containers come from. By default they are containers of `acme/web:1`. A driver that
    really deploys needs an image that is there. `slow` has the fields that differ in a service whose deployment does
    not end by itself, such as a readiness probe that fails; `broken` those of one whose deployment fails. `job` has the
    fields of a job that ends by itself.

    What runs is seen by `probe`, which lists the workloads of an environment; without it by the driver's own method
    `workloads`, else by its `observe`. Rules that need to see more are not applicable.

    `only` names the rules to try. `patience` bounds the time in seconds that a step takes, `settle` that after which
    what is seen must be right, and `points` the number of points of a step at which its host is killed.
    """
    rules = _chosen(only)
    callback("probe", probe)
    if not isinstance(family, str) or family not in _FAMILIES:
        raise Misuse(f"family must be one of {', '.join(_FAMILIES)}, not {shown(family)}")
    given = {"service": service, "slow": slow, "broken": broken, "job": job, "registry": registry}
    fields = {name: _fields(name, value) for name, value in given.items()}
    default = _CONTAINER if family == "containers" else {}
    setup = Setup(
        factory=driver_factory,
        family=family,
        service=default if fields["service"] is None else fields["service"],
        slow=fields["slow"],
        broken=fields["broken"],
        job=fields["job"],
        registry={**_REGISTRY, **(fields["registry"] or {})},
        probe=probe,
        patience=_seconds("patience", patience),
        settle=_seconds("settle", settle),
        points=whole("points", points, 2, 1000),
    )
    driver = _made(driver_factory)
    outcomes: dict[str, RuleResult] = {}
    with _quiet():
        for name in rules:
            _try(_RULES[name], setup, outcomes)
    return DriverReport(type(driver).__name__, tuple(outcomes[name] for name in rules))


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Keeps the tracebacks of methods that fail out of the logger: rules provoke them, and results name them."""
    log = logging.getLogger("orlop.driver")
    before, log.disabled = log.disabled, True
    try:
        yield
    finally:
        log.disabled = before


def _made(factory: Callable[[], Driver]) -> Driver:
    """Makes the first driver. Raises `Misuse` if none can be made."""
    from ..driver import Driver
    from ..driver_check import check as check_driver

    if not callable(factory):
        raise Misuse(f"driver_factory must be a class of drivers or a function that makes one, not {shown(factory)}")
    try:
        driver = factory()
    except Error:
        raise
    except Exception as error:
        said = f"{type(error).__name__}: {text_of(error)}"
        raise Misuse(f"driver_factory must make a driver when it is called without arguments ({said})") from error
    check_driver(driver, Driver)
    return driver


def _fields(name: str, given: object) -> dict[str, Any] | None:
    if given is None:
        return None
    if not isinstance(given, Mapping) or not all(isinstance(key, str) for key in given):
        raise Misuse(f"{name} must be a mapping of names of fields to values, not {shown(given)}")
    return dict(given)


def _seconds(name: str, given: object) -> float:
    seconds = number(name, given)
    if seconds <= 0:
        raise Misuse(f"{name} must be more than 0 seconds, not {shown(given)}")
    return seconds


def _chosen(only: Iterable[str]) -> list[str]:
    given = [only] if isinstance(only, str) else texts("only", only)
    for name in given:
        if not isinstance(name, str) or name not in _RULES:
            raise Misuse(f"only must name rules, not {shown(name)}{nearest_hint(shown(name), _RULES)}")
    return [name for name in _RULES if not given or name in given]


def _try(rule: Rule, setup: Setup, outcomes: dict[str, RuleResult]) -> RuleResult:
    if rule.name not in outcomes:
        outcomes[rule.name] = _tried(rule, setup, outcomes)
    return outcomes[rule.name]


def _tried(rule: Rule, setup: Setup, outcomes: dict[str, RuleResult]) -> RuleResult:
    def result(outcome: str, reason: str = "") -> RuleResult:
        return RuleResult(rule.name, rule.statement, outcome, reason)

    if rule.needs:
        needed = _try(_RULES[rule.needs], setup, outcomes)
        if needed.outcome != PASSED:
            said = "fails" if needed.outcome == FAILED else "is not applicable"
            return result(NOT_APPLICABLE, f"the rule {rule.needs}, on which this one is based, {said}")
    try:
        rule.run(setup)
    except Broken as error:
        return result(FAILED, str(error))
    except NotApplicable as error:
        return result(NOT_APPLICABLE, str(error))
    except Misuse:
        raise
    except Exception as error:
        return result(FAILED, f"{type(error).__name__}: {text_of(error)}")
    return result(PASSED)
