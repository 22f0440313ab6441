"""Timelines: read from events, drawn as characters and as a page."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from pathlib import Path

import orlop
from conftest import Platform
from orlop.timeline import Timeline, phase_of

EVENTS = [
    {"sequence": 1, "at": "2026-01-01T00:00:00.000Z", "kind": "service.deployment_queued", "subject": "a", "to": "DEPLOYMENT_QUEUED"},
    {"sequence": 2, "at": "2026-01-01T00:00:10.000Z", "kind": "service.deploying", "subject": "a", "to": "DEPLOYING"},
    {"sequence": 3, "at": "2026-01-01T00:00:20.000Z", "kind": "service.freshness_changed", "subject": "a", "to": "UP_TO_DATE"},
    {"sequence": 4, "at": "2026-01-01T00:00:30.000Z", "kind": "service.deployed", "subject": "a", "to": "DEPLOYED"},
    {"sequence": 5, "at": "2026-01-01T00:00:40.000Z", "kind": "service.deployed", "subject": "unknown", "to": "DEPLOYED"},
]


def test_spans_follow_from_changes_of_state() -> None:
    timeline = Timeline.of(EVENTS, {"a": ("stage", "web"), "b": ("stage", "silent")}, title="one")
    assert [(row.group, row.name) for row in timeline.rows] == [("stage", "web")]
    assert [(span.state, span.seconds) for span in timeline.rows[0].spans] == [
        ("DEPLOYMENT_QUEUED", 10),
        ("DEPLOYING", 20),
        ("DEPLOYED", 10),
    ]
    assert (timeline.seconds, repr(timeline)) == (40, "<Timeline 'one': 1 rows, 40s>")


def test_the_chart_has_a_character_for_each_slice() -> None:
    lines = Timeline.of(EVENTS, {"a": ("stage", "web")}, title="one").text(width=49).splitlines()
    assert lines[0] == "one  (40s, from 00:00:00 to 00:00:40)"
    assert lines[2] == "stage"
    assert lines[3] == "  web    " + "·" * 10 + "▓" * 20 + "█" * 10


def test_nothing_gives_an_empty_chart() -> None:
    assert Timeline.of([], {}, title="none").rows == ()
    assert "none" in Timeline.of([], {}, title="none").text()


def test_every_sort_of_state_has_its_glyph() -> None:
    assert [phase_of(state).glyph for state in ("QUEUED", "STOP_QUEUED", "WAITING_RUNNING", "BUILD_ERROR", "CANCELING", "READY")] == [
        "·", "·", "-", "!", "x", " ",
    ]  # fmt: skip


def test_a_deployment_saves_its_page(platform: Platform, tmp_path: Path) -> None:
    assert isinstance(platform.engine, orlop.Simulation)
    platform.engine.rules.add(step="deploy", after="30s")
    platform.container("<web> & co")
    run = platform.environment.deploy().wait()
    run.timeline.save(tmp_path / "run.html")
    page = (tmp_path / "run.html").read_text(encoding="utf-8")
    assert page.startswith("<!DOCTYPE html>") and "<script" not in page and "http" not in page
    assert "&lt;web&gt; &amp; co: DEPLOYED" in page
    drawing = ElementTree.fromstring(page[page.index("<svg") : page.index("</svg>") + 6])
    assert len(drawing.findall("rect")) == len(run.timeline.rows[0].spans) == 2
    assert "<web> & co" in run.timeline.text()
