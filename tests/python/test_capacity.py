"""The capacity of clusters: in Python, over HTTP, in scenario files, in traces, conditions and reports."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

import orlop
from orlop.reporting.capacity_data import capacity_series, cost_of
from orlop.reporting.run_data import Trace, run_data
from orlop.simulation.scenarios import document
from orlop.simulation.scenarios.play import play
from orlop.simulation.traces.states import Subject

SCENARIO = """\
seed: 3
until: 10h
rules:
  - {step: deploy, after: 1m, running: RUNNING}
resources:
  - {family: organization, name: acme, plan: FREE}
  - {family: cluster, name: europe, region: eu-west-3, cloud_provider: AWS}
  - {family: project, name: shop}
  - {family: environment, name: production, cluster_id: "{europe}"}
  - {family: database, count: 2, name: "db-{n}", type: POSTGRESQL, version: "16", mode: CONTAINER, cpu: 800, memory: 512}
capacity:
  - {cluster: europe, nodes: 1, cpu: 1, memory: 1GiB, price: 2}
actions:
  - {deploy: production}
expect:
  - {refused_actions: 0}
"""


def furnished(**options: Any) -> tuple[orlop.Simulation, Any, Any]:
    """Returns a simulation with a deployed cluster and an environment of three databases on it."""
    platform = orlop.Simulation(seed=5, **options)
    platform.rules.add(step="deploy", after="1m", running="RUNNING")
    acme = platform.organizations.create(name="acme", plan="FREE")
    europe = acme.clusters.create(name="europe", region="eu-west-3", cloud_provider="AWS").deploy().wait()
    shop = acme.projects.create(name="shop").environments.create(name="production", cluster_id=europe.id)
    for number in (1, 2, 3):
        shop.databases.create(
            name=f"db-{number}", type="POSTGRESQL", version="16", mode="CONTAINER", cpu=1500, memory=2048
        )
    return platform, europe, shop


def states(shop: Any) -> list[str]:
    return [str(database.state) for database in shop.databases]


def test_a_cluster_has_a_capacity_or_none() -> None:
    platform, europe, _ = furnished()
    with platform:
        assert europe not in platform.capacity and europe.id not in platform.capacity and None not in platform.capacity
        platform.capacity(europe, nodes=1, cpu=1, memory="1GiB")
        assert europe in platform.capacity and europe.id in platform.capacity
        assert list(platform.capacity) == [europe.id]


def test_a_fork_and_a_restored_simulation_go_on_with_the_nodes() -> None:
    platform, europe, shop = furnished()
    with platform:
        platform.capacity(europe, nodes=1, nodes_max=3, cpu=2, memory="8GiB", price=0.25)
        shop.deploy()
        platform.clock.advance(seconds=30)
        before = platform.snapshot()
        platform.clock.advance(minutes=20)
        expected = platform.events()
        assert states(shop) == ["DEPLOYED"] * 3
        platform.restore(before)
        assert platform.capacity[europe]["waiting"] == 2
        with platform.fork() as other:
            other.clock.advance(minutes=20)
            assert other.events() == expected
        platform.clock.advance(minutes=20)
        assert platform.events() == expected


def test_a_fork_goes_on_with_a_step_that_began_before_there_was_a_capacity() -> None:
    platform, europe, shop = furnished()
    with platform:
        shop.deploy()
        platform.clock.advance(seconds=30)
        platform.capacity(europe, nodes=1, cpu=1, memory="1GiB")
        with platform.fork() as other:
            other.run_until_idle()
            platform.run_until_idle()
            assert states(shop) == ["DEPLOYED"] * 3
            assert other.events() == platform.events()


def test_a_node_that_comes_and_goes_at_once_stays_for_what_waits() -> None:
    platform, europe, shop = furnished()
    with platform:
        shop.deploy().wait()
        platform.capacity(europe, nodes=3, nodes_max=5, cpu=2, memory="8GiB", scale_up_after=0, scale_down_after=0)
        platform.capacity.lose(europe, lasts="1h")
        assert platform.capacity[europe]["nodes"] == 3
        assert platform.run_until_idle() == 3600
        assert platform.capacity[europe]["nodes"] == 3


def test_what_a_host_says_wrongly_is_refused() -> None:
    platform, europe, _ = furnished()
    with platform:
        with pytest.raises(orlop.Misuse, match="nodes is required"):
            platform.capacity(europe, cpu=1, memory=1)
        with pytest.raises(orlop.Misuse, match="cpu must be the cores of each node.*not true"):
            platform.capacity(europe, nodes=1, cpu=True, memory=1)
        with pytest.raises(orlop.Misuse, match='memory must be.*not ""'):
            platform.capacity(europe, nodes=1, cpu=1, memory="")
        with pytest.raises(orlop.NotFound):
            platform.capacity("00000000-0000-0000-0000-000000000001", nodes=1, cpu=1, memory=1)
        with pytest.raises(orlop.Misuse, match="cluster must be the id"):
            platform.capacity("x" * 70_000, nodes=1, cpu=1, memory=1)
        with pytest.raises(orlop.Conflict, match="no nodes that could be lost"):
            platform.capacity.lose(europe)
        for path in ("/-/sim/capacity", "/-/sim/state"):
            bodies: tuple[Any, ...] = ("", [], 3)
            for body in bodies:
                assert "the body must be an object, not " in platform.request("POST", path, body).json()["message"]
        assert len(platform.capacity) == 0


def test_a_caller_without_rights_does_not_reach_it() -> None:
    platform, europe, _ = furnished(authentication="required")
    with platform, platform.serve() as url:
        import urllib.error
        import urllib.request

        for method in ("GET", "POST", "DELETE"):
            request = urllib.request.Request(
                f"{url}/-/sim/capacity",
                b"{}" if method == "POST" else None,
                {"Content-Type": "application/json"},
                method=method,
            )
            with pytest.raises(urllib.error.HTTPError) as refused:
                urllib.request.urlopen(request, timeout=10)
            assert refused.value.code == 401
        assert europe.id not in platform.capacity.to_dict()


def test_an_environment_that_is_deleted_frees_its_room() -> None:
    platform, europe, shop = furnished()
    with platform:
        platform.capacity(europe, nodes=3, cpu=2, memory="8GiB")
        shop.deploy().wait()
        assert platform.capacity[europe]["pods_used"] == 3
        shop.delete()
        platform.run_until_idle()
        assert platform.capacity[europe]["pods_used"] == 0


@pytest.mark.parametrize("deleted", ["project", "organization"])
def test_what_is_deleted_with_all_below_it_frees_its_room(deleted: str) -> None:
    platform, europe, shop = furnished()
    with platform:
        platform.capacity(europe, nodes=3, cpu=2, memory="8GiB")
        shop.deploy().wait()
        assert platform.capacity[europe]["pods_used"] == 3
        acme = platform.organizations.find("acme")
        (acme if deleted == "organization" else acme.projects.find("shop")).delete()
        platform.run_until_idle()
        if europe in platform.capacity:
            assert platform.capacity[europe]["pods_used"] == 0
        assert platform.request("GET", f"/environment/{shop.id}").status == 404


def test_a_stopped_cluster_has_no_nodes_and_costs_nothing() -> None:
    platform, europe, _ = furnished()
    with platform:
        platform.capacity(europe, nodes=3, cpu=2, memory="8GiB", price=1)
        platform.clock.advance(hours=1)
        europe.stop().wait()
        assert platform.capacity[europe]["nodes"] == 0
        stopped = platform.clock.now().timestamp()
        platform.clock.advance(hours=5)
        europe.deploy().wait()
        assert platform.capacity[europe]["nodes"] == 3
        assert cost_of(platform.events(), stopped, stopped + 5 * 3600) == 0
        assert cost_of(platform.events(), stopped - 3600, stopped) == pytest.approx(3, abs=0.01)


@pytest.mark.parametrize("is_set_first", [True, False])
def test_a_job_that_is_executed_needs_room_and_a_task_needs_none(is_set_first: bool) -> None:
    platform, europe, shop = furnished()
    with platform:
        platform.rules.add(step="execute", after="20m")
        platform.rules.add(step="task", after="20m")
        hub = platform.organizations.find("acme").container_registries.create(name="hub", kind="DOCKER_HUB", config={})
        source = {"image": {"registry_id": hub.id, "image_name": "acme/job", "tag": "1"}}
        shop.jobs.create(name="migrate", cpu=700, memory=512, source=source, healthchecks={}, schedule={"on_start": {}})
        nightly = shop.jobs.create(
            name="nightly",
            cpu=900,
            memory=512,
            source=source,
            healthchecks={},
            schedule={"cronjob": {"scheduled_at": "*/30 * * * *"}},
        )

        def used() -> int:
            if not is_set_first:
                platform.capacity.clear()
                platform.capacity(europe, nodes=3, cpu=4, memory="8GiB")
            return int(platform.capacity[europe]["cpu_used"])

        platform.capacity(europe, nodes=3, cpu=4, memory="8GiB")
        shop.deploy()
        platform.clock.advance(minutes=5)
        assert used() == 3 * 1500 + 700
        platform.clock.advance(minutes=26)
        assert [run["state"] for run in nightly.runs()] == ["RUNNING"]
        assert used() == 3 * 1500


def test_ten_thousand_services_that_wait_are_let_begin_in_their_order() -> None:
    with orlop.Simulation(seed=1, max_parallel_deploys=100_000) as platform:
        platform.rules.add(step="deploy", after="1s", running="RUNNING")
        acme = platform.organizations.create(name="acme", plan="FREE")
        europe = acme.clusters.create(name="europe", region="eu-west-3", cloud_provider="AWS").deploy().wait()
        shop = acme.projects.create(name="shop").environments.create(name="production", cluster_id=europe.id)
        for number in range(1000):
            shop.databases.create(
                name=f"db-{number}", type="POSTGRESQL", version="16", mode="CONTAINER", cpu=1000, memory=256
            )
        platform.capacity(europe, nodes=0, nodes_max=10, cpu=100, memory="8192GiB", pods=1000, scale_up_after="1m")
        run = shop.deploy().wait()
        assert run.state == "DEPLOYED"
        usage = platform.capacity[europe]
        assert (usage["nodes"], usage["waiting"], usage["cpu_used"]) == (10, 0, 1_000_000)


EVENTS = [
    {
        "sequence": 1,
        "at": "2026-01-01T00:00:00.000Z",
        "kind": "cluster.capacity_changed",
        "subject": "a",
        "detail": {"nodes": 2, "price": 3, "cpu": 4000, "cpu_used": 1000},
    },
    {
        "sequence": 2,
        "at": "2026-01-01T02:00:00.000Z",
        "kind": "cluster.capacity_changed",
        "subject": "a",
        "detail": {"nodes": 1, "price": 3, "waiting": 7},
    },
    {
        "sequence": 3,
        "at": "2026-01-01T03:00:00.000Z",
        "kind": "cluster.capacity_changed",
        "subject": "b",
        "detail": {"nodes": 1, "price": 0},
    },
    {"sequence": 4, "at": "2026-01-01T04:00:00.000Z", "kind": "cluster.deleted", "subject": "a", "to": "DELETED"},
]
BEGIN = 1767225600.0


def test_the_cost_is_the_price_of_the_nodes_over_time() -> None:
    assert cost_of(EVENTS, BEGIN, BEGIN + 10 * 3600) == pytest.approx(2 * 6 + 2 * 3)
    assert cost_of(EVENTS, BEGIN + 3600, BEGIN + 3 * 3600) == pytest.approx(6 + 3)
    assert cost_of(EVENTS, BEGIN + 5 * 3600, BEGIN + 6 * 3600) == 0
    assert cost_of([], BEGIN, BEGIN + 1) == 0


def test_a_report_has_nodes_use_and_cost_over_time() -> None:
    trace = Trace("run", EVENTS, {"a": Subject("cluster", "europe"), "b": Subject("cluster", "asia")})
    series = {entry["title"]: entry for entry in run_data(trace)["series"]}
    assert list(series) == [
        "Nodes of europe",
        "Use of europe, in percent",
        "Nodes of asia",
        "Use of asia, in percent",
        "Cost of the nodes an hour",
    ]
    assert series["Nodes of europe"]["at"] == [0.0, 7200.0, 14400.0]
    assert series["Nodes of europe"]["values"]["ready"] == [2, 1, 0]
    assert series["Nodes of europe"]["values"]["services that wait"] == [0, 7, 0]
    assert series["Use of europe, in percent"]["values"]["cpu"] == [25.0, 0.0, 0.0]
    assert series["Cost of the nodes an hour"]["values"] == {"europe": [6, 3, 3, 0], "asia": [0, 0, 0, 0]}
    assert capacity_series([], {}, BEGIN) == []


def test_a_report_without_capacity_is_as_before() -> None:
    with orlop.Simulation(seed=1) as platform:
        platform.organizations.create(name="acme", plan="FREE")
        assert "nodes for" not in repr(platform.report())


# Replacements in the scenario, and the message of the run.
EXPECTED = [
    ("{refused_actions: 0}", "{cost_at_most: 48, per: 24h}", ""),
    ("{refused_actions: 0}", "{cost_at_most: 47, per: 24h}", "the nodes cost 48.00 per 24h, more than 47"),
    ("{refused_actions: 0}", "{cost_at_most: 19.99}", "the nodes cost 20.00 in the run, more than 19.99"),
    ("{refused_actions: 0}", "{eventually: \"services.any(state == 'WAITING_RUNNING' and lasts('30m'))\"}", ""),
    ("{refused_actions: 0}", "{never: \"services.any(state == 'WAITING_RUNNING' and lasts('30m'))\"}", "came true"),
    ("{refused_actions: 0}", '{eventually: "clusters.any(nodes == 2)"}', "never came true"),
    ("{refused_actions: 0}", "{state: DEPLOYED, of: db-2}", "db-2 is DEPLOYMENT_ERROR"),
    ("  - {deploy: production}\n", "  - {deploy: production}\n  - {at: 10m, capacity: europe, set: {nodes: 2}}\n", ""),
]


@pytest.mark.parametrize(("old", "new", "said"), EXPECTED)
def test_a_scenario_expects_capacity_and_cost(old: str, new: str, said: str) -> None:
    assert old in SCENARIO
    outcome = play(document.parse(SCENARIO.replace(old, new).encode()), 3).outcome
    assert outcome.cost >= 20
    assert bool(outcome.failed) == bool(said), outcome.failed
    assert all(said in failed for failed in outcome.failed)


ACTIONS = [
    (
        "{at: 6h, set_state: db-1, to: RECAP, for: 10m}",
        "services.any(name == 'db-1' and state == 'RECAP' and lasts('10m'))",
    ),
    (
        "{at: 5h, set_state: db-1, to: UNAVAILABLE, for: 1m}",
        "services.any(name == 'db-1' and state == 'UNAVAILABLE' and lasts('1m'))",
    ),
    ("{at: 0, hold: production, for: 1h}", "services.any(state == 'QUEUED' and lasts('59m'))"),
    ("{at: 30m, lose_nodes: europe, nodes: 1, for: 1h}", "services.any(name == 'db-1' and running == 'ERROR')"),
    ("{at: 30m, lose_nodes: europe}", "clusters.any(nodes == 0)"),
    ("{at: 0, capacity: europe, set: {nodes: 4}}", "clusters.any(nodes == 4)"),
]


@pytest.mark.parametrize(("action", "condition"), ACTIONS)
def test_scenario_actions_do_what_python_does(action: str, condition: str) -> None:
    # The action comes before the deployment, so that a hold exists first.
    text = SCENARIO.replace("actions:\n", f"actions:\n  - {action}\n").replace(
        "{refused_actions: 0}", f'{{eventually: "{condition}"}}'
    )
    outcome = play(document.parse(text.encode()), 3).outcome
    assert outcome.failed == [] and outcome.refused == []
    without = play(document.parse(text.replace(f"  - {action}\n", "").encode()), 3).outcome
    assert without.failed != [], "the condition holds without the action, too"


ENDING = [
    ("{at: 6h, set_state: db-1, to: RECAP, for: 10m}", "never", "services.any(state == 'RECAP' and lasts('11m'))"),
    ("{at: 0, hold: production, for: 1h}", "eventually", "services.any(state == 'DEPLOYED' and time > 3600)"),
    (
        "{at: 5h, lose_nodes: europe, nodes: 1, for: 1h}",
        "eventually",
        "services.any(running == 'RUNNING' and time > 5.9 * 3600)",
    ),
]


@pytest.mark.parametrize(("action", "statement", "condition"), ENDING)
def test_what_lasts_for_a_time_ends_after_it(action: str, statement: str, condition: str) -> None:
    text = SCENARIO.replace("actions:\n", f"actions:\n  - {action}\n").replace(
        "{refused_actions: 0}", f'{{{statement}: "{condition}"}}'
    )
    assert play(document.parse(text.encode()), 3).outcome.failed == []
    for_ever = text.replace(
        action, action.replace(", for: 10m", "").replace(", for: 1h", ", for: 9h" if "lose" in action else "")
    )
    assert play(document.parse(for_ever.encode()), 3).outcome.failed != []


def test_faults_come_and_go_by_actions() -> None:
    faults = (
        '  - {at: 1h, faults: [{operation: "deploy_environment", status: 503}]}\n  - {at: 2h, deploy: '
        "production}\n  - {at: 3h, clear_faults: true}\n  - {at: 4h, deploy: production}\n"
    )
    outcome = play(document.parse(SCENARIO.replace("expect:\n", faults + "expect:\n").encode()), 3).outcome
    assert len(outcome.refused) == 1 and outcome.refused[0].startswith("actions[2] at 7200 s")


WRONG = [
    ("nodes: 1, cpu: 1", "nodes: 1, cpu: four", "capacity[0]"),
    ("memory: 1GiB", "memory: 1TiB", "memory must be"),
    ("cluster: europe, nodes", "cluster: asia, nodes", "capacity[0].cluster must be the name of a resource"),
    ("cluster: europe, nodes: 1", "cluster: europe, nods: 1", "capacity[0].nods is not a member here"),
    (
        "{deploy: production}",
        "{deploy: production, for: 1h}",
        "actions[0].for must be given with hold or set_state or lose_nodes only",
    ),
    ("{deploy: production}", "{set_state: db-1}", "actions[0] must have to beside set_state"),
    ("{deploy: production}", "{capacity: europe}", "actions[0] must have set beside capacity"),
    ("{deploy: production}", "{hold: db-1, for: soon}", "actions[0].for"),
    ("{deploy: production}", "{lose_nodes: europe, nodes: 0}", "actions[0].nodes must be at least 1"),
    ("{deploy: production}", "{set_state: db-1, to: RESTING}", "state must be a state of the resource"),
    ("{deploy: production}", "{faults: [{state: 503}]}", "actions[0].faults[0]"),
    ("{refused_actions: 0}", "{refused_actions: 0, per: 24h}", "cost_at_most is required"),
    ("{refused_actions: 0}", "{cost_at_most: 1, per: 0}", "expect[0].per"),
    ("{refused_actions: 0}", "{cost_at_most: -1}", "expect[0].cost_at_most must be at least 0"),
]


@pytest.mark.parametrize(("old", "new", "said"), WRONG)
def test_a_wrong_scenario_names_line_column_and_member(old: str, new: str, said: str) -> None:
    assert old in SCENARIO
    with pytest.raises(document.ScenarioError) as refused:
        play(document.parse(SCENARIO.replace(old, new).encode(), "full.yml"), 3)
    text = str(refused.value)
    assert (
        said in text
        and text.startswith("full.yml:")
        and all(part.isdigit() for part in itertools.islice(text.split(":"), 1, 3))
    ), text
