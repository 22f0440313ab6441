"""Every public function of the package is called with invalid arguments: it raises only errors of the package, with a
message that names the cause.

The functions are read from the classes. An added function is attacked as well, or listed here with a reason.
"""

from __future__ import annotations

import contextlib
import inspect
import json
import sys
import uuid
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import orlop
from conftest import Platform, furnish
from orlop import asgi, models, oidc, webhook_senders
from orlop.base import wire
from orlop.deployments.collection import Deployments
from orlop.drivers import check
from orlop.resources import resource as resources

LONG = "x" * 70_000
BAD: dict[str, Any] = {
    "None": None,
    "empty": "",
    "long": LONG,
    "surrogate": "\ud800",
    "zero byte": "a\0b",
    "slash": "a/../b?c=d#e",
    "text": "nonsense",
    "bytes": b"\xff",
    "true": True,
    "negative": -1,
    "huge": 1 << 20_000,
    "float": 0.5,
    "NaN": float("nan"),
    "infinite": float("inf"),
    "list": [],
    "dict": {},
    "nested": {"a": [{"b": object()}]},
    "keys": {1: 2, None: 3, b"x": 4},
    "object": object(),
    "class": dict,
    "function": len,
    "set": {1},
    "generator": (number for number in range(2)),
}

# Arguments with which a call succeeds, for parameters without a default.
GOOD: dict[str, Any] = {
    "question": "list_branches",
    "sources": [],
    "removed": [],
    "rules": [{}],
    "method": "GET",
    "path": "/organization",
    "delivery_id": "00000000-0000-0000-0000-000000000000",
    "deployment": "00000000-0000-0000-0000-000000000000",
    "status": 200,
    "state": "RUNNING",
    "observation": "RUNNING",
    "service_id": "00000000-0000-0000-0000-000000000000",
    "id": "00000000-0000-0000-0000-000000000000",
    "name": "web",
    "tag": "2",
    "reason": "why",
    "events": [],
    "names": {},
    "kubeconfig": "apiVersion: v1",
    "settings": {},
    "key": "K",
    "value": "v",
    "variables": [],
    "resource": "00000000-0000-0000-0000-000000000000",
    "document": {},
    "number": 0,
    "through": 0,
    "snapshot": b"",
}

# Public names that are not called here, with the reason.
NOT_CALLED = {
    "Engine.run": "lasts until it is stopped",
    "Simulation.run": "lasts until it is stopped; its argument is tried below",
    "Engine.serve": "opens a port; tried below",
    "Simulation.serve": "opens a port; tried below",
    "Timeline.save": "writes a file, tried below",
    "Simulation.close": "comes last",
    "Engine.close": "comes last",
}


def own_words(error: BaseException) -> bool:
    """Reports whether it is an error of the package, of a length that a log can take, in terms of the package's
    interface."""
    said = str(error)
    foreign = (
        "incompatible",
        "pybind",
        "has no attribute",
        "NoneType",
        "object is not",
        "unexpected type",
        "C++",
        "0x",
    )
    return isinstance(error, orlop.Error) and 10 < len(said) < 2000 and not any(words in said for words in foreign)


def functions_of(target: object) -> Iterator[tuple[str, Callable[..., Any]]]:
    for name in dir(type(target)):
        if name.startswith("_") or isinstance(inspect.getattr_static(type(target), name), property):
            continue
        bound = getattr(target, name)
        if callable(bound) and f"{type(target).__name__}.{name}" not in NOT_CALLED:
            yield name, bound


def calls_of(target: object, function: Callable[..., Any], value: Any) -> Iterator[dict[str, Any]]:
    """Yields arguments of which one is bad, for each parameter."""
    parameters = inspect.signature(function).parameters.values()
    named = [parameter for parameter in parameters if parameter.kind is not parameter.VAR_KEYWORD]
    known = {**GOOD, "stage": target, "service": target}
    good = {parameter.name: known[parameter.name] for parameter in named if parameter.default is parameter.empty}
    for parameter in parameters:
        yield {**good, "name" if parameter.kind is parameter.VAR_KEYWORD else parameter.name: value}


