"""How many operations of the interface are served, for each family and tier.

families.tsv says which family and tier an operation belongs to. `python3 tests/interface/test_families.py` prints the table, with the operations that are missing."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from shape import operations

HERE = Path(__file__).parent
DOCUMENT = HERE.parents[1] / "docs/openapi.json"


@dataclass
class Count:
    served: int = 0
    of: int = 0
    missing: list[str] = field(default_factory=list)

    def add(self, operation: str, is_served: bool) -> None:
        self.of += 1
        self.served += is_served
        if not is_served:
            self.missing.append(operation)

    def __str__(self) -> str:
        return f"{self.served}/{self.of}" if self.of else ""


def read_families() -> list[tuple[int, str, str]]:
    """Tier, family and operation."""
    lines = (HERE / "families.tsv").read_text(encoding="utf-8").splitlines()
    rows = [line.split("\t") for line in lines if line and not line.startswith("#")]
    return [(int(tier), family, operation) for tier, family, operation in rows]


def count(rows: Iterable[tuple[int, str, str]], document: Any) -> dict[str, dict[int, Count]]:
    """By family and tier; tier 0 is all of them, and the family "all" is every one."""
    served = set(operations(document))
    table: dict[str, dict[int, Count]] = {}
    for tier, family, operation in rows:
        for name in (family, "all"):
            for column in (tier, 0):
                table.setdefault(name, {}).setdefault(column, Count()).add(operation, operation in served)
    return table


def lines_of(table: dict[str, dict[int, Count]]) -> Iterable[str]:
    yield f"{'family':<32}" + "".join(f"{'tier ' + str(tier):>10}" for tier in range(1, 5)) + f"{'all':>10}"
    for name in sorted(table, key=lambda name: (name == "all", name.lower())):
        yield f"{name:<32}" + "".join(f"{table[name].get(tier, Count())!s:>10}" for tier in (1, 2, 3, 4, 0))
    yield from (f"missing: {operation}" for operation in table["all"][0].missing)


def document() -> Any:
    return json.loads(DOCUMENT.read_text(encoding="utf-8"))


def test_every_operation_has_a_family_once() -> None:
    named = [operation for _, _, operation in read_families()]
    assert len(named) == len(set(named))
    assert set(named) == set(operations(json.loads((HERE / "interface.json").read_text(encoding="utf-8"))))


def test_every_operation_is_served() -> None:
    table = count(read_families(), document())
    assert table["all"][0].missing == []
    assert str(table["all"][0]) == "554/554"
    assert sum(table["all"][tier].served for tier in (1, 2, 3)) == 250


def test_an_operation_that_is_gone_is_missed() -> None:
    changed = document()
    del changed["paths"]["/variable"]["post"]
    table = count(read_families(), changed)
    assert table["variables"][2].missing == ["POST /variable"]
    assert list(lines_of(table))[-1] == "missing: POST /variable"


if __name__ == "__main__":
    print("\n".join(lines_of(count(read_families(), document()))))
