"""Several resources by one entry of a scenario file: `count` and `names`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from orlop.resources.resource import BulkCreatable
from orlop.simulation.scenarios import creation, document
from orlop.simulation.scenarios.play import furnished, play
from orlop.simulation.scenarios.search import Search

if TYPE_CHECKING:
    from collections.abc import Iterable

DATABASE = 'type: POSTGRESQL, version: "16", mode: CONTAINER'
ENTRY = f"{{family: database, names: [stock, orders, users], {DATABASE}}}"
SMALL = f"""\
seed: 3
rules:
  - {{step: deploy, after: {{distribution: lognormal, median: 1m, sigma: 0.5}}}}
resources:
  - {{family: organization, name: acme, plan: FREE}}
  - {{family: cluster, name: europe, region: eu-west-3, cloud_provider: AWS}}
  - {{family: project, name: shop}}
  - {{family: environment, name: production, cluster_id: "{{europe}}"}}
  - {ENTRY}
actions:
  - {{deploy: production}}
  - {{when: {{kind: service.deployed, subject: orders}}, stop: users}}
expect:
  - {{state: DEPLOYED, of: stock}}
  - {{state: STOPPED, of: users}}
  - {{refused_actions: 0}}
"""


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """Records the names of each call of create_many."""
    calls: list[list[str]] = []
    create_many = BulkCreatable.create_many

    def noted(self: BulkCreatable[Any], names: Iterable[str], **fields: Any) -> Any:
        calls.append(list(names))
        return create_many(self, names, **fields)

    monkeypatch.setattr(BulkCreatable, "create_many", noted)
    return calls


def test_other_parts_of_a_scenario_name_one_of_many(at_once: list[list[str]]) -> None:
    played = play(document.parse(SMALL.encode()), 3)
    assert (played.outcome.failed, played.outcome.unmatched) == ([], [])
    assert at_once == [["stock", "orders", "users"]]


@pytest.mark.parametrize(
    "entry",
    [
        ENTRY,
        f'{{family: database, count: 700, name: "db-{{n}}", {DATABASE}}}',
        "{family: container_registry, names: [hub, ecr, gcr, quay], kind: DOCKER_HUB, config: {}}",
        f'{{family: database, count: 3, name: "db-{{n}}", description: "number {{n}}", {DATABASE}}}',
    ],
)
def test_they_are_the_same_as_entries_of_one_each(
    entry: str, at_once: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    text = SMALL[: SMALL.index("actions:")].replace(ENTRY, entry) + "actions:\n  - {deploy: production}\n"
    together = play(document.parse(text.encode()), 3, "names")
    assert len(at_once) == (0 if "description" in entry else 1)
    monkeypatch.setattr(creation, "_differ_in_names_only", lambda given: False)
    alone = play(document.parse(text.encode()), 3, "names")
    assert together == alone
    assert len(at_once) == (0 if "description" in entry else 1)


def test_a_parent_has_the_number_of_its_child() -> None:
    teams = '{family: environment, count: 3, name: "team-{n}", cluster_id: "{europe}"}'
    databases = ENTRY.replace("names:", 'in: "team-{n}", names:')
    text = SMALL.replace(ENTRY, f"{teams}\n  - {databases}")
    simulation, stage = furnished(document.parse(text.encode()), 1)
    with simulation:
        for number, name in enumerate(("stock", "orders", "users"), 1):
            assert stage.named[name]["environment"]["id"] == stage.named[f"team-{number}"].id


def test_clusters_and_families_without_create_many_are_created_one_by_one(at_once: list[list[str]]) -> None:
    text = SMALL.replace("name: europe, region", "names: [asia, europe], region").replace(
        "  - {family: project", "  - {family: api_token, names: [ci, cd]}\n  - {family: project"
    )
    simulation, stage = furnished(document.parse(text.encode()), 1)
    with simulation:
        assert [cluster.state()["status"] for cluster in (stage.named["asia"], stage.named["europe"])] == [  # type: ignore[attr-defined]
            "DEPLOYED",
            "DEPLOYED",
        ]
        assert {"ci", "cd"} <= stage.named.keys()
    assert at_once == [["stock", "orders", "users"]]


def test_an_action_creates_several_by_a_request_each(at_once: list[list[str]]) -> None:
    action = (
        f'{{every: 1m, times: 2, create: {{family: database, in: production, names: ["a-{{n}}", "b-{{n}}"], '
        f"{DATABASE}}}}}"
    )
    waits = '{when: {kind: database.created, subject: b-2}, edit: b-2, set: {description: "late"}}'
    fault = "{at: 30s, faults: [{operation: create_database, status: 503, times: 1}]}"
    text = SMALL[: SMALL.index("actions:")] + f"actions:\n  - {action}\n  - {waits}\n  - {fault}\n"
    outcome = play(document.parse(text.encode()), 3).outcome
    assert [said.split(": ")[0] for said in outcome.refused] == ["actions[0] at 60 s"]
    assert "actions[1]" in str(outcome.unmatched)  # b-2 was not created: the earlier request was refused
    assert at_once == [["stock", "orders", "users"]]
    outcome = play(document.parse(text.replace(fault, "{at: 30s, clear_faults: true}").encode()), 3).outcome
    assert (outcome.refused, [said for said in outcome.unmatched if "actions" in said]) == ([], [])


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (
            "names: [stock, orders, users]",
            'count: 0, name: "db-{n}"',
            "9:24: resources[4].count must be at least 1, not 0",
        ),
        (
            "names: [stock, orders, users]",
            'count: -1, name: "db-{n}"',
            "9:24: resources[4].count must be at least 1, not -1",
        ),
        (
            "names: [stock, orders, users]",
            'count: 1000000000, name: "db-{n}"',
            "9:24: resources[4].count must be at most 100000, not 1000000000",
        ),
        (
            "names: [stock, orders, users]",
            'count: many, name: "db-{n}"',
            '9:24: resources[4].count must be a whole number, not "many"',
        ),
        (
            "names: [stock, orders, users]",
            "count: 3, name: db",
            "9:34: resources[4].name must contain {n} where count is more than 1, not 'db'",
        ),
        ("names: [stock, orders, users]", "names: stock", '9:24: resources[4].names must be a list, not "stock"'),
        ("names: [stock, orders, users]", "names: []", "9:24: resources[4].names must be a list of at least 1, not []"),
        ("names: [stock, orders, users]", "names: [stock, 3]", "9:39: resources[4].names[1] must be text, not 3"),
        (
            "names: [stock, orders, users]",
            "names: [stock, orders, stock]",
            '9:47: resources[4].names[2] must differ from resources[4].names[0], not "stock"',
        ),
        (
            "names: [stock, orders, users]",
            "names: [stock, shop]",
            "9:39: resources[4].names[1] must differ from those of the resources that exist, not 'shop'",
        ),
        (
            "names: [stock, orders, users]",
            'names: ["a-{n}", a-1]',
            "9:41: resources[4].names[1] must differ from those of the resources that exist, not 'a-1'",
        ),
        ("names: [stock, orders, users]", 'names: [stock, ""]', '9:5: resources[4] is refused: names[1] "": '),
        (
            "names: [stock, orders, users]",
            "names: [stock, orders], name: db",
            "9:24: resources[4].names must be given without name",
        ),
        (
            "names: [stock, orders, users]",
            "names: [stock, orders], count: 2",
            "9:48: resources[4].count must be given without names",
        ),
        ("names: [stock, orders, users], ", "", "9:5: resources[4].name or names is required"),
        (
            "{deploy: production}",
            "{create: {family: project, names: [a, a]}}",
            '11:43: actions[0].create.names[1] must differ from actions[0].create.names[0], not "a"',
        ),
        (
            "{deploy: production}",
            "{create: {family: project, names: [a], count: 1}}",
            "11:44: actions[0].create.count must be given without names",
        ),
        ("{deploy: production}", "{create: {family: project}}", "11:6: actions[0].create.name or names is required"),
    ],
)
def test_wrong_names_are_refused_with_line_column_and_member(old: str, new: str, said: str) -> None:
    assert old in SMALL
    with pytest.raises(document.ScenarioError) as refused:
        play(document.parse(SMALL.replace(old, new).encode(), "many.yml"), 3)
    assert str(refused.value).startswith(f"many.yml:{said}")


def test_a_search_leaves_out_names() -> None:
    search = Search(
        document.parse(
            SMALL.replace("  - {when: {kind: service.deployed, subject: orders}, stop: users}\n", "").encode()
        ),
        "services.any(state == 'DEPLOYED')",
    )
    found = search.find(3, 1, lambda: None)
    assert found is not None
    (database,) = (entry for entry in search.shrink(found).data["resources"] if entry["family"] == "database")
    assert len(database["names"]) == 1


def test_an_entry_makes_a_hundred_thousand() -> None:
    simulation, stage = furnished(
        document.parse(
            SMALL[: SMALL.index("actions:")]
            .replace("names: [stock, orders, users]", 'count: 100000, name: "db-{n}"')
            .encode()
        ),
        1,
    )
    with simulation:
        assert stage.named["db-100000"].id == simulation.events(kinds=["database.created"])[-1]["subject"]
