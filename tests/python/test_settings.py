"""Every setting of an engine is there in Python, reaches the engine, and refuses what it cannot be."""

from __future__ import annotations

import inspect
import re
from pathlib import Path
from typing import Any

import pytest

import orlop
from conftest import Platform, furnish

HEADER = Path(__file__).parents[2] / "include" / "orlop" / "orlop.h"

# Members of orlop_options that are no argument of their own, and why.
WITHOUT = {
    "size": "the version of the struct",
    "seeded": "follows from whether a seed is given",
    "simulation": "is the class: Engine or Simulation",
    "store": "its functions are called under locks, where Python must not run",
}
ENGINE_ALONE = {"driver": "a simulation's is scripted", "clock": "a simulation's time is virtual", "random_source": "follows from the seed"}
PYTHON_ALONE = {"port_timeout": "the library starts no thread that could end a call"}
SIMULATION_ALONE = {"start": "the system's clock starts nowhere"}


def members() -> set[str]:
    """The members of orlop_options, by the names that Python gives to them."""
    text = HEADER.read_text(encoding="utf-8")
    body = re.sub(r"//.*", "", text[text.index("typedef struct orlop_options {") : text.index("} orlop_options;")])
    found = re.findall(r"[\s*](\w+);", body)
    assert len(found) > 25
    return {name.removesuffix("_ms") for name in found if not name.endswith("_count")}


def arguments(kind: type[orlop.Engine]) -> set[str]:
    return set(inspect.signature(kind.__init__).parameters) - {"self"}


def given(name: str, value: Any) -> dict[str, Any]:
    return {name: value}


def test_every_option_of_the_library_is_an_argument() -> None:
    assert arguments(orlop.Engine) == members() - set(WITHOUT) - set(SIMULATION_ALONE) | set(PYTHON_ALONE)
    assert arguments(orlop.Simulation) == members() - set(WITHOUT) - set(ENGINE_ALONE) | set(PYTHON_ALONE)


@pytest.mark.parametrize("kind", [orlop.Engine, orlop.Simulation])
def test_each_refuses_what_it_cannot_be_and_is_named(kind: type[orlop.Engine]) -> None:
    for name in sorted(arguments(kind)):
        with pytest.raises(orlop.Misuse, match=rf"^{name} must be .*, not an object of the type object") as caught:
            kind(**given(name, object()))
        assert "incompatible" not in str(caught.value)


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("brand", "Acme!", "lower case letters"),
        ("busy", "wait", "one of queue, reject, not 'wait'"),
        ("durability", "half", "one of full, normal, not 'half'"),
        ("max_parallel_builds", 0, "1 to 4294967295, not 0"),
        ("max_parallel_deploys", 100_001, "max_parallel_deploys must be 1 to 100000"),
        ("max_parallel_deploys", True, "a whole number, not True"),
        ("history_kept", 3, "history_kept must be 20"),
        ("step_deadline", 0, "1 to .* milliseconds, not 0"),
        ("step_deadline", float("nan"), "finite number of at most 1e[+]15, not nan"),
        ("cancel_deadline", "soon", "a duration like 30s, 2m30s or 250ms, or a number of seconds, not 'soon'"),
        ("seed", -1, "seed must be 0 to 18446744073709551615, not -1"),
        ("seed", 1 << 20_000, "a number of too many digits"),
        ("rate_limit", 2**40, "rate_limit must be 0 to 4294967295"),
        ("kubernetes_versions", "1.30", "a list, not '1.30'"),
        ("kubernetes_versions", [1.3], "an entry of kubernetes_versions must be text"),
        ("webhook_allow", [b"10.0.0.0/8"], "an entry of webhook_allow must be text"),
        ("snapshot", "text", "snapshot must be bytes"),
        ("secret_key", b"short", "32 bytes, not 5"),
        ("previous_secret_keys", ["text"], "an entry of previous_secret_keys must be bytes"),
        ("mmap_size", -1, "mmap_size must be 0 to"),
        ("mmap_size", 2**31, "mmap_size must be 0 to 2147418112, not 2147483648"),
        ("catalogs", "closed", "one of known, open, not 'closed'"),
        ("require_cluster", "yes", "require_cluster must be"),
        ("storage", "memory:\ud800", "lone surrogate"),
        ("token_authenticator", orlop.Identity, "an instance, Identity.…., not the class Identity"),
    ],
    ids=lambda given: given if isinstance(given, str) and given.isidentifier() else "",
)  # fmt: skip
def test_a_value_out_of_its_bounds_is_named(name: str, value: Any, words: str) -> None:
    with pytest.raises(orlop.Misuse, match=words):
        orlop.Simulation(**given(name, value))


