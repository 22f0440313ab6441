"""Each class of a family has the methods that an operation of the interface answers, and no others: at run time and for
type checkers."""

from __future__ import annotations

import functools
import inspect
import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

import orlop
from conftest import Platform
from orlop.generated import models
from orlop.resources import actions, settings, variables
from orlop.resources import resource as resources
from test_types import run

Kind = type[Any]

ROOT = Path(__file__).parents[2]
ID = "00000000-0000-4000-8000-000000000000"

# The request of each method: "{item}" is the path of the object, "{collection}" that of its collection; a resource
# without a path of its own is found in its collection.
ITEM = {
    "refresh": ("GET {item}", "GET {collection}"),
    "edit": ("PUT {item}",),
    "delete": ("DELETE {item}",),
    "deploy": ("POST {item}/deploy",),
    "redeploy": ("POST {item}/redeploy",),
    "stop": ("POST {item}/stop",),
    "uninstall": ("POST {item}/uninstall",),
    "restart": ("POST {item}/restart-service",),
    "clone": ("POST {item}/clone",),
    "cancel": ("POST {item}/cancelDeployment",),
    "statuses": ("GET {item}/statuses",),
    "associated_items": ("GET {item}/associatedItems",),
    "runs": ("GET {item}/run",),
    "next_run": ("GET {item}/run",),
    "deliveries": ("GET {item}/event",),
    "replay": ("POST {item}/event/{}/replay",),
    "attach": ("PUT {item}/service/{}",),
    "move_after": ("PUT {item}/moveAfter/{}",),
    "move_before": ("PUT {item}/moveBefore/{}",),
    "kubeconfig": ("GET {item}/kubeconfig",),
    "set_kubeconfig": ("PUT {item}/kubeconfig",),
    "alias": ("POST {item}/alias",),
    "override": ("POST {item}/override",),
}
COLLECTION = {
    "list": ("GET {collection}",),
    "__iter__": ("GET {collection}",),
    "__len__": ("GET {collection}",),
    "create": ("POST {collection}",),
    "get": ITEM["refresh"],
}
SETTINGS = {"refresh": ("GET {item}",), "edit": ("PUT {item}",), "replace": ("PUT {item}",)}
# Methods of some of the classes whose families have these operations: the others use `request`, or have the method
# under another name.
OF_SOME = {
    "status": "GET {item}/status",
    "state": "GET {item}/status",
    "upgrade": "POST /cluster/{}/upgrade",
    "lock": "POST /cluster/{}/lock",
    "unlock": "DELETE /cluster/{}/lock",
    "wait": "GET {item}",
    "stage": "GET /service/{}/deploymentStage",
    "services": "GET {item}/statuses",
    "deployments": "GET {item}/deploymentHistory",
    "current_deployment": "GET {item}/deploymentQueue",
    "preview": "POST /organization/{}/container/preview",
    "variables": "GET /variable",
    "load": "POST /variable/import",
    "predict": "POST {item}/deploy",
    "check": "GET {item}/check",
    "releases": "GET /service/{}/release",
    "rollback": "POST /service/{}/rollback",
    "diff": "GET /service/{}/diff",
}
ALWAYS_REFUSED = {"AgenticWorkflow.cancel"}  # the interface has the operation for each kind of service
FIELDS = {"id", "created_at", "updated_at", "metadata", "to_dict"}
FOUND_BY_NAME = {"find", "create_many", "ensure"}  # tested elsewhere


def is_id(parameter: Mapping[str, Any]) -> bool:
    """The organization in the path of a kubeconfig may be any text: the cluster determines it."""
    return bool(parameter["schema"].get("format") == "uuid" or parameter["name"] == "organizationId")


@functools.cache
def requests() -> set[str]:
    """Returns the operations of the description as "GET /container/{}", with "{}" in place of each id."""
    found = set()
    for path, operations in json.loads((ROOT / "docs" / "openapi.json").read_text(encoding="utf-8"))["paths"].items():
        for method, operation in operations.items():
            ids = {
                given["name"] for given in operation.get("parameters", ()) if given.get("in") == "path" and is_id(given)
            }
            found.add(
                f"{method.upper()} " + re.sub(r"\{(\w+)\}", lambda name: "{}" if name[1] in ids else name[0], path)
            )
    return found


def classes(base: Kind) -> list[Kind]:
    """Returns the classes of the families, and those of variables, which are written by hand."""
    found = [*vars(models).values(), variables.Variable, variables.Variables]
    return [
        kind
        for kind in found
        if inspect.isclass(kind) and issubclass(kind, base) and kind.__module__ in (models.__name__, variables.__name__)
    ]


def item_of(kind: Kind) -> Kind:
    """Returns the class of one resource, for that of its collection."""
    item: Kind = getattr(kind, "_item", kind)
    return item


def above(kind: Kind) -> list[str]:
    """Returns the paths of the parents of the class's resources."""
    item = item_of(kind)
    return [
        parent._family.path
        for parent in classes(resources.Resource)
        if {f"{item.__name__}Collection", item.__name__}
        & {*parent._family.children.values(), *parent._family.singles.values()}
    ]


def is_answered(kind: Kind, request: str) -> bool:
    """Reports whether the interface has the operation, below each parent of the class."""
    family = item_of(kind)._family
    filled = request.replace("{item}", family.path).replace("{collection}", family.collection)
    parents = above(kind) if "{above}" in filled else [""]
    return parents != [] and all(
        re.sub(r"\{\w*\}", "{}", filled.replace("{above}", parent)) in requests() for parent in parents
    )


