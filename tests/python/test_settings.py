"""Every option of an engine is the same in every language, reaches the engine, and refuses invalid values."""

from __future__ import annotations

import inspect
import json
import pydoc
import re
from itertools import count
from pathlib import Path
from typing import Any

import pytest

import orlop
from orlop import _core
from conftest import Platform, furnish

ROOT = Path(__file__).parents[2]
OPTIONS: list[dict[str, Any]] = json.loads(_core.describe("options.json"))


def options_on(api: str) -> list[dict[str, Any]]:
    return [option for option in OPTIONS if api in option["on"]]


def names_on(api: str) -> list[str]:
    return [option["name"] for option in options_on(api)]


def members(file: str, start: str) -> list[str]:
    text = (ROOT / "include" / "orlop" / file).read_text(encoding="utf-8")
    body = re.sub(r"//.*", "", text[text.index(start) : text.index("\n};", text.index(start))])
    return re.findall(r"[\s*](\w+)(?: = [^;]*|{[^;]*})?;", body)


def parameters(kind: type[orlop.Engine]) -> dict[str, inspect.Parameter]:
    found = dict(inspect.signature(kind.__init__).parameters)
    del found["self"]
    return found


def arguments(kind: type[orlop.Engine]) -> set[str]:
    return set(parameters(kind))


def default_in_python(option: dict[str, Any]) -> Any:
    kind, text = option["kind"], option["default"]
    if kind in ("count", "size"):
        return int(text)
    lists: dict[str, Any] = {"keys": (), "texts": ()}
    if kind == "text":
        return text
    return lists[kind] if kind in lists else {"true": True, "false": False, "": None}.get(text, text)


def given(name: str, value: Any) -> dict[str, Any]:
    return {name: value}


def test_the_list_holds_what_a_host_needs() -> None:
    assert len(OPTIONS) >= 30 and len({option["name"] for option in OPTIONS}) == len(OPTIONS)
    for option in OPTIONS:
        assert len(option["text"].split()) > 5 and option["text"].endswith("."), option
        assert option["minimum"] <= option["maximum"], option


def test_every_option_is_a_member_in_c_and_in_cpp() -> None:
    with_units = [
        name + ("_ms" if option["kind"] in ("duration", "instant") else "")
        for name, option in zip(names_on("c"), options_on("c"), strict=True)
    ]
    with_units.insert(with_units.index("seed"), "seeded")
    assert members("options.h", "struct orlop_options {") == ["size", *with_units]
    assert members("options.hpp", "struct Options {") == names_on("c")


@pytest.mark.parametrize(("kind", "api"), [(orlop.Engine, "engine"), (orlop.Simulation, "simulation")])
def test_every_option_is_an_argument_with_its_default(kind: type[orlop.Engine], api: str) -> None:
    of_python = ["record"] if api == "simulation" else []  # set by a call in other languages
    assert list(parameters(kind)) == names_on(api) + of_python
    for option in options_on(api):
        default = 0 if (api, option["name"]) == ("simulation", "seed") else default_in_python(option)
        assert parameters(kind)[option["name"]].default == default, option


@pytest.mark.parametrize("kind", [orlop.Engine, orlop.Simulation])
def test_help_shows_text_unit_default_and_bounds(kind: type[orlop.Engine]) -> None:
    shown = " ".join(pydoc.plain(pydoc.render_doc(kind)).replace("|", " ").split())
    for option in options_on(kind.__name__.lower()):
        assert f"`{option['name']}`: {option['text']} {option['facts']}".strip() in shown


def test_every_option_is_in_the_reference() -> None:
    page = (ROOT / "docs" / "reference" / "settings.md").read_text(encoding="utf-8")
    rows = [
        [cell.strip() for cell in row.strip("| ").split("|")]
        for row in page[: page.index("## Bounds")].splitlines()
        if row.startswith("| `")
    ]
    assert [row[0].strip("`") for row in rows] == [option["name"] for option in OPTIONS]
    assert [row[1].strip("`") for row in rows] == [option["default"] or "none" for option in OPTIONS]
    assert all(row[5].startswith(option["text"]) for row, option in zip(rows, OPTIONS, strict=True))