def test_a_start_that_is_no_time_is_named() -> None:
    with pytest.raises(orlop.Misuse, match="^start must be a time like 2026-01-01T00:00:00Z, not 'noon'$"):
        orlop.Simulation(start="noon")


def test_none_is_the_default_where_it_is_one() -> None:
    for kind in (orlop.Engine, orlop.Simulation):
        nothing: dict[str, Any] = {name: None for name, parameter in inspect.signature(kind.__init__).parameters.items() if parameter.default is None}
        with kind(**nothing) as engine:
            assert engine.request("GET", "/organization").status == 200


def test_the_random_source_makes_the_ids() -> None:
    def id_from(first: int) -> str:
        numbers = iter(range(first, first + 1000))
        with orlop.Engine(random_source=lambda: next(numbers), clock=lambda: 1_800_000_000.0) as engine:
            return engine.organizations.create(name="acme", plan="FREE").id

    assert id_from(1 << 60) == id_from(1 << 60) != id_from(3 << 61)


@pytest.mark.parametrize("number", [None, "7", -1, 2**64, 0.5], ids=str)
def test_a_random_source_that_gives_no_number_is_told_of(number: Any) -> None:
    with orlop.Engine(random_source=lambda: number) as engine, pytest.raises(orlop.Misuse, match="the number that random source gives"):
        engine.organizations.create(name="acme", plan="FREE")


def test_a_random_source_that_raises_is_told_of() -> None:
    with orlop.Engine(random_source=lambda: 1 // 0) as engine, pytest.raises(orlop.DriverFailed, match="ZeroDivisionError"):
        engine.organizations.create(name="acme", plan="FREE")


def test_the_bounds_of_parallel_work_act() -> None:
    with orlop.Simulation(max_parallel_deploys=1) as simulation:
        platform = furnish(simulation)
        for number in range(3):
            platform.container(f"web {number}")
        simulation.rules.add(step="deploy", after="10s")
        assert platform.environment.deploy().wait().duration == pytest.approx(30, abs=1)


def silent(**settings: Any) -> Platform:
    simulation = orlop.Simulation(**settings)
    simulation.rules.add(step="deploy", outcome="silence", cancel_after="2h")
    platform = furnish(simulation)
    platform.container()
    return platform


def test_the_deadlines_act() -> None:
    platform = silent(step_deadline="90s", cancel_deadline=20)
    run = platform.environment.deploy().wait()
    assert run.state == "DEPLOYMENT_ERROR" and run.duration == pytest.approx(90, abs=1)
    run = platform.environment.deploy()
    assert isinstance(platform.engine, orlop.Simulation)
    platform.engine.clock.advance(seconds=1)
    platform.environment.cancel()
    assert run.wait().duration == pytest.approx(21, abs=1)


def test_busy_and_brand_act_in_a_simulation() -> None:
    with orlop.Simulation(busy="reject", brand="acme") as simulation:
        platform = furnish(simulation)
        platform.container()
        platform.environment.deploy()
        with pytest.raises(orlop.Conflict):
            platform.environment.deploy()
        metrics: Any = {"enabled": True, "configuration": {"kind": "MANAGED_BY_PLATFORM"}}
        with pytest.raises(orlop.Invalid, match="MANAGED_BY_ACME"):
            platform.cluster.edit(metrics_parameters=metrics)


def test_the_history_kept_acts() -> None:
    with orlop.Simulation(history_kept=20) as simulation:
        platform = furnish(simulation)
        platform.container()
        for _ in range(25):
            platform.environment.deploy().wait()
        history = simulation.request("GET", f"/environment/{platform.environment.id}/deploymentHistory").json()["results"]
        assert len(history) == 20


def test_durability_is_taken_by_a_file(tmp_path: Path) -> None:
    for durability in ("full", "normal"):
        with orlop.Engine(tmp_path / f"{durability}.db", **given("durability", durability)) as engine:
            assert engine.organizations.create(name="acme", plan="FREE").name == "acme"
