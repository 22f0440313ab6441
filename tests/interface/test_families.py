"""The families of the interface: every operation is in one of them, and the page that counts them is up to date."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from shape import operations
from test_interface import DOCUMENT, HERE, read

ROOT = HERE.parents[1]


@pytest.fixture(scope="module", name="pages")
def pages_fixture() -> ModuleType:
    found = importlib.util.spec_from_file_location("coverage_page", ROOT / "docs/site/coverage_page.py")
    assert found and found.loader
    module = importlib.util.module_from_spec(found)
    sys.modules["coverage_page"] = module
    found.loader.exec_module(module)
    return module


def families(pages: Any) -> Any:
    return pages.read_families(Path(pages.FAMILIES).read_text(encoding="utf-8"))


def test_every_operation_is_in_one_family(pages: Any) -> None:
    listed = [operation for family in families(pages) for operation in family.operations]
    wanted = set(operations(read(HERE / "interface.json")))
    rows = "".join(f"\n4 {operation}" for operation in sorted(wanted - set(listed)))
    assert not rows, f"tests/interface/families.txt lacks these rows, each with its tier:{rows}"
    assert sorted(listed) == sorted(wanted)
    assert len({family.name for family in families(pages)}) == len(families(pages)) >= 39
    tiers = [tier for family in families(pages) for tier in family.tiers]
    assert [tiers.count(tier) for tier in (1, 2, 3, 4)] == [121, 59, 70, 304]


def test_the_page_is_up_to_date(pages: Any) -> None:
    assert pages.main(["--check"]) == 0
    assert f"with {len(operations(read(HERE / 'interface.json')))} operations" in pages.PAGE.read_text(encoding="utf-8")


def test_an_operation_that_is_not_served_is_on_the_page(pages: Any) -> None:
    served = pages.operations_of(read(DOCUMENT))
    gone = "GET /database/{databaseId}/backup"
    text = pages.page(families(pages), served - {gone})
    assert "| backups |  |  |  | 2/3 | 2/3 |" in text and f"Not served: `{gone}`." in text
    assert text != pages.page(families(pages), served)
