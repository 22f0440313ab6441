"""Every fact of the interface holds, and every line of the table has a test that shows it."""

from __future__ import annotations

from collections.abc import Iterator

import facts
import pytest
import rules  # noqa: F401
import rules_of_requests  # noqa: F401
from checks import Checks
from shown import SHOWN_BY
from fixture import Fixture

INTERFACE = facts.interface()
FACTS = facts.facts_of(INTERFACE)


@pytest.fixture(scope="module")
def checks() -> Iterator[Checks]:
    fixture = Fixture()
    yield Checks(INTERFACE, fixture)
    fixture.close()


@pytest.mark.parametrize("fact", FACTS, ids=lambda fact: fact.name)
def test_fact(fact: facts.Fact, checks: Checks) -> None:
    if fact.check == "rule":
        assert fact.about in SHOWN_BY, "no test shows this rule"
        SHOWN_BY[fact.about](checks.fixture)
    else:
        checks.show(fact)


def test_every_shown_rule_is_stated() -> None:
    assert set(SHOWN_BY) <= set(INTERFACE.rules)


def test_facts_have_different_names() -> None:
    assert len({fact.name for fact in FACTS}) == len(FACTS)


def test_table_is_that_of_the_document() -> None:
    assert facts.TABLE.read_text(encoding="utf-8") == facts.table(FACTS, facts.shown_by()), (
        "tests/conformance/table.tsv is stale; write it anew: .venv/bin/python tests/conformance/facts.py"
    )


MEANINGLESS = [
    "name thing",
    "[Cluster",
    "rule x",
    "[A A]\nname texts",
    "[A A]\nname text sometimes",
    "endpoint 1 GET /x",
]


@pytest.mark.parametrize("line", MEANINGLESS)
def test_line_that_means_nothing_is_refused(line: str) -> None:
    with pytest.raises(facts.Unreadable):
        facts.read(line)
