"""The reader of Compose files is held to the reference library by the tables of tests/tables/compose."""

from __future__ import annotations

import pathlib
from typing import Any

import compose_cases
import pytest

pytest.importorskip("yaml")
pytest.importorskip("jsonschema")

TABLES = {table.stem: compose_cases.answers(table) for table in compose_cases.tables()}
CASES = [(table.stem, case) for table in compose_cases.tables() for case in compose_cases.cases(table)]
# Cases that the reader refuses and the library does not: it would do something else than the file says.
STRICTER: dict[str, str] = {
    "resources/memory_with_fraction": "is no whole number of bytes",  # the library reads no limit
    "scalars/colon_in_braces": "needs a blank behind its colon",  # the library reads the key `A:`
    **{f"commands/cut_{number}": "no shell runs" for number in range(6)},  # the library leaves out the rest
}


@pytest.mark.parametrize(("table", "case"), CASES, ids=lambda given: getattr(given, "name", given))
def test_a_case_is_read_as_by_the_reference(table: str, case: compose_cases.Case, tmp_path: pathlib.Path) -> None:
    request = case.write(tmp_path)
    expected: dict[str, Any] = TABLES[table][case.name]
    seen = compose_cases.comparable(compose_cases.read(request), request["directory"])
    name = f"{table}/{case.name}"
    if name in STRICTER:
        assert "refused" not in expected
        assert STRICTER[name] in seen["refused"]
    elif "refused" in expected:
        assert "refused" in seen, expected["refused"]
    else:
        assert seen == expected


def test_the_tables_hold_every_case() -> None:
    assert sum(map(len, TABLES.values())) == len(CASES) >= 120
    assert {table: list(found) for table, found in TABLES.items()} == {
        table: sorted(case.name for of, case in CASES if of == table) for table in TABLES
    }