def attack(target: object, value: Any) -> list[str]:
    """Returns the errors that are not errors of the package."""
    found = []
    for name, function in functions_of(target):
        for arguments in calls_of(target, function, value):
            try:
                function(**arguments)
            except BaseException as error:
                call = (
                    f"{type(target).__name__}.{name}"
                    f"({', '.join(f'{key}={str(type(given))}' for key, given in arguments.items())})"
                )
                if not own_words(error):
                    found.append(f"{call}: {type(error).__name__}: {str(error)[:300]}")
    return found


@pytest.fixture(scope="module")
def targets() -> Iterator[list[object]]:
    simulation = orlop.Simulation(seed=1)
    platform = furnish(simulation)
    run = platform.container().deploy().wait()
    yield [
        simulation,
        simulation.clock,
        simulation.rules,
        simulation.faults,
        simulation.events,
        simulation.externals,
        simulation.domains,
        simulation.sources,
        simulation.receivers,
        simulation.deployments,
        run,
        run.timeline,
        simulation.organizations,
        platform.environment.stages.list()[0],
        platform.environment.containers,
        simulation.request("GET", "/organization"),
        platform.container("api").advanced_settings,
        platform.container("site").network,
        platform.cluster.routing_table,
        platform.project.variables,
        platform.project.variables.create(key="A", value="1"),
    ]
    simulation.close()


@pytest.mark.parametrize("value", BAD.values(), ids=BAD.keys())
def test_no_function_lets_a_foreign_error_out(targets: list[object], value: Any) -> None:
    assert [fault for target in targets for fault in attack(target, value)] == []


@pytest.mark.parametrize("value", BAD.values(), ids=BAD.keys())
def test_no_resource_lets_a_foreign_error_out(value: Any) -> None:
    for attempt in ("environment", "container", "stage", "cluster", "project", "organization", "registry"):
        with orlop.Simulation(seed=1) as simulation:
            platform = furnish(simulation)
            assert (
                attack(
                    {
                        **vars(platform),
                        "container": platform.container(),
                        "stage": platform.environment.stages.list()[0],
                    }[attempt],
                    value,
                )
                == []
            )


@pytest.mark.parametrize("value", BAD.values(), ids=BAD.keys())
def test_no_collection_lets_a_foreign_error_out(platform: Platform, value: Any) -> None:
    """All families: create with each field bad, get and find."""
    owner = {
        "organization": platform.organization,
        "project": platform.project,
        "environment": platform.environment,
        "cluster": platform.cluster,
    }
    tried = set()
    for parent in (*owner.values(), platform.container()):
        for accessor in parent._family.children:
            collection = getattr(parent, accessor)
            tried.add(type(collection))
            for field in (
                (*collection._item._family.given, "nonsense") if isinstance(collection, resources.Creatable) else ()
            ):
                expect_own(lambda: collection.create(**{field: value}))
            expect_own(lambda: collection.get(value))
            if isinstance(collection, resources.Findable):
                expect_own(lambda: collection.find(value))
    assert len(tried) > 20


def expect_own(call: Callable[[], Any]) -> None:
    try:
        call()
    except BaseException as error:
        assert own_words(error), f"{type(error).__name__}: {str(error)[:300]}"


@pytest.mark.parametrize("value", BAD.values(), ids=BAD.keys())
def test_the_check_of_drivers_lets_no_foreign_error_out(value: Any) -> None:
    expect_own(lambda: check(value, only="deploy", patience=5, settle=0.1))
    for name in inspect.signature(check).parameters:
        if name not in ("driver_factory", "only"):
            expect_own(lambda: check(orlop.Driver, **{"only": "deploy", name: value}))
    expect_own(lambda: check(lambda: value, only="deploy"))


