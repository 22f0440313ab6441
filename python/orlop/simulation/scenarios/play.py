"""One run of a scenario."""

from __future__ import annotations

import functools
import heapq
import itertools
import math
import re
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from ...errors import Conflict, Misuse, NotFound, Refused
from ...options.arguments import milliseconds
from ...reporting.capacity_data import cost_of
from ...reporting.run_data import Trace
from ..simulation import Simulation
from ..traces.subjects import trace_of
from ..waits import is_idle
from .creation import Resources
from .document import CONDITIONS, RULES, VERBS, Scenario
from .existing_resources import has_state, state_of, with_names
from .members import call_with_members, load_members, numbered
from .outcome import Outcome, failures_of, kinds_read, outcome_of, unmatched_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from ...resources.resource import Resource
    from ..traces.states import Subject


class Play(NamedTuple):
    """A run that has ended."""

    outcome: Outcome
    events: Sequence[Mapping[str, Any]]
    subjects: dict[str, Subject]
    """Name, environment and stage of each resource, by its id."""
    begin: float
    """Time of the end of the setup, in seconds since 1970."""


def play(scenario: Scenario, seed: int, wanted: Literal["outcome", "events", "names"] = "events") -> Play:
    """Runs the scenario with this seed. Raises `ScenarioError` if the engine refuses a member of the file.

    `wanted` is the part of the result that is needed, each more than the one before: the outcome, for which few events
    are read; all events; and the names and stages of the resources, which are also read if an expectation may need
    them.
    """
    simulation, stage = furnished(scenario, seed)
    with simulation:
        begin = simulation.last_event
        stage.run()
        simulation.faults.clear()  # faults are for the actions, not for the reads that follow
        expected = scenario.data.get("expect", ())
        if wanted == "names" or any(name in each for each in expected for name in CONDITIONS):
            trace = trace_of(simulation, f"seed {seed}")
        else:
            trace = Trace(
                f"seed {seed}", simulation.events(kinds=kinds_read(expected) if wanted == "outcome" else ()), {}
            )
        states = stage.states()
        before = [event for event in trace.events if event["sequence"] <= begin]
        events = trace.events[len(before) :]
        cost = cost_of(trace.events, stage.begin(), stage.begin() + stage.seconds())
        count = simulation.last_event - begin
        outcome = outcome_of(
            scenario,
            seed,
            events,
            count,
            trace.subjects,
            states,
            stage.refused,
            stage.seconds(),
            cost,
            stage.begin(),
            before,
        )
        outcome = outcome._replace(
            unmatched=unmatched_of(scenario, simulation.rules, stage.unmet()), failures=failures_of(events, simulation)
        )
        return Play(outcome, trace.events, dict(trace.subjects), stage.begin())


def furnished(scenario: Scenario, seed: int) -> tuple[Simulation, ScenarioRun]:
    """Returns a simulation with all resources of the scenario, before its first action. Raises `ScenarioError`."""
    simulation = _open(scenario, seed)
    try:
        stage = ScenarioRun(scenario, simulation)
        stage.furnish()
    except BaseException:
        simulation.close()
        raise
    return simulation, stage


def _open(scenario: Scenario, seed: int) -> Simulation:
    data = scenario.data
    start = {"start": data["start"]} if "start" in data else {}
    try:
        simulation = Simulation(seed=seed, **start, **data.get("options", {}))
    except (Misuse, TypeError) as error:
        raise scenario.error_of(error if str(error).startswith("start ") else Misuse(f"options.{error}")) from None
    try:
        simulation.rules.load(_named(data))
        if "externals" in data:
            simulation.externals.load(_called("externals", data["externals"]))
        if "domains" in data:
            simulation.domains.load(data["domains"])
        if "sources" in data:
            simulation.sources.load(data["sources"])
    except Misuse as error:
        simulation.close()
        raise scenario.error_of(error) from None
    return simulation


