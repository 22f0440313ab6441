"""docs/openapi.json compared with the interface: every operation, parameter, member, enumeration, type and status, and
the known differences.

interface.json holds the facts of the interface: its operations and schemas without texts, bounds and examples.
differences.txt lists the differences in groups: a reason, and below it patterns with the number of differences that
each matches. A difference that no pattern matches fails the test, and so does a pattern with a wrong number. `python3
tests/interface/test_interface.py` prints the differences that have no pattern."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import pytest

from compare import compare
from shape import operations

HERE = Path(__file__).parent
DOCUMENT = HERE.parents[1] / "docs/openapi.json"
REASONS_MAX = 20


@dataclass
class Group:
    reason: str
    patterns: list[tuple[int, str]]


def read_groups(text: str) -> Iterator[Group]:
    """Parses the paragraphs: lines of the reason, which begin with `#`, then patterns, each after its number."""
    for paragraph in text.strip().split("\n\n"):
        lines = paragraph.splitlines()
        reason = " ".join(line.removeprefix("#").strip() for line in lines if line.startswith("#"))
        patterns = [line.split(" ", 1) for line in lines if not line.startswith("#")]
        yield Group(reason, [(int(count), pattern) for count, pattern in patterns])


def unexplained(differences: list[str], groups: list[Group]) -> list[str]:
    """Returns the errors: differences without a pattern, and patterns that match another number of them."""
    wrong: list[str] = []
    left = list(differences)
    for group in groups:
        for count, pattern in group.patterns:
            found = [line for line in left if fnmatchcase(line, pattern)]
            left = [line for line in left if not fnmatchcase(line, pattern)]
            if len(found) != count:
                wrong.append(
                    f"tests/interface/differences.txt says {count}, it is {len(found)}: mend those that are new, "
                    f"correct the number, or add a row for them above this one: {pattern}"
                )
    return wrong + [
        f"differences.txt has no pattern for it: mend it, or add this row below its reason: 1 {line}" for line in left
    ]


def read(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def groups() -> list[Group]:
    return list(read_groups((HERE / "differences.txt").read_text(encoding="utf-8").replace("[", "[[]")))


@pytest.fixture(scope="module", name="interface")
def interface_fixture() -> Any:
    return read(HERE / "interface.json")


@pytest.fixture(scope="module", name="document")
def document_fixture() -> Any:
    return read(DOCUMENT)


def test_every_difference_has_a_reason(interface: Any, document: Any) -> None:
    assert unexplained(compare(operations(interface), operations(document)), groups()) == []


def test_the_list_is_short() -> None:
    assert len(groups()) <= REASONS_MAX
    assert all(len(group.reason) > 20 and group.patterns for group in groups())


def test_the_facts_are_whole(interface: Any) -> None:
    served = (HERE.parents[1] / "tests/tables/operations.txt").read_text(encoding="utf-8").splitlines()
    wanted = {" ".join(line.split()[:2]) for line in served if line and not line.startswith(("#", "beyond"))}
    listed = set(operations(interface))
    assert not listed - wanted, (
        f"tests/tables/operations.txt lacks these rows, each with its status: {sorted(listed - wanted)}"
    )
    assert not wanted - listed, (
        f"the interface has no such operations; their rows in tests/tables/operations.txt begin with beyond: "
        f"{sorted(wanted - listed)}"
    )


CHANGES = {
    "an operation is gone": lambda paths, schemas: paths.pop("/container/{containerId}"),
    "a parameter is gone": lambda paths, schemas: paths["/organization/{organizationId}/events"]["get"][
        "parameters"
    ].pop(),
    "a member of a request is gone": lambda paths, schemas: schemas["ContainerRequest"]["properties"].pop("tag"),
    "a member of a request is required": lambda paths, schemas: schemas["ContainerRequest"]["required"].append(
        "entrypoint"
    ),
    "a member of an answer is not promised": lambda paths, schemas: schemas["Container"]["required"].remove(
        "image_name"
    ),
    "a member is not answered": lambda paths, schemas: schemas["Container"]["properties"].pop("updated_at"),
    "a value is not taken": lambda paths, schemas: schemas["ClusterRequest"]["properties"]["kubernetes"]["enum"].remove(
        "SELF_MANAGED"
    ),
    "a type is another": lambda paths, schemas: schemas["ContainerRequest"]["properties"]["cpu"].update(type="string"),
    "a status is gone": lambda paths, schemas: paths["/container/{containerId}"]["put"]["responses"].pop("404"),
}


@pytest.mark.parametrize("change", CHANGES, ids=str)
def test_a_change_of_the_document_is_found(change: str, interface: Any, document: Any) -> None:
    changed = copy.deepcopy(document)
    CHANGES[change](changed["paths"], changed["components"]["schemas"])
    # Compares few operations only, which is faster.
    wanted = {
        name: shape
        for name, shape in operations(interface).items()
        if "container" in name or "cluster" in name or "events" in name
    }
    assert set(compare(wanted, operations(changed))) - set(compare(wanted, operations(document)))


if __name__ == "__main__":
    print(
        "\n".join(unexplained(compare(operations(read(HERE / "interface.json")), operations(read(DOCUMENT))), groups()))
    )
