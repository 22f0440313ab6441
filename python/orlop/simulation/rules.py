"""The rules of the scripted driver, and the transitions that end steps."""

from __future__ import annotations

from collections.abc import Mapping, MutableMapping
from typing import TYPE_CHECKING, Any

from ..base.event_text import cut
from ..base.live_objects import Live
from ..base.wire import Reply, dumps, loads
from ..errors import Error, Invalid, Misuse
from ..options.arguments import mappings, milliseconds, texts
from .virtual_driver import refuse_inside

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Literal

    from .. import _core
    from .durations import Duration


# Requests that wait until no time passes.
_WAITING = {
    (method, what)
    for method in ("POST", "PUT", "DELETE")
    for what in ("clock", "state", "capacity", "record", "snapshot")
} | {("GET", "snapshot")}


def refuse_waiting(core: _core.Engine, method: str, path: str, headers: Mapping[str, str] | None = None) -> None:
    """Raises `Misuse` for a request by which a method of the simulation's driver would control it, or advance time: it
    would wait for its own end."""
    if (
        headers is not None
        and isinstance(headers, Mapping)
        and any(str(name).lower() == "x-orlop-fault" and "latency" in str(value) for name, value in headers.items())
    ):
        refuse_inside(core)
    if (
        isinstance(path, str)
        and path.startswith("/-/sim/")
        and (str(method), path.partition("?")[0].removeprefix("/-/sim/")) in _WAITING
    ):
        refuse_inside(core)


def control(core: _core.Engine, method: str, what: str, body: Any = None, name: str | None = None) -> Any:
    """Controls the simulation by one of the requests at /-/sim. Raises `Misuse` for a body that is not allowed; `name`
    is the engine's name of the body, if not `what`."""
    refuse_waiting(core, method, "/-/sim/" + what)
    try:
        sent = b"" if body is None else body if isinstance(body, bytes) else dumps(body, what if name is None else name)
    except Invalid as invalid:
        raise Misuse(invalid.message) from None
    reply = Reply(*core.dispatch(method, "/-/sim/" + what, "", [], sent, False))
    if reply.status == 400:
        raise Misuse(loads(reply.body)["message"])
    return reply.check()