def test_every_public_class_is_attacked_or_holds_no_engine(targets: list[object]) -> None:
    attacked = {type(target) for target in targets}
    plain = {orlop.Violation, orlop.Delivery, orlop.ConfigurationChange}  # tuples
    plain |= {orlop.Observation, orlop.Subjects}  # tuples; test_observations.py
    plain |= {orlop.CommandResult}  # data; test_step_run.py
    plain |= {orlop.Differences, orlop.ServiceDifferences, orlop.Unchanged}  # data; test_releases.py
    elsewhere = {
        orlop.Engine,
        orlop.Driver,
        orlop.Step,
        orlop.ExternalSystems,
    }  # attacked as Simulation; test_driver.py; below; test_external_systems.py
    elsewhere |= {
        orlop.AsyncDeployment,
        orlop.AsyncEngine,
        orlop.AsyncSimulation,
    }  # forward their arguments to functions that are attacked here
    elsewhere |= {orlop.Prediction, orlop.Report}  # data; test_prediction.py, test_run_reports.py
    for name in orlop.__all__:
        kind = getattr(orlop, name)
        if isinstance(kind, type) and not issubclass(kind, BaseException):
            assert kind in attacked | plain | elsewhere, name
    assert Deployments in attacked
    assert {kind for kind in vars(models).values() if inspect.isclass(kind) and issubclass(kind, resources.Collection)}


@pytest.mark.parametrize("value", BAD.values(), ids=BAD.keys())
def test_no_step_lets_a_foreign_error_out(value: Any) -> None:
    said: list[str] = []

    class Trying(orlop.Driver):
        def deploy(self, step: orlop.Step) -> None:
            for function in (step.progress, step.log, step.contact_lost):
                try:
                    function(value)
                except BaseException as error:
                    said.append("" if own_words(error) else f"{function.__name__}: {type(error).__name__}: {error}")
            if not isinstance(value, (int, float)):
                with pytest.raises(orlop.Misuse, match="^seconds must be a finite number"):
                    step.wait_canceled(value)

    with orlop.Engine(driver=Trying()) as engine:
        platform = furnish(engine)
        platform.container()
        assert platform.environment.deploy().wait(20).ok
    assert not any(said)


@pytest.mark.parametrize(
    "value",
    [value for value in BAD.values() if value != 0.5 and value is not True],
    ids=[name for name in BAD if name not in ("float", "true")],
)
def test_a_speed_that_is_none_is_refused(value: Any) -> None:
    with orlop.Simulation() as simulation, pytest.raises(orlop.Misuse, match="^speed must be"):
        simulation.run(value)


@pytest.mark.parametrize("value", BAD.values(), ids=BAD.keys())
def test_no_maker_of_a_port_lets_a_foreign_error_out(value: Any) -> None:
    for name in ("allow", "threads", "timeout", "resolver", "nothing"):
        expect_own(lambda: webhook_senders.HttpWebhookSender(**{name: value} if name != "nothing" else {}).detach())
    for name in ("keys", "issuer", "audience", "algorithms", "leeway", "pause", "age"):
        expect_own(
            lambda: oidc.TokenAuthenticator(
                **{"keys": {"keys": []}, "issuer": "https://id.example", "audience": "orlop", name: value}
            )
        )
    if value != "nonsense":
        expect_own(lambda: oidc.TokenAuthenticator.discover(value, audience="orlop"))


@pytest.mark.parametrize("value", BAD.values(), ids=BAD.keys())
@pytest.mark.parametrize("name", ["host", "port", "origins", "allow_hosts", "speed"])
def test_nothing_is_served_where_it_cannot_be(name: str, value: Any) -> None:
    with orlop.Simulation() as simulation, contextlib.ExitStack() as served:
        expect_own(lambda: served.enter_context(simulation.serve(**{name: value})))


@pytest.mark.parametrize("value", BAD.values(), ids=BAD.keys())
def test_no_application_is_made_of_what_it_cannot_be(value: Any) -> None:
    with orlop.Simulation() as simulation:
        for name in ("threads", "origins", "allow_hosts"):
            expect_own(lambda: asgi.app(simulation, **{name: value}))


@pytest.mark.parametrize("value", [None, b"a\0b", 5, object(), "a\0b", {}], ids=lambda value: type(value).__name__)
def test_a_path_that_is_none_is_refused(targets: list[object], value: Any) -> None:
    (timeline,) = [target for target in targets if isinstance(target, orlop.Timeline)]
    with pytest.raises(orlop.Misuse, match="^path must be a path"):
        timeline.save(value)