def differences(kind: Kind, methods: Mapping[str, tuple[str, ...]], *others: str) -> list[str]:
    """Returns the methods of a class that nothing answers, and those that it lacks. `others`: other methods that a
    class may have."""
    found = [
        f"{kind.__name__}.{name}"
        for name, ways in methods.items()
        if hasattr(kind, name) != any(is_answered(kind, way) for way in ways)
        and f"{kind.__name__}.{name}" not in ALWAYS_REFUSED
    ]
    found += [
        f"{kind.__name__}.{name}"
        for name, way in OF_SOME.items()
        if name in public(kind) and not is_answered(kind, way)
    ]
    return found + [
        f"{kind.__name__}.{name} is unknown here" for name in public(kind) if name not in {*methods, *OF_SOME, *others}
    ]


def public(kind: Kind) -> Iterator[str]:
    family = item_of(kind)._family
    attributes = {*family.children, *family.singles, *family.fields} if kind is item_of(kind) else set()
    return (name for name in dir(kind) if not name.startswith("_") and name not in attributes)


def all_differences() -> list[str]:
    found = [
        fault
        for kind in classes(resources.Resource)
        for fault in differences(kind, ITEM, *FIELDS, *(vars(kind) if kind is variables.Variable else ()))
    ]
    found += [
        fault for kind in classes(resources.Collection) for fault in differences(kind, COLLECTION, *FOUND_BY_NAME)
    ]
    return found + [fault for kind in classes(settings.Settings) for fault in differences(kind, SETTINGS, "to_dict")]


def test_each_class_has_the_methods_that_are_answered() -> None:
    assert (
        len(classes(resources.Resource)) == len(classes(resources.Collection)) > 30
        and len(classes(settings.Settings)) > 10
    )
    assert all_differences() == []


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        (models.Member, "delete"),
        (models.Backup, "edit"),
        (models.MemberCollection, "create"),
        (models.OrganizationOnboarding, "replace"),
        (models.Terraform, "stop"),
    ],
)
def test_a_method_that_nothing_answers_is_found(kind: Kind, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kind, name, lambda self: None, raising=False)
    assert all_differences() == [f"{kind.__name__}.{name}"]


def test_a_method_that_is_missing_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(resources.Deletable, "delete")
    lacking = all_differences()
    assert {"Container.delete", "Backup.delete", "CreditCard.delete", "Variable.delete"} <= set(
        lacking
    ) and "Member.delete" not in lacking


def test_collections_find_resources_that_have_names() -> None:
    for kind in classes(resources.Collection):
        assert (
            hasattr(kind, "find") == (hasattr(kind, "list") and hasattr(kind._item, "name"))
            or kind is variables.Variables
        ), kind


def test_collections_ensure_resources_that_are_found_created_and_edited() -> None:
    for kind in classes(resources.Collection):
        is_possible = hasattr(kind, "find") and hasattr(kind, "create") and hasattr(kind._item, "edit")
        assert hasattr(kind, "ensure") == is_possible or kind is variables.Variables, kind


def test_names_create_resources_where_the_engine_takes_them(platform: Platform) -> None:
    for kind in classes(resources.Collection):
        parents = above(kind)
        path = kind._item._family.collection.format(
            parent=ID, above=re.sub(r"\{\w*\}", ID, parents[0] if parents else "")
        )
        with pytest.raises(orlop.Refused) as refused:
            platform.engine._ask("POST", path, {}, None, ["a"])
        refusals = ("no operation answers at", "does not create resources by their names alone")
        is_taken = refused.value.status != 405 and not any(refusal in str(refused.value) for refusal in refusals)
        assert hasattr(kind, "create_many") == is_taken, (kind, str(refused.value))


def test_each_collection_is_below_a_resource() -> None:
    offered = {collection for kind in classes(resources.Resource) for collection in kind._family.children.values()} | {
        "OrganizationCollection",
        "Variables",
    }
    assert offered == {kind.__name__ for kind in classes(resources.Collection)}


def test_what_is_missing_is_an_attribute_error(platform: Platform) -> None:
    token = platform.organization.api_tokens.create(name="ci")
    with pytest.raises(AttributeError, match="'OrganizationApiToken' object has no attribute 'edit'"):
        token.edit(name="cd")  # type: ignore[attr-defined]
    assert not hasattr(platform.environment.argocd_apps, "list") and not hasattr(
        platform.organization.members, "create"
    )


def test_type_checkers_know_what_is_missing(tmp_path: Path) -> None:
    """A comment that silences an error that does not occur is an error itself."""
    lines = ["import orlop", "from orlop import models", "from orlop.resources import variables", ""]
    for kind in [*classes(resources.Resource), *classes(resources.Collection), *classes(settings.Settings)]:
        methods = (
            ITEM
            if issubclass(kind, resources.Resource)
            else SETTINGS
            if issubclass(kind, settings.Settings)
            else {**COLLECTION, "find": (), "create_many": ()}
        )
        module = kind.__module__.rpartition(".")[2]
        lines.append(
            f"async def of_{kind.__name__}(it: {module}.{kind.__name__}, engine: orlop.AsyncEngine, simulation: "
            f"orlop.AsyncSimulation) -> None:"
        )
        lines += [
            f"    it.{name}" + ("" if hasattr(kind, name) else "  # type: ignore[attr-defined]") for name in methods
        ]
        if issubclass(kind, resources.Resource):
            silenced = (
                ""
                if issubclass(kind, (actions.Deployable, actions.EnvironmentDeploy))
                else "  # type: ignore[arg-type]"
            )
            lines += [f"    await engine.deploy(it){silenced}", f"    await simulation.deploy(it){silenced}"]
    (tmp_path / "every_class.py").write_text("\n".join(lines) + "\n")
    assert "Success" in run("mypy", "--strict", str(tmp_path / "every_class.py"))
