"""The month of a platform: examples/month.py shows what happened, on one page that loads nothing."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from types import ModuleType
from typing import Any

import orlop
import pytest
from orlop.reporting.month import Month, page
from orlop.deployments.timeline import Timeline

EXAMPLE = Path(__file__).resolve().parents[2] / "examples/month.py"


def load() -> ModuleType:
    spec = importlib.util.spec_from_file_location("month_example", EXAMPLE)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module", name="lived")
def lived_fixture() -> Any:
    example = load()
    with orlop.Simulation(seed=1, billing=example.TERMS) as simulation:
        platform = example.Platform(simulation)
        platform.begin()
        platform.live()
        yield platform, *platform.month()


def test_each_environment_has_its_cost(lived: Any) -> None:
    _, month, _ = lived
    costs = {cost.name: cost for cost in month.costs}
    # Six instances for the whole month; two for the hours in which development runs: 11 on each weekday, and the first
    # night.
    assert 6 * 743 < costs["production"].hours <= 6 * 744
    assert costs["production"].amount == pytest.approx(costs["production"].hours * 0.021, abs=0.01)
    assert 2 * 11 * 20 < costs["development"].hours < 2 * (11 * 22 + 24)
    assert costs["frankfurt"].amount == pytest.approx(744 * 0.12, abs=0.2)


def test_the_invoice_is_the_sum_of_what_was_used(lived: Any) -> None:
    platform, month, _ = lived
    used = sum(cost.amount for cost in month.costs)
    invoice = platform.ask("GET", f"{platform.home}/invoice")["results"][-1]
    assert invoice["total"] == pytest.approx(49 + used - 25, abs=0.02)
    assert invoice["total_in_cents"] == round(invoice["total"] * 100)
    assert (invoice["period_start"], invoice["period_end"]) == ("2026-01-01T00:00:00.000Z", "2026-02-01T00:00:00.000Z")


def test_the_alert_fired_and_ended(lived: Any) -> None:
    _, month, _ = lived
    assert [note.words for note in month.alerts] == [
        "the condition holds",
        "fires",
        "its receiver was sent a message",
        "resolved",
    ]
    assert all(note.at.startswith("2026-01-14T10:") for note in month.alerts)


def test_development_was_stopped_at_night_and_production_was_not(lived: Any) -> None:
    _, month, _ = lived
    assert [name for name, _, _ in month.stops] == ["development"]
    assert month.stops[0][1] == 22  # the evenings of 22 weekdays


def test_the_backup_was_made(lived: Any) -> None:
    _, month, _ = lived
    assert [note.words for note in month.backups][-1] == "succeeded"


def test_the_page_shows_all_of_it_and_loads_nothing(lived: Any) -> None:
    _, month, timeline = lived
    text = page(month, timeline)
    for words in (
        "Harbour Goods, January 2026",
        "production",
        "development",
        "frankfurt",
        "memory of frankfurt",
        "resolved",
        "orders",
        "succeeded",
        "Stopped by the clock",
    ):
        assert words in text
    assert not re.search(r"<script|<link|<img|src=|href=|url\(|@import", text)


def test_a_heading_stands_as_the_column_below(lived: Any) -> None:
    _, month, timeline = lived
    tables = re.findall(r'<table class="month">.*?</table>', page(month, timeline), re.DOTALL)
    for table in tables:
        heads, *rows = re.findall(r"<tr>.*?</tr>", table, re.DOTALL)
        of_heads = ["number" in head for head in re.findall(r"<th[^>]*>", heads)]
        assert rows and all(["number" in cell for cell in re.findall(r"<td[^>]*>", row)] == of_heads for row in rows)
    assert len(tables) == 5


def test_names_are_no_markup() -> None:
    month = Month("<b>", "EUR", [], [("<i>x", 1, 2)], [], [("<u>", 1, 60)], [])
    text = page(month, Timeline.of([], {}))
    assert "<b>&" not in text and "&lt;b&gt;" in text and "&lt;i&gt;x" in text and "&lt;u&gt;" in text
