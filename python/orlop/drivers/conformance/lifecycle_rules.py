"""Rules about stopping, restarting, deleting and observing."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from ..observation import Observation
from .deploy_rules import expect_deployed
from .report import Broken, NotApplicable
from .rule import bench_of, kill_at_each_point, need_view, rule

if TYPE_CHECKING:
    from .bench import Bench, Setup

_UNKNOWN = "00000000-0000-4000-8000-000000000000"


@rule("A stopped service does not run, a second stop changes nothing, and a deployment starts the service again.")
def stop(setup: Setup) -> None:
    def verify(bench: Bench, service: str) -> None:
        bench.settle("stop")
        bench.expect_running(service, 0, "after the stop")

    with bench_of(setup) as bench:
        need_view(bench)
        service = bench.add()
        bench.do("deploy")
        bench.watch.twice = "stop"
        bench.do("stop")
        bench.expect_running(service, 0, "after the stop")
        bench.do("deploy")
        expect_deployed(bench, service, "after the stop and a deployment")
    kill_at_each_point(setup, "stop", lambda bench, service: bench.begin("stop"), verify)


@rule("After a restart as many instances run as before.")
def restart(setup: Setup) -> None:
    def act(bench: Bench, service: str) -> None:
        bench.service(service).restart()

    def verify(bench: Bench, service: str) -> None:
        bench.settle_service(service, "RESTARTED")
        expect_deployed(bench, service, "after the restart")

    with bench_of(setup) as bench:
        need_view(bench)
        service = bench.add()
        bench.do("deploy")
        bench.do_to(service, "restart")
        if not bench.watch.of("restart"):
            raise NotApplicable("the driver has no method restart")
        expect_deployed(bench, service, "after the restart")
    kill_at_each_point(setup, "restart", act, verify)


@rule(
    "Nothing is left of a deleted service; one that is stopped, was never deployed or is gone already is deleted too."
)
def delete(setup: Setup) -> None:
    with bench_of(setup) as bench:
        never = bench.add("never")
        bench.delete(never)
        service, stopped = bench.add(), bench.add("stopped")
        bench.do("deploy")
        bench.do_to(stopped, "stop")
        bench.watch.twice = "delete"
        for one, what in ((service, "a deleted service"), (stopped, "a service that was stopped and deleted")):
            bench.delete(one)
            _expect_gone(bench, one, what)
    if bench.view.sees:
        kill_at_each_point(setup, "delete", lambda bench, service: bench.service(service).delete(), _expect_deleted)


def _expect_deleted(bench: Bench, service: str) -> None:
    bench.await_gone(service)
    _expect_gone(bench, service, "the service")


def _expect_gone(bench: Bench, service: str, what: str) -> None:
    if not bench.view.lists:
        if bench.view.sees:
            bench.expect_running(service, 0, f"after the deletion of {what}")
        return

    def left() -> list[str]:
        return [one.id for one in bench.view.all() if one.service == service]

    if not bench.until(lambda: not left(), bench.setup.settle):
        raise Broken(f"there is left of {what}: {', '.join(left())}")


@rule("Nothing is left of a deleted environment.", needs="delete")
def orphans(setup: Setup) -> None:
    with bench_of(setup) as bench:
        bench.view.all()
        bench.add()
        bench.do("deploy")
        bench.environment.delete()
        if not bench.until(bench.is_gone, setup.patience):
            raise Broken(f"the deletion of the environment has not ended within {setup.patience:g} seconds")
        if not bench.until(lambda: not bench.view.all(), setup.settle):
            raise Broken(f"there is left: {', '.join(one.id for one in bench.view.all())}")


@rule("A deployed service is observed as RUNNING, a stopped one is not, and of an unknown one nothing is said to run.")
def observation(setup: Setup) -> None:
    with bench_of(setup) as bench:
        if not bench.view.observes:
            raise NotApplicable("the driver has no method `observe`")
        service = bench.add()
        bench.do("deploy")
        if not bench.until(lambda: bench.view.observed(service) == "RUNNING", setup.settle):
            raise Broken(f"the deployed service is observed as {bench.view.observed(service)}")
        try:
            seen = bench.view.observe(service, _UNKNOWN)
        except Exception as error:
            raise Broken(f"observe of an unknown service raises {type(error).__name__}: {error}") from None
        if others := sorted(set(seen) - {service, _UNKNOWN}):
            raise Broken(f"observe says something of {others[0]}, which it was not asked for")
        if service not in seen:
            raise Broken("observe says nothing of a deployed service if it is asked for an unknown one too")
        if (state := bench.view.observed(_UNKNOWN)) in ("RUNNING", "STARTING"):
            raise Broken(f"a service that was never deployed is observed as {state}")
        _check_observation(seen[service])
        bench.do("stop")
        if bench.view.lists and bench.view.running(service):
            return  # the rule `stop` says so
        if not bench.until(lambda: bench.view.observed(service) != "RUNNING", setup.settle):
            raise Broken("the stopped service is observed as RUNNING")


def _check_observation(seen: object) -> None:
    if isinstance(seen, Observation):
        counts = {name: getattr(seen, name) for name in ("wanted", "ready", "failing", "restarts")}
        for name, count in counts.items():
            if count is not None and (not isinstance(count, int) or count < 0):
                raise Broken(f"{name} of an observation must be a whole number from 0 on, not {json.dumps(count)}")
        if seen.ready != 1 and seen.ready is not None:
            raise Broken(f"{seen.ready} instances of a running service are ready, not 1")
