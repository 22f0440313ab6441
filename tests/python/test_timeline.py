"""Timelines: read from events, drawn as characters and as a page."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import pytest

import orlop
from conftest import Platform
from orlop.base.event_text import words_of
from orlop.deployments.timeline_page import page as page_of
from orlop.deployments.phases import phase_of
from orlop.deployments.timeline import Timeline

EVENTS = [
    {
        "sequence": 1,
        "at": "2026-01-01T00:00:00.000Z",
        "kind": "service.deployment_queued",
        "subject": "a",
        "to": "DEPLOYMENT_QUEUED",
    },
    {"sequence": 2, "at": "2026-01-01T00:00:10.000Z", "kind": "service.deploying", "subject": "a", "to": "DEPLOYING"},
    {
        "sequence": 3,
        "at": "2026-01-01T00:00:20.000Z",
        "kind": "service.freshness_changed",
        "subject": "a",
        "to": "UP_TO_DATE",
    },
    {"sequence": 4, "at": "2026-01-01T00:00:30.000Z", "kind": "service.deployed", "subject": "a", "to": "DEPLOYED"},
    {
        "sequence": 5,
        "at": "2026-01-01T00:00:40.000Z",
        "kind": "service.deployed",
        "subject": "unknown",
        "to": "DEPLOYED",
    },
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
    assert [
        phase_of(state).glyph
        for state in ("QUEUED", "STOP_QUEUED", "WAITING_RUNNING", "BUILD_ERROR", "CANCELING", "READY")
    ] == [
        "·",
        "·",
        "-",
        "!",
        "x",
        " ",
    ]


def test_a_deployment_saves_its_page(platform: Platform, tmp_path: Path) -> None:
    assert isinstance(platform.engine, orlop.Simulation)
    platform.engine.rules.add(step="deploy", after="30s")
    platform.container("<web> & co")
    run = platform.environment.deploy().wait()
    run.timeline.save(tmp_path / "run.html")
    page = (tmp_path / "run.html").read_text(encoding="utf-8")
    assert page.startswith("<!DOCTYPE html>") and "<script" not in page and "http" not in page
    assert "&lt;web&gt; &amp; co: DEPLOYED" in page
    part = part_of(page)
    assert len(bars_of(part)) == len(run.timeline.rows[0].spans) == 2
    assert "<web> & co" in run.timeline.text()


def part_of(page: str) -> ElementTree.Element:
    """Returns the timeline of a page, which must be well-formed."""
    return ElementTree.fromstring(page[page.index('<div class="orlop-timeline">') : page.rindex("</div>") + 6])


def bars_of(part: ElementTree.Element) -> list[ElementTree.Element]:
    return part.findall(".//span[@class='track']/i")


def timeline_of(name: str, milliseconds: int) -> Timeline:
    events = [
        {"at": f"2026-01-01T00:00:00.{at:03}Z", "kind": f"service.{state.lower()}", "subject": "a", "to": state}
        for at, state in ((0, "DEPLOYMENT_QUEUED"), (milliseconds // 2, "DEPLOYING"), (milliseconds, "DEPLOYED"))
    ]
    return Timeline.of(events, {"a": ("stage", name)}, title="one")


def test_a_timeline_under_one_second_has_ticks_that_differ() -> None:
    timeline = timeline_of("web", 240)
    lines = timeline.text(width=109).splitlines()
    assert lines[0] == "one  (240ms, from 00:00:00.000 to 00:00:00.240)"
    assert lines[1].split() == ["|0s", "|48ms", "|96ms", "|144ms", "|192ms"]
    assert lines[3] == "  web    " + "·" * 50 + "▓" * 49 + "█"
    part = part_of(timeline._repr_html_())
    ticks = [tick.text for tick in part.findall(".//span[@class='track axis']/b")]
    assert ticks == ["0s", "40ms", "80ms", "120ms", "160ms", "200ms", "240ms"]
    assert "DEPLOYING 120ms" in timeline._repr_html_()


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0, "0s"),
        (0.0004, "0.4ms"),
        (0.25, "250ms"),
        (0.9999, "1s"),
        (1, "1s"),
        (1.54, "1.5s"),
        (9.96, "10s"),
        (59.7, "1m00s"),
        (7260, "2h01m"),
    ],
)
def test_durations_are_short_and_exact(seconds: float, words: str) -> None:
    assert words_of(seconds) == words


@pytest.mark.parametrize("length", [60, 255])
def test_long_names_leave_room_for_the_bars(length: int) -> None:
    name = "service-" + "x" * (length - 12) + "-end"
    lines = timeline_of(name, 800).text(width=80).splitlines()
    assert max(map(len, lines[:4])) <= 80
    assert lines[3].startswith("  service-xx") and "…" in lines[3] and "-end ·" in lines[3]
    assert lines[3].count("·") + lines[3].count("▓") + lines[3].count("█") == 80 - 40 - 1
    page = timeline_of(name, 800)._repr_html_()
    assert page.count(f">{name}<") == 2 and "overflow-wrap: anywhere" in page


def test_a_name_of_several_lines_stays_in_one() -> None:
    assert "  a b  " in timeline_of("a\nb", 800).text()


@pytest.mark.parametrize("width", [39, 10_001, "80", None, True, 80.0], ids=str)
def test_a_width_that_is_none_is_refused(width: Any) -> None:
    with pytest.raises(orlop.Misuse, match="^width must be a whole number of 40 to 10000, not "):
        timeline_of("web", 800).text(width)


def test_bars_stay_inside_their_track(platform: Platform) -> None:
    platform.container()
    for bar in bars_of(part_of(platform.environment.deploy().wait().timeline._repr_html_())):
        left, width = (float(number) for number in re.findall(r"([0-9.]+)%", bar.attrib["style"])[::2])
        assert 0 <= left <= 100 and left + width <= 100.01


def test_notebooks_are_shown_the_timeline(platform: Platform) -> None:
    platform.container()
    run = platform.environment.deploy()
    assert "<p>&lt;Deployment" in run._repr_html_() or "orlop-timeline" in run._repr_html_()
    assert run.wait()._repr_html_() == run.timeline._repr_html_()


def test_a_page_fits_a_narrow_screen() -> None:
    page = page_of(timeline_of("web", 800))
    assert '<meta name="viewport" content="width=device-width, initial-scale=1">' in page
    style = page[page.index("@media (max-width: 640px)") :]
    assert "grid-template-columns: minmax(0, 1fr)" in style and "svg" not in page