def _named(document: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the rules of a document. A rule without a name is named after its path, so that the trace names the rule
    that decided."""
    found = {name: document[name] for name in RULES if name in document}
    if "rules" in found:
        found["rules"] = _called("rules", found["rules"])
    return found


def _called(name: str, rules: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    return [{"rule": f"{name}[{index}]", **rule} for index, rule in enumerate(rules)]


class ScenarioRun:
    """A run of a scenario: its resources by name, and its remaining actions."""

    named: dict[str, Resource]
    """The resources of the scenario by name."""
    refused: list[str]
    """Refusals of actions by the platform, each as a sentence."""

    def __init__(self, scenario: Scenario, simulation: Simulation) -> None:
        self._scenario = scenario
        self._simulation = simulation
        self._resources = Resources(scenario, simulation)
        self.named = self._resources.named
        self._begin = 0
        self.refused = []
        self._order = itertools.count()
        self._timed: list[tuple[int, int, int, int]] = []  # time, order, action, repetition
        self._waiting = [index for index, action in enumerate(self._actions()) if "when" in action]
        self._met: dict[int, int] = {}  # number of events that have met each waiting action
        self._since = 0

    def _actions(self) -> list[Mapping[str, Any]]:
        found: list[Mapping[str, Any]] = self._scenario.data.get("actions", [])
        return found

    # Resources

    def furnish(self) -> None:
        """Creates the resources."""
        for index, given in enumerate(self._scenario.data["resources"]):
            path = f"resources[{index}]"
            try:
                self._resources.create(given, path)
            except Refused as error:
                raise self._scenario.error(path, f"{path} is refused: {error}") from None
        for index, capacity in enumerate(self._scenario.data.get("capacity", ())):
            path = f"capacity[{index}]"
            given = {name: value for name, value in capacity.items() if name != "cluster"}
            self._set_capacity(self._resources.find(capacity["cluster"], f"{path}.cluster"), given, path)
        self._add_faults(self._scenario.data.get("faults", ()), "faults")
        self._check_subjects()
        self._resources.in_setup = False
        self._begin = self._now()
        self._since = self._simulation.last_event

    def _check_subjects(self) -> None:
        """Checks the subjects of awaited events: the resource must exist, or an action must create it, else the event
        would never come."""
        entries = [action["create"] for action in self._actions() if "create" in action]
        created = [
            re.escape(name).replace(r"\{n\}", "[0-9]+")
            for entry in entries
            for name in entry.get("names", [entry.get("name")])
        ]
        for index in self._waiting:
            name = self._actions()[index]["when"].get("subject")
            if name is not None and not any(re.fullmatch(each, name) for each in created):
                self._resources.find(name, f"actions[{index}].when.subject")

    # Time

    def _now(self) -> int:
        return self._simulation._core.now()

    def begin(self) -> float:
        """Time of the end of the setup, in seconds since 1970."""
        return self._begin / 1000

    def seconds(self) -> float:
        """Virtual time since the end of the setup."""
        return (self._now() - self._begin) / 1000

    def run(self) -> None:
        """Executes the actions of the scenario in their order, and advances time until its end, or until no work is
        left."""
        until = self._scenario.data.get("until")
        end = None if until is None else self._begin + milliseconds("until", until)
        for index, action in enumerate(self._actions()):
            if "when" not in action:
                at = self._begin + milliseconds("at", action.get("at", 0))
                heapq.heappush(self._timed, (at, next(self._order), index, 1))
        while True:
            try:
                self._advance(end)
            except Conflict as error:  # the end of the virtual clock
                place = (
                    f"actions[{self._timed[0][2]}]"
                    if self._timed and self._timed[0][0] == self._bound(end)
                    else "until"
                )
                raise self._scenario.error(place, f"{place}: {error}") from None
            if not self._timed or (end is not None and self._timed[0][0] > end):
                return
            at, _, index, number = heapq.heappop(self._timed)
            self._do(index, number)
            action = self._actions()[index]
            if "every" in action and number < action.get("times", math.inf):
                heapq.heappush(
                    self._timed, (at + milliseconds("every", action["every"]), next(self._order), index, number + 1)
                )

    def _advance(self, end: int | None) -> None:
        """Advances to the next action, to the end, or until no work but periodic work is left."""
        core = self._simulation._core
        # Actions that wait for an event need a check at each instant.
        if not self._waiting:
            bound = self._bound(end)
            if bound is None:
                core.run_until_idle()
                return
            if bound > self._now():
                core.advance(bound - self._now())
        while True:
            wanted = core.tick()
            self._meet_events()
            bound = self._bound(end)
            due = None if wanted is None else self._now() + math.ceil(wanted * 1000)
            is_due = due is not None and due <= self._now()
            # An action at the end still has the effects that take no time.
            if bound is not None and self._now() >= bound and not (is_due and not self._has_action(bound)):
                return
            target = min((at for at in (due, bound) if at is not None), default=None)
            if target is None or (bound is None and target > self._now() and is_idle(core)):
                return
            core.advance(target - self._now())

    def _has_action(self, at: int) -> bool:
        return bool(self._timed) and self._timed[0][0] <= at

    def _bound(self, end: int | None) -> int | None:
        next_action = self._timed[0][0] if self._timed else None
        return min((at for at in (next_action, end) if at is not None), default=None)

    def _meet_events(self) -> None:
        """Schedules the actions whose event has happened."""
        if not self._waiting:
            return
        events = self._simulation.events(self._since)
        self._since = events[-1]["sequence"] if events else self._since
        for event in events:
            for index in list(self._waiting):
                when = self._actions()[index]["when"]
                subject = self.named.get(when["subject"]) if "subject" in when else None
                is_of_kind = fnmatchcase(event["kind"], when.get("kind", "*")) and when.get(
                    "to", event.get("to")
                ) == event.get("to")
                if is_of_kind and ("subject" not in when or (subject is not None and event["subject"] == subject.id)):
                    number = self._met[index] = self._met.get(index, 0) + 1
                    if "every" in self._actions()[index] or number == self._actions()[index].get("times", 1):
                        self._waiting.remove(index)
                    heapq.heappush(self._timed, (self._now(), next(self._order), index, number))

    def unmet(self) -> list[int]:
        """Returns the indexes of the actions whose event has not come."""
        return [index for index in self._waiting if index not in self._met]

    # Actions

    def _do(self, index: int, number: int) -> None:
        action, path = self._actions()[index], f"actions[{index}]"
        verb = next(verb for verb in VERBS if verb in action)
        try:
            if verb in _DOINGS:
                _DOINGS[verb](self, action, number, path)
            else:
                self._method(self._target(action, verb, number, path), verb, f"{path}.{verb}")()
        except Refused as refusal:
            self.refused.append(f"{path} at {self.seconds():g} s: {with_names(str(refusal), self.named)}")
        except Misuse as error:
            raise error if type(error) is not Misuse else self._scenario.error(path, f"{path}: {error}") from None

    def _do_create(self, action: Mapping[str, Any], number: int, path: str) -> None:
        count = action["create"].get("count")
        entry, first = (
            (numbered(action["create"], number), 1) if count is None else (action["create"], (number - 1) * count + 1)
        )
        self._resources.create(entry, f"{path}.create", first)

    def _do_rules(self, action: Mapping[str, Any], number: int, path: str) -> None:
        load_members(self._scenario, self._simulation.rules.load, {"rules": action["rules"]}, path)

    def _do_clear_rules(self, action: Mapping[str, Any], number: int, path: str) -> None:
        self._simulation.rules.clear()

    def _do_faults(self, action: Mapping[str, Any], number: int, path: str) -> None:
        self._add_faults(action["faults"], f"{path}.faults")

    def _do_clear_faults(self, action: Mapping[str, Any], number: int, path: str) -> None:
        self._simulation.faults.clear()

    def _do_externals(self, action: Mapping[str, Any], number: int, path: str) -> None:
        load_members(self._scenario, self._simulation.externals.load, action["externals"], path)

    def _do_clear_externals(self, action: Mapping[str, Any], number: int, path: str) -> None:
        self._simulation.externals.clear()

    def _do_sources(self, action: Mapping[str, Any], number: int, path: str) -> None:
        load_members(self._scenario, self._simulation.sources.load, numbered(action["sources"], number), path)

    def _do_edit(self, action: Mapping[str, Any], number: int, path: str) -> None:
        edit = self._method(self._target(action, "edit", number, path), "edit", f"{path}.edit")
        edit(**self._resources.filled(action["set"], number, f"{path}.set"))

    def _do_advance(self, action: Mapping[str, Any], number: int, path: str) -> None:
        self._simulation.advance(self._target(action, "advance", number, path))

    def _do_hold(self, action: Mapping[str, Any], number: int, path: str) -> None:
        self._simulation.hold(self._target(action, "hold", number, path), lasts=action.get("for"))

    def _do_set_state(self, action: Mapping[str, Any], number: int, path: str) -> None:
        self._simulation.set_state(
            self._target(action, "set_state", number, path), action["to"], lasts=action.get("for")
        )

    def _do_capacity(self, action: Mapping[str, Any], number: int, path: str) -> None:
        self._set_capacity(self._target(action, "capacity", number, path), action["set"], f"{path}.set")

    def _do_lose_nodes(self, action: Mapping[str, Any], number: int, path: str) -> None:
        self._simulation.capacity.lose(
            self._target(action, "lose_nodes", number, path), action.get("nodes", 1), lasts=action.get("for")
        )

    def _do_attach(self, action: Mapping[str, Any], number: int, path: str) -> None:
        self._attach(
            self._target(action, "attach", number, path), self._target(action, "stage", number, path), f"{path}.stage"
        )

    def _add_faults(self, faults: Sequence[Mapping[str, Any]], path: str) -> None:
        for index, fault in enumerate(faults):
            call_with_members(self._scenario, self._simulation.faults.add, fault, f"{path}[{index}]", "fault")

    def _set_capacity(self, cluster: Resource, given: Mapping[str, Any], path: str) -> None:
        call_with_members(
            self._scenario, functools.partial(self._simulation.capacity, cluster), given, path, "capacity"
        )

    def _target(self, action: Mapping[str, Any], member: str, number: int, path: str) -> Any:
        return self._resources.find(numbered(action[member], number), f"{path}.{member}")

    def _attach(self, service: Any, stage: Any, path: str) -> None:
        if stage._family.name != "deployment_stage":
            raise self._scenario.error(
                path, f"{path} must be the name of a deployment_stage, not {stage._family.name} {stage['name']!r}"
            )
        stage.attach(service)

    def _method(self, resource: Any, verb: str, path: str) -> Callable[..., Any]:
        method: Callable[..., Any] | None = getattr(resource, verb, None) or getattr(
            resource, f"{verb}_deployment", None
        )
        if method is None:
            raise self._scenario.error(
                path,
                f"{path} must be a resource that has this action, not {resource._family.name} {resource['name']!r}",
            )
        return method

    # The end

    def states(self) -> dict[str, str]:
        """Returns the states of the resources whose states are expected, by name."""
        found = {}
        for index, expected in enumerate(self._scenario.data.get("expect", ())):
            if "of" in expected:
                try:
                    resource = self._resources.find(expected["of"], f"expect[{index}].of")
                except NotFound as error:
                    found[expected["of"]] = f"none: {error}"
                    continue
                if not has_state(resource):
                    raise self._scenario.error(
                        f"expect[{index}].of",
                        f"expect[{index}].of must be a service, an environment or a cluster, not "
                        f"{resource._family.name} {expected['of']!r}",
                    )
                found[expected["of"]] = state_of(resource)
        return found


# Verbs that are not a method of the resource.
_DOINGS: Mapping[str, Callable[[ScenarioRun, Mapping[str, Any], int, str], None]] = {
    "create": ScenarioRun._do_create,
    "rules": ScenarioRun._do_rules,
    "clear_rules": ScenarioRun._do_clear_rules,
    "faults": ScenarioRun._do_faults,
    "clear_faults": ScenarioRun._do_clear_faults,
    "externals": ScenarioRun._do_externals,
    "clear_externals": ScenarioRun._do_clear_externals,
    "sources": ScenarioRun._do_sources,
    "edit": ScenarioRun._do_edit,
    "advance": ScenarioRun._do_advance,
    "hold": ScenarioRun._do_hold,
    "set_state": ScenarioRun._do_set_state,
    "capacity": ScenarioRun._do_capacity,
    "lose_nodes": ScenarioRun._do_lose_nodes,
    "attach": ScenarioRun._do_attach,
}