def test_ids_are_one_segment_of_the_path(platform: Platform) -> None:
    """An id cannot lead to another resource, or to its parent's list."""
    container = platform.container()
    for id in (
        f"../project/{platform.project.id}",
        f"{container.id}/status",
        f"{container.id}?x=y",
        f"{container.id}#z",
        "..",
        "%2e%2e",
    ):
        with pytest.raises((orlop.Invalid, orlop.Misuse), match="uuid|UUID"):
            platform.environment.containers.get(id)
    with pytest.raises(orlop.Misuse, match="^id must be an id, a UUID of 36 characters, not ''$"):
        platform.engine.organizations.get("")


@pytest.mark.parametrize(
    ("body", "field", "words"),
    [
        ({"name": float("nan")}, "name", "must be a finite number, not nan"),
        ({"a": [1, {"b": float("-inf")}]}, "a[1].b", "must be a finite number, not -inf"),
        ({"name": "\ud800"}, "name", "must be text that UTF-8 can hold: '\\ud800' holds a lone surrogate"),
        ({"\udfff": 1}, "", "has a name that is not text: '\\udfff'"),
        ({"a": {b"x": 1}}, "a", "has a name that is not text: an object of the type bytes"),
        (
            {"a": {1, 2}},
            "a",
            "must be a JSON value (dict, list, str, int, float, bool or None), not an object of the type set",
        ),
        ({"big": 1 << 20_000}, "big", "must be a whole number of 64 bits, not a number of too many digits"),
        (
            object(),
            "",
            "must be a JSON value (dict, list, str, int, float, bool or None), not an object of the type object",
        ),
    ],
    ids=lambda given: "",
)
def test_a_value_that_is_no_json_is_named(platform: Platform, body: Any, field: str, words: str) -> None:
    with pytest.raises(orlop.Invalid) as caught:
        platform.engine.request("POST", "/organization", body)
    assert caught.value.violations == (orlop.Violation(field, words),)
    assert str(caught.value) == f"{field or 'the body'} {words}" and caught.value.status == 400


class Fast:
    """Replaces orjson, which writes NaN as null and refuses keys that are not text."""

    OPT_PASSTHROUGH_DATETIME = OPT_PASSTHROUGH_DATACLASS = 1
    loads = staticmethod(json.loads)

    @staticmethod
    def dumps(value: Any, option: int) -> bytes:
        if isinstance(value, dict) and not all(isinstance(key, str) for key in value):
            raise TypeError
        return json.dumps(value).replace("NaN", "null").encode()


def test_the_same_values_are_taken_with_orjson_and_without(monkeypatch: pytest.MonkeyPatch) -> None:
    values = [
        {"a": float("nan")},
        {"a": None},
        {1: 2},
        {"a": object()},
        {"a": (1, 2)},
        {"a": uuid.UUID(int=1)},
        {"a": 1 << 70},
    ]

    def written() -> list[object]:
        monkeypatch.setattr(wire, "_dumps", None)
        monkeypatch.setattr(wire, "_loads", None)
        return [attempted(value) for value in values]

    def attempted(value: object) -> object:
        try:
            return json.loads(wire.dumps(value))
        except orlop.Invalid as error:
            return str(error)

    monkeypatch.setitem(sys.modules, "orjson", None)
    without = written()
    monkeypatch.setitem(sys.modules, "orjson", Fast)
    assert written() == without
    assert without[:3] == ["a must be a finite number, not nan", {"a": None}, {"1": 2}]
    monkeypatch.undo()
    monkeypatch.setattr(wire, "_dumps", None)


def test_a_body_that_holds_itself_is_named(platform: Platform) -> None:
    body: dict[str, Any] = {}
    body["a"] = [body]
    with pytest.raises(orlop.Invalid, match=r"^a\[0\]\.a\[0\].* is nested deeper than 64"):
        platform.engine.request("POST", "/organization", body)


def test_an_object_in_place_of_its_id_is_named(platform: Platform) -> None:
    with pytest.raises(
        orlop.Invalid, match="^cluster_id must be a JSON value .* not an object of the type Cluster; give its id$"
    ):
        platform.project.environments.create(name="staging", cluster_id=platform.cluster)  # type: ignore[arg-type]
