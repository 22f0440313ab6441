"""Images, charts and commits as data of a simulation, as a test author and a scenario file give them."""

from __future__ import annotations

from typing import Any

import pytest

import orlop
from conftest import Platform
from orlop.simulation.scenarios import document
from orlop.simulation.scenarios.play import play
from test_serve import call

DIGEST = "sha256:" + "a" * 64
ENTRY = {"image": "acme/web", "registry": "*", "tags": ["1.0", {"tag": "1.1", "digest": DIGEST}]}


def reasons(platform: Platform) -> list[str]:
    return [failure.reason for failure in platform.environment.deploy().wait().failures()]


def test_what_is_missing_is_named_until_it_is_there(platform: Platform) -> None:
    simulation = platform.engine
    assert isinstance(simulation, orlop.Simulation)
    platform.container("web")
    assert reasons(platform) == []
    simulation.sources.add(image="nothing", tags=())
    assert len(reasons(platform)) == 1
    assert "does not exist in the registry" in reasons(platform)[0]
    simulation.sources.clear()
    assert reasons(platform) == []


def test_they_are_read_as_they_are_given() -> None:
    with orlop.Simulation() as simulation, orlop.Simulation() as other:
        tags: list[str | dict[str, str]] = ["1.0", {"tag": "1.1", "digest": DIGEST}]
        simulation.sources.add(image="acme/web", tags=iter(tags))
        simulation.sources.add(chart="redis", versions=["1", "2"], repository="charts")
        simulation.sources.add(git="https://git.example.com/a/b.git/", commits=["c1"])
        simulation.sources.remove(["1"], chart="redis", repository="charts")
        listed = list(simulation.sources)
        assert listed == [
            ENTRY,
            {"chart": "redis", "repository": "charts", "versions": ["2"]},
            {
                "branch": "main",
                "git": "https://git.example.com/a/b",
                "commits": [{"id": "c1", "created_at": "2026-01-01T00:00:00.000Z"}],
            },
        ]
        assert list(other.sources) == []
        other.sources.load(listed)
        assert list(other.sources) == listed


def test_snapshots_and_forks_keep_them() -> None:
    with orlop.Simulation() as simulation:
        simulation.sources.load([ENTRY])
        before = simulation.snapshot()
        with simulation.fork() as other:
            other.sources.clear()
        assert list(simulation.sources) == [ENTRY]
        simulation.sources.clear()
        simulation.restore(before)
        assert list(simulation.sources) == [ENTRY]
        simulation.sources.add(image="acme/web", tags=["1.2"])
        simulation.restore(before)
        assert list(simulation.sources) == [ENTRY]
        with orlop.Simulation(snapshot=bytes(before)) as opened:
            assert list(opened.sources) == [ENTRY]


def test_they_are_data_over_http() -> None:
    with orlop.Simulation() as simulation, simulation.serve() as url:
        assert call(url, "POST", "/-/sim/sources", {"sources": [ENTRY]}) == (204, None)
        assert call(url, "GET", "/-/sim/sources")[1] == {"sources": [ENTRY]}
        status, refused = call(url, "POST", "/-/sim/sources", {"sources": [ENTRY, {"image": "x", "tgas": []}]})
        assert (status, refused["message"]) == (
            400,
            'sources[1].tgas is not a member of a source that names image; the nearest known one is "tags"',
        )
        assert call(url, "GET", "/-/sim/sources")[1] == {"sources": [ENTRY]}, "all or nothing"
        assert call(url, "DELETE", "/-/sim/sources") == (204, None)
        assert list(simulation.sources) == []
        described = call(url, "GET", "/-/sim/openapi.json")[1]
        assert described["paths"]["/-/sim/sources"].keys() == {"get", "post", "delete"}
        members = described["components"]["schemas"]["Source"]["properties"].keys()
        assert {*ENTRY, "chart", "repository", "versions", "git", "branch", "commits", "removed"} == set(members)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({}, "image, chart or git is required"),
        ({"image": ""}, "image must be text of 1 to 1024 bytes"),
        ({"image": "x" * 70_000}, "image must be text of 1 to 1024 bytes"),
        ({"image": "x", "tags": "1.0"}, 'tags must be a list of at most 100000 entries, not "1.0"'),
        ({"image": "x", "tags": {"1.0": DIGEST}}, "tags must be a list of at most 100000 entries"),
        ({"image": "x", "tags": [None]}, r"tags\[0\] must be text of 1 to 1024 bytes, not null"),
        (
            {"image": "x", "tags": [{"tag": "1", "digest": "latest"}]},
            r"tags\[0\].digest must be sha256: and 64 hexadecimal digits",
        ),
        ({"image": "x", "versions": ["1"]}, "versions is not a member of a source that names image"),
        ({"chart": "x", "versions": [1.5]}, r"versions\[0\] must be text"),
        ({"git": "https://h/a/b", "commits": [{"message": "m"}]}, r"commits\[0\].id is required"),
        (
            {"git": "shop", "commits": ["c"]},
            'git must be the URL of a git repository like https://github.com/acme/shop.git, not "shop"',
        ),
        ({"image": "x", "chart": "y"}, "image, chart and git must be given in entries of their own"),
    ],
)
def test_a_source_that_is_not_allowed_is_named(given: dict[str, Any], said: str) -> None:
    with orlop.Simulation() as simulation, pytest.raises(orlop.Misuse, match=said):
        simulation.sources.add(**given)


@pytest.mark.parametrize("given", [5, "text", {"image": "x"}, [5], None])
def test_lists_are_lists_of_mappings(given: Any) -> None:
    with (
        orlop.Simulation() as simulation,
        pytest.raises(orlop.Misuse, match="sources must be a list of mappings, not "),
    ):
        simulation.sources.load(given)


def test_external_systems_of_the_host_have_no_list() -> None:
    class Company(orlop.ExternalSystems):
        def list_branches(self, question: Any) -> list[dict[str, str]]:
            return [{"name": "main"}]

    with (
        orlop.Simulation(external_systems=Company()) as simulation,
        pytest.raises(orlop.Conflict, match="this simulation has those of its host"),
    ):
        simulation.sources.add(image="x")


def test_ten_thousand_are_added_one_by_one() -> None:
    with orlop.Simulation() as simulation:
        simulation.sources.load([{"image": f"acme/{number}", "tags": ["1"]} for number in range(10_000)])
        for number in range(100):
            simulation.sources.add(image="acme/web", tags=[str(number)])
        assert len(list(simulation.sources)) == 10_001


def test_a_scenario_names_the_line_of_what_is_wrong() -> None:
    wrong = (
        b"sources:\n  - {image: acme/web, tags: [1]}\nresources:\n  - {family: organization, name: acme, plan: FREE}\n"
    )
    with pytest.raises(
        document.ScenarioError,
        match=r"^scenario:2:\d+: sources\[0\]\.tags\[0\] must be text of 1 to 1024 bytes, not 1$",
    ):
        play(document.parse(wrong), 1)