def given_of(function: Callable[..., object], arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the arguments that are neither None nor the default of the same type."""
    defaults = function.__kwdefaults__ or {}
    return {
        name: value
        for name, value in arguments.items()
        if name in defaults
        and value is not None
        and not (type(value) is type(defaults[name]) and value == defaults[name])
    }


def lasting(body: dict[str, Any], lasts: str | float | None) -> dict[str, Any]:
    """Returns the body of a request with its duration."""
    return body if lasts is None else {**body, "for": f"{milliseconds('lasts', lasts)}ms"}


_SHOWN = 3  # rules in a `repr`
_RULE_SHOWN = 120  # characters


def shown_rules(name: str, rules: Callable[[], list[Any]]) -> str:
    """Returns the `repr` of rules: the first ones, and the number of the others. `rules` reads them."""
    try:
        found = rules()
    except Error:
        return f"<{name} of a closed simulation>"
    said = ", ".join(cut(str(rule), _RULE_SHOWN) for rule in found[:_SHOWN])
    more = f" and {len(found) - _SHOWN} more" if len(found) > _SHOWN else ""
    return f"<{name} of {len(found)}: {said}{more}>" if found else f"<{name} of 0>"


class Rules(Live):
    """The rules of the scripted driver: durations and outcomes of steps.

    The most specific rule that matches a step applies: the one with the most conditions, where a condition with a
    wildcard counts less. Of equally specific rules the last added one applies. Without a rule the pack decides, and
    without a pack a step succeeds at once.
    """

    def __init__(self, core: _core.Engine) -> None:
        self._core = core

    def add(
        self,
        *,
        rule: str = "",
        kind: str = "",
        step: str = "",
        name: str = "",
        attempt: int = 0,
        environment: str = "",
        mode: str = "",
        stage: str = "",
        project: str = "",
        organization: str = "",
        cluster: str = "",
        cloud: str = "",
        region: str = "",
        labels: Mapping[str, str] | None = None,
        metadata: Mapping[str, str] | None = None,
        where: Mapping[str, Any] | None = None,
        probability: float | None = None,
        weight: float | None = None,
        times: int = 0,
        every: int = 0,
        over: int = 0,
        per: str | float | None = None,
        starts: str | float | None = None,
        until: str | float | None = None,
        delay: Duration | None = None,
        after: Duration | None = None,
        jitter: str | float = 0,
        outcome: Literal["", "succeed", "fail", "credentials_refused", "hang"] = "",
        fails: str = "",
        outputs: Mapping[str, Any] | None = None,
        running: str = "",
        progress: Iterable[Mapping[str, Any]] = (),
        log: Iterable[Mapping[str, Any]] = (),
        contact_lost_after: Duration | None = None,
        contact_back_after: Duration | None = None,
        recap_after: Duration | None = None,
        build: Duration | None = None,
        hold: Literal["", "none", "start", "begin", "end", "cancel"] = "",
        crash_after: Duration | None = None,
        cancel_after: Duration | None = None,
        queued: Duration | None = None,
        parallel: int = 0,
        lasts: Duration | None = None,
        older: Mapping[str, str | float] | None = None,
    ) -> None:
        """Adds a rule. Omitted conditions match every step.

        Conditions: the family of the subject (`kind`), the kind of `step`, the `name` of the subject and the `attempt`;
        the names of its `environment`, `stage`, `project`, `organization` and `cluster`, the `mode` of the environment,
        the `cloud` provider and `region` of the cluster; `labels` and `metadata` by their keys; `where` by members of
        the subject. `older` is the least age of data that the step uses: the `credentials` of the cluster, `references`
        (registries and tokens), or the `environment` since its creation, as in `{"credentials": "12h"}`, to script
        expiry. Texts are patterns: `*` matches any text, `?` one byte.

        When: with a `probability` of 0 to 1; or, of the equally specific rules with a `weight`, one by weight; to
        `times` steps (0: no limit); to each n-th matching step (`every`); to those beyond a number (`over=100`: an
        exhausted quota), in each window of `per` ("6h": a rate limit); from the time `starts` until `until`, each a
        time like "2026-01-01T12:00:00Z" or a duration from now.

        Effect: the step starts after `delay`, takes `after` and up to `jitter` longer, and has an `outcome`: "succeed";
        "fail", with the reason `fails`; "credentials_refused", for a cluster; "hang", so that its deadline fails it.
        `outputs` are those of a job, `running` is the running state reported after a success. `progress` and `log` are
        texts during the step, such as `{"after": "5s", "text": "pulling"}`. Contact is lost `contact_lost_after` the
        start and returns `contact_back_after` it. The results are collected (RECAP) from `recap_after` the start. A
        cluster is prepared for `build` before it is deployed. The step waits for `Simulation.advance` before its
        `hold`: "start", when it has begun ("begin"), before its "end", or there and before the answer to a "cancel".
        The workload crashes `crash_after` a success: its running state becomes ERROR, unless another step of it has
        started by then. A cancellation takes `cancel_after`. Durations are seconds, texts like "30s", or random:
        `orlop.lognormal("30s", sigma=0.4)`.

        With `queued` or `parallel` the rule is for requests, not steps: a request for a matching environment or cluster
        waits in QUEUED for `queued`, and while `parallel` other requests of this rule are in progress. `kind` is then
        "environment" or "cluster", and `step` the requested action ("deploy", "stop", "cluster_update").

        With `lasts` the rule is for environments: a matching one is deleted that long after its creation.

        `rule` names the rule in the log of each step that it decides. Raises `Misuse` for anything that is not allowed.
        """
        given = given_of(Rules.add, locals())
        for name in given.keys() & {"progress", "log"}:
            given[name] = texts(name, given[name])
        if "starts" in given:
            given["from"] = given.pop("starts")
        try:
            control(self._core, "POST", "rules", given, "rule")
        except Misuse as refused:
            if type(refused) is not Misuse:  # such as Closed
                raise
            raise Misuse(
                refused.message.replace("rule.from ", "rule.starts ").replace(
                    " later than from,", " later than starts,"
                )
            ) from None

    def load(self, document: Mapping[str, Any]) -> None:
        """Adds the contents of a document of rules, all or nothing: `{"rules": [...], "transitions": {...}, "pack":
        "realistic"}`. Each member is optional."""
        if not isinstance(document, Mapping) or not document.keys() <= {"rules", "transitions", "pack"}:
            raise Misuse(
                'the document must be a mapping of "rules", "transitions" and "pack", such as {"pack": "realistic"}'
            )
        if document:
            control(self._core, "POST", "rules", dict(document), "")

    def pack(self, name: Literal["instant", "realistic", "chaos"] | None) -> None:
        """Sets the outcome of steps without a rule, and their duration if the rule has none.

        "realistic": random durations by kind, step and cloud. "chaos": the same, and some steps fail, hang, lose
        contact or crash later. "instant" and None: they succeed at once.
        """
        control(self._core, "POST", "rules", {"pack": name}, "")

    def to_dict(self) -> dict[str, Any]:
        """Returns all rules in the order in which they were added, with the numbers of steps that they matched and
        applied to, the transitions, and the name of the pack."""
        found: dict[str, Any] = control(self._core, "GET", "rules")
        return found

    def clear(self) -> None:
        """Removes all rules. Transitions and the pack stay."""
        self._core.clear_rules()

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return iter(self.to_dict()["rules"])

    def __len__(self) -> int:
        return len(self.to_dict()["rules"])

    def __repr__(self) -> str:
        return shown_rules("Rules", lambda: list(self))


class Transitions(Live, MutableMapping[str, str]):
    """The end of each family's steps, for steps whose rule sets no duration.

    `simulation.transitions["cluster"] = "manual"`. "immediate": at once. A duration like "30s": after it. "after 3
    reads": when the resource has been read three times; a read is a GET with its id in the path. "manual": by
    `Simulation.advance`. Reads and `advance` end a step even if a rule sets its duration; its deadline still holds.
    """

    def __init__(self, core: _core.Engine) -> None:
        self._core = core

    def __getitem__(self, kind: str) -> str:
        return self.to_dict()[kind]

    def __setitem__(self, kind: str, transition: str | float) -> None:
        control(self._core, "POST", "rules", {"transitions": {kind: transition}}, "")

    def __delitem__(self, kind: str) -> None:
        del self.to_dict()[kind]
        control(self._core, "POST", "rules", {"transitions": {kind: None}})

    def __iter__(self) -> Iterator[str]:
        return iter(self.to_dict())

    def __len__(self) -> int:
        return len(self.to_dict())

    def __repr__(self) -> str:
        return shown_rules(
            "Transitions", lambda: [f"{kind}: {transition}" for kind, transition in self.to_dict().items()]
        )

    def to_dict(self) -> dict[str, str]:
        """Returns all transitions by family."""
        found: dict[str, str] = control(self._core, "GET", "rules")["transitions"]
        return found


class Controlled(Live):
    """A part of a simulation that requests at /-/sim control."""

    _what: str

    def __init__(self, core: _core.Engine) -> None:
        self._core = core

    def clear(self) -> None:
        """Removes all of them."""
        control(self._core, "DELETE", self._what)


class Scripted(Controlled):
    """Scripted rules or faults, in the order in which they were added."""

    def __iter__(self) -> Iterator[dict[str, Any]]:
        found: list[dict[str, Any]] = control(self._core, "GET", self._what)[self._what]
        return iter(found)

    def __repr__(self) -> str:
        return shown_rules(type(self).__name__, lambda: list(self))


class ScriptedRules(Scripted):
    """Scripted answers and outcomes."""

    def load(self, rules: Iterable[Mapping[str, Any]]) -> None:
        """Adds rules, all or nothing: mappings with the arguments of `add` as members."""
        control(self._core, "POST", self._what, {self._what: mappings("rules", rules)}, "")