@pytest.mark.parametrize("kind", [orlop.Engine, orlop.Simulation])
def test_each_refuses_what_it_cannot_be_and_is_named(kind: type[orlop.Engine]) -> None:
    for name in sorted(arguments(kind)):
        with pytest.raises(orlop.Misuse, match=rf"^{name} must be .*, not an object of the type object") as caught:
            kind(**given(name, object()))
        assert "incompatible" not in str(caught.value)


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("storage", "", 'options.storage must be 1 to 4096 bytes, not ""'),
        ("storage", "sqlite:", "storage must be"),
        ("brand", "", 'options.brand must be 1 to 32 lower case letters, not ""'),
        ("snapshot", b"", "snapshot must be the bytes of a snapshot, not empty ones"),
        ("secret_key", b"", "options.secret_key must have 32 bytes, not 0"),
        ("previous_secret_keys", [b""], "a key of options.previous_secret_keys must have 32 bytes, not 0"),
        ("kubernetes_versions", [""], "an entry of options.kubernetes_versions must be"),
        ("platform_ips", [""], "an entry of options.platform_ips must be"),
        ("billing", [""], "an entry of options.billing must be"),
        ("time_zones", "", "time_zones must be a folder, not ''"),
        ("time_zones", b"", "options.time_zones must not be empty"),
        ("start", "", "start must be a time"),
        ("port_timeout", "", "port_timeout must be a duration"),
        ("durability", "", "durability must be one of"),
        ("brand", "Acme!", "lower case letters"),
        ("busy", "wait", "one of queue, reject, not 'wait'"),
        ("durability", "half", "one of automatic, full, normal, not 'half'"),
        ("max_parallel_builds", 0, "max_parallel_builds must be 1 to 100000, not 0"),
        ("max_parallel_deploys", 100_001, "max_parallel_deploys must be 1 to 100000"),
        ("max_parallel_deploys", True, "a whole number, not True"),
        ("history_kept", 3, "history_kept must be 20"),
        ("step_deadline", 0, "1 to .* milliseconds, not 0"),
        ("step_deadline", float("nan"), "finite number of at most 1e[+]15, not nan"),
        ("cancel_deadline", "soon", "a duration like 30s, 2m30s or 250ms, or a number of seconds, not 'soon'"),
        ("seed", -1, "seed must be 0 to 18446744073709551615, not -1"),
        ("seed", 1 << 20_000, "a number of too many digits"),
        ("rate_limit", 2**40, "rate_limit must be 0 to 4294967294"),
        ("kubernetes_versions", "1.30", "a list, not '1.30'"),
        ("kubernetes_versions", [1.3], "an entry of kubernetes_versions must be text"),
        (
            "kubernetes_versions",
            ["1.30,1.31"],
            "an entry of options.kubernetes_versions must be a text without a comma",
        ),
        ("webhook_allow", ["10.0.0.0/8", ""], "an entry of options.webhook_allow must be a text without a comma"),
        (
            "previous_secret_keys",
            [b"k" * 16, b"k" * 16],
            "a key of options.previous_secret_keys must have 32 bytes, not 16",
        ),
        ("webhook_allow", [b"10.0.0.0/8"], "an entry of webhook_allow must be text"),
        ("snapshot", "text", "snapshot must be bytes"),
        ("secret_key", b"short", "32 bytes, not 5"),
        ("previous_secret_keys", ["text"], "an entry of previous_secret_keys must be bytes"),
        ("mmap_size", -1, "mmap_size must be 0 to"),
        ("mmap_size", 2**31, "mmap_size must be 0 to 2147418112, not 2147483648"),
        ("catalogs", "closed", "one of known, open, not 'closed'"),
        ("require_cluster", "yes", "require_cluster must be"),
        ("storage", "memory:\ud800", "lone surrogate"),
        ("external_systems", orlop.ExternalSystems, "an instance, ExternalSystems.…., not the class ExternalSystems"),
        ("external_systems", orlop.ExternalSystems(), "external_systems must answer at least one question"),
        ("external_systems", [], "external_systems must answer at least one question"),
        ("external_systems", [7], "an instance of a subclass of orlop.ExternalSystems, or a list of such, not 7"),
        ("external_systems", print, "an instance of a subclass of orlop.ExternalSystems"),
    ],
    ids=lambda given: given if isinstance(given, str) and given.isidentifier() else "",
)
def test_a_value_out_of_its_bounds_is_named(name: str, value: Any, words: str) -> None:
    with pytest.raises(orlop.Misuse, match=words):
        orlop.Simulation(**given(name, value))


def test_an_unknown_option_names_the_class_that_was_called() -> None:
    for kind in (orlop.Engine, orlop.Simulation):
        with pytest.raises(
            TypeError, match=rf"^{kind.__name__}\.__init__\(\) got an unexpected keyword argument 'storag'"
        ):
            kind(storag="memory:")  # type: ignore[call-arg]


def test_a_start_that_is_no_time_is_named() -> None:
    with pytest.raises(orlop.Misuse, match="^start must be a time like 2026-01-01T00:00:00Z, not 'noon'$"):
        orlop.Simulation(start="noon")


def test_none_is_the_default_where_it_is_one() -> None:
    for kind in (orlop.Engine, orlop.Simulation):
        nothing: dict[str, Any] = dict.fromkeys(arguments(kind) - {"storage"})
        with kind(**nothing) as engine:
            assert engine.request("GET", "/organization").status == 200


def test_the_random_source_makes_the_ids() -> None:
    def id_from(first: int) -> str:
        numbers = iter(range(first, first + 1000))
        with orlop.Engine(random_source=lambda: next(numbers), clock=lambda: 1_800_000_000.0) as engine:
            return engine.organizations.create(name="acme", plan="FREE").id

    assert id_from(1 << 60) == id_from(1 << 60) != id_from(3 << 61)


@pytest.mark.parametrize("number", [None, "7", -1, 2**64, 0.5], ids=str)
def test_a_random_source_that_gives_no_number_is_reported(number: Any) -> None:
    with (
        orlop.Engine(random_source=lambda: number) as engine,
        pytest.raises(orlop.Misuse, match="the number that the random source gives"),
    ):
        engine.organizations.create(name="acme", plan="FREE")


def test_a_random_source_that_raises_is_reported() -> None:
    with (
        orlop.Engine(random_source=lambda: 1 // 0) as engine,
        pytest.raises(orlop.DriverFailed, match="ZeroDivisionError"),
    ):
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
    simulation.rules.add(step="deploy", outcome="hang", cancel_after="2h")
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
        history = simulation.request("GET", f"/environment/{platform.environment.id}/deploymentHistory").json()[
            "results"
        ]
        assert len(history) == 20


def test_durability_is_taken_by_a_file(tmp_path: Path) -> None:
    for durability in ("automatic", "full", "normal"):
        with orlop.Engine(tmp_path / f"{durability}.db", **given("durability", durability)) as engine:
            assert engine.organizations.create(name="acme", plan="FREE").name == "acme"


def test_a_clock_before_1970_moves_deployments_on() -> None:
    times = count(-3600)
    with orlop.Engine(clock=lambda: float(next(times)), driver=orlop.Driver(), require_cluster=False) as engine:
        platform = furnish(engine)
        platform.container()
        assert platform.environment.deploy().wait(timeout=60).state == "DEPLOYED"
