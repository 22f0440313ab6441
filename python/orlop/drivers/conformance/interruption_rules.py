"""Rules about steps that are repeated, interrupted, canceled or late."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from ..step_loop import NAME as LOOP_NAME
from ..step_threads import NAME as THREADS_NAME
from .bench import SHORT_LEASE, STEP_DEADLINE
from .deploy_rules import expect_deployed
from .report import Broken, NotApplicable
from .rule import bench_of, hold_at_each_point, kill_at_each_point, need_view, rule
from .watched import BEGIN, END

if TYPE_CHECKING:
    from .bench import Bench, Setup
    from .watched import Call, Hold

_OVERLAP_MAX = 1.0  # seconds for which an ended step's method runs together with that of the next one
_QUIET_FOR = 0.5  # seconds
_POINTS_OF_A_LOOP = 30  # points of a step that asks again and again
_THREADS_END_WITHIN = 1.0  # seconds


@rule("A step that is executed twice with the same id makes nothing twice.")
def idempotency(setup: Setup) -> None:
    with bench_of(setup) as bench:
        need_view(bench)
        service = bench.add()
        bench.watch.twice = "deploy"
        bench.do("deploy")
        expect_deployed(bench, service, "after the step was executed twice")


@rule("A deployment that is interrupted between two of its steps is completed by the next engine.")
def resume_between_steps(setup: Setup) -> None:
    with bench_of(setup) as bench:
        need_view(bench)
        bench.reopen(max_parallel_deploys=1)
        services = [bench.add(f"web{number}") for number in range(2)]
        hold = bench.watch.hold("deploy", BEGIN)
        bench.begin("deploy")
        bench.expect_reached(hold)
        (second,) = {*services} - {hold.held.step.subject}
        hold.release()
        hold = bench.watch.hold("deploy", BEGIN, second)
        bench.expect_reached(hold)
        hold.freeze()
        bench.reopen()
        bench.settle("deploy")
        for service in services:
            expect_deployed(bench, service, "after the next engine has completed the deployment")


@rule(
    "A step whose host is killed at any of its points is completed by the next driver object, and makes nothing twice."
)
def resume(setup: Setup) -> None:
    def verify(bench: Bench, service: str) -> None:
        bench.settle("deploy")
        expect_deployed(bench, service, "when it has completed the deployment,")

    with bench_of(setup) as bench:
        need_view(bench)
    kill_at_each_point(setup, "deploy", _begin_deploy, verify)


@rule("A job that is executed twice with the same id, or whose host is killed at any of its points, runs once.")
def execute(setup: Setup) -> None:
    def trial(bench: Bench, job: str, hold: Hold) -> None:
        before = bench.view.runs(job) if hold.point == END else []
        hold.freeze()
        bench.reopen()
        bench.settle("deploy")
        after = bench.view.runs(job)
        if len(after) != 1 or (before and before != after):
            raise Broken(f"the host was killed, and the next one opened: the runs were {before}, and are {after}")

    with bench_of(setup) as bench:
        bench.view.all()
        job = bench.add_job()
        bench.watch.twice = "execute"
        bench.do("deploy")
        if not bench.watch.of("execute"):
            raise NotApplicable("the driver has no method execute")
        runs = bench.view.runs(job)
        if not runs:
            raise NotApplicable("the list of workloads has no runs of jobs that have ended")
        if len(runs) > 1:
            raise Broken(f"after the step was executed twice there are the runs {runs}")
    hold_at_each_point(setup, "execute", _begin_deploy, trial)


@rule("The method of a canceled step ends soon, and the next deployment succeeds.")
def cancel(setup: Setup) -> None:
    def trial(bench: Bench, service: str, hold: Hold) -> None:
        bench.environment.cancel()
        _expect_canceled(bench, hold.held, hold)
        bench.do("deploy")
        if bench.view.sees:
            expect_deployed(bench, service, "after the cancellation and the next deployment")

    hold_at_each_point(setup, "deploy", _begin_deploy, trial)
    if setup.slow is not None:
        with bench_of(setup) as bench:
            bench.add(**setup.slow)
            bench.begin("deploy")
            call = _slow_call(bench)
            bench.environment.cancel()
            _expect_canceled(bench, call)


def _slow_call(bench: Bench) -> Call:
    """Returns the call of the slow step when it has been quiet for a while, or asks again and again."""
    bench.until(lambda: bool(bench.watch.of("deploy")), bench.setup.patience)
    (call,) = bench.watch.of("deploy")
    seen = -1
    while not call.ended.is_set() and seen != call.points < _POINTS_OF_A_LOOP:
        seen = call.points
        bench.until(call.ended.is_set, min(_QUIET_FOR, bench.setup.settle))
    if call.ended.is_set():
        raise NotApplicable(f"the deployment of the slow service ends by itself: {call.error or call.outputs}")
    return call


def _expect_canceled(bench: Bench, call: Call, hold: Hold | None = None) -> None:
    if not bench.until(lambda: call.step._is_canceled or call.ended.is_set(), bench.setup.patience):
        raise Broken("the engine has not canceled the step")
    if hold is not None:
        hold.release()
    bench.expect_ended(call, "it was canceled")
    if not bench.until(lambda: bench.environment.state in ("CANCELED", "DEPLOYED"), bench.setup.patience):
        raise Broken(f"the canceled deployment is {bench.environment.state}")


@rule("A step that ends after its deadline does no harm to the step that was begun since.", needs="cancel")
def deadline(setup: Setup) -> None:
    def trial(bench: Bench, service: str, hold: Hold) -> None:
        bench.clock.ahead += STEP_DEADLINE + 1
        if not bench.until(lambda: bench.environment.state == "DEPLOYMENT_ERROR", setup.patience):
            raise Broken(f"the engine has not ended the step at its deadline: it is {bench.environment.state}")
        before = len(bench.watch.of("deploy"))
        run = bench.begin("deploy")

        def has_ended() -> bool:
            return all(call.ended.is_set() for call in bench.watch.of("deploy")[before:] or [hold.held])

        # Not longer: the driver may let the step wait for the earlier one, whose event loop it may share.
        bench.until(has_ended, min(_OVERLAP_MAX, setup.patience))
        hold.release()
        bench.expect_ended(hold.held, "its deadline")
        bench.finish(run, "deploy")
        if bench.view.sees:
            expect_deployed(bench, service, "after the method of the earlier step has ended,")

    hold_at_each_point(setup, "deploy", _begin_deploy, trial)


@rule(
    "The method of a step ends soon when its engine is closed, and the next engine completes the step.", needs="resume"
)
def close(setup: Setup) -> None:
    def trial(bench: Bench, service: str, hold: Hold) -> None:
        bench.close()
        hold.release()
        if not hold.held.ended.wait(setup.patience):
            raise Broken(f"the method deploy has not ended within {setup.patience:g} seconds")
        bench.open()
        bench.settle("deploy")
        if bench.view.sees:
            expect_deployed(bench, service, "after the next engine has completed the deployment")

    hold_at_each_point(setup, "deploy", _begin_deploy, trial)


@rule("A step that another engine has taken over ends soon, and undoes nothing.", needs="resume")
def take_over(setup: Setup) -> None:
    def act(bench: Bench, service: str) -> None:
        bench.reopen(lease_time=SHORT_LEASE)
        bench.begin("deploy")

    def trial(bench: Bench, service: str, hold: Hold) -> None:
        bench.take_over()
        bench.settle("deploy")
        if not bench.until(lambda: _is_lost(bench, hold.held), setup.patience):
            raise Broken("the engine that was left has not given up the step")
        hold.release()
        bench.expect_ended(hold.held, "it was lost")
        if bench.view.sees:
            expect_deployed(bench, service, "after the end of the lost step")

    hold_at_each_point(setup, "deploy", act, trial)


def _is_lost(bench: Bench, call: Call) -> bool:
    bench.tick_left()
    return call.step.is_lost


def _begin_deploy(bench: Bench, service: str) -> None:
    bench.begin("deploy")


@rule("A report after the end of its step or of the engine ends no thread of the driver with an exception.")
def late_reports(setup: Setup) -> None:
    uncaught: list[str] = []
    earlier, previous = set(threading.enumerate()), threading.excepthook

    def note(given: threading.ExceptHookArgs) -> None:
        if given.thread in earlier:
            previous(given)
        else:
            uncaught.append(f"{given.exc_type.__name__}: {given.exc_value}")

    threading.excepthook = note
    try:
        with bench_of(setup) as bench:
            bench.add()
            bench.do("deploy")
            bench.close()
            _join({*threading.enumerate()} - earlier)
    finally:
        threading.excepthook = previous
    if uncaught:
        raise Broken(f"a thread of the driver has ended with {uncaught[0]}")


def _join(threads: set[threading.Thread]) -> None:
    for thread in threads:
        if not thread.name.startswith((LOOP_NAME, THREADS_NAME)):
            thread.join(_THREADS_END_WITHIN)
