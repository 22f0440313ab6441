"""Conditions about a run as text, such as `services.any(state == 'DEPLOYING' and stuck('1h'))`.

The text has the form of a Python expression, in which only comparisons, `and`, `or`, `not`, arithmetic and the names
below are allowed. It is parsed once, and evaluated at the instants of a trace.
"""

from __future__ import annotations

import ast
import functools
import operator
from collections.abc import Callable
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any, NamedTuple

from ...base.event_text import words_of
from ...errors import Misuse
from ...generated.states import TRANSIENT
from ...options.arguments import event_value, family_name, milliseconds, state_name
from ...options.arguments import text as utf8
from .states import Question

if TYPE_CHECKING:
    from collections.abc import Iterable

    from .states import Instant, Item

_TEXT_MAX = 2_000
_GROUPS = ("services", "environments", "clusters", "deployments")
_UNDER_WAY = ("environments", "deployments")  # DEPLOYING during every request
_QUESTIONS = ("any", "all", "count")
_MEMBERS = ("name", "kind", "state", "environment", "stage", "running", "freshness", "nodes", "seconds")
_TIMES = ("time", "waiting")
_CALLS = ("stuck", "lasts", "like")
_COMPARISONS: dict[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.In: lambda left, right: left in right,
    ast.NotIn: lambda left, right: left not in right,
}
_ARITHMETIC: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
}

# Members with a fixed set of values: their name in errors, and their check. A workload without a report has the running
# state "".
_CHECKS: dict[str, tuple[str, Callable[[str, object], object]]] = {
    "state": ("a state", state_name),
    "kind": ("a kind", family_name),
    "freshness": ("a freshness", event_value),
    "running": ("a running state", lambda what, given: given == "" or event_value(what, given)),
}

# Evaluates a part of the text: for an instant, and inside any(…), all(…) and count(…) for an item.
_Part = Callable[["Instant", "Item | None"], Any]


def _number(value: Any) -> float:
    """Returns an operand of arithmetic. Refuses a text, because a text times a number could have any size."""
    if isinstance(value, str | list):
        raise TypeError(f"arithmetic needs numbers, not {str(value)[:40]!r}")
    return float(value)


class Condition:
    """A condition about a run."""

    def __init__(self, text: str) -> None:
        """Parses the text. Raises `Misuse`, which names the column and what is allowed."""
        if not isinstance(text, str) or not 0 < len(text.strip()) <= _TEXT_MAX:
            raise Misuse(f"a condition must be a text of 1 to {_TEXT_MAX} letters, such as services.any(stuck('1h'))")
        self.text = utf8("a condition", text).strip()
        self._bounds: list[float] | None = []  # of the question being parsed, as in Question
        self._group = ""  # of the question being parsed
        try:
            tree = ast.parse(self.text, mode="eval")
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            column = getattr(error, "offset", None) or 1
            said = (
                error.msg
                if isinstance(error, SyntaxError)
                else str(error)
                if isinstance(error, ValueError)
                else "it is nested too deeply"
            )
            raise Misuse(f"the condition cannot be read at column {column}: {said}: {self._shown()}") from None
        try:
            self._holds = self._part(tree.body, False)
        except RecursionError:
            raise Misuse(f"the condition is nested too deeply: {self._shown()}") from None

    def holds(self, instant: Instant) -> bool:
        """Reports whether the condition holds at the instant. Raises `Misuse` if values cannot be compared."""
        try:
            return bool(self._holds(instant, None))
        except TypeError as error:
            raise Misuse(f"the condition compares what cannot be compared: {error}: {self._shown()}") from None

    def _shown(self) -> str:
        return self.text if len(self.text) <= 120 else self.text[:120] + "…"

    def _error(self, node: ast.AST, said: str) -> Misuse:
        return Misuse(f"the condition at column {getattr(node, 'col_offset', 0) + 1}: {said}: {self._shown()}")

    def _part(self, node: ast.AST, is_inside: bool) -> _Part:
        if isinstance(node, ast.BoolOp):
            return self._both(node, is_inside)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not | ast.USub):
            part = self._part(node.operand, is_inside)
            return (
                (lambda instant, item: not part(instant, item))
                if isinstance(node.op, ast.Not)
                else (lambda instant, item: -part(instant, item))
            )
        if isinstance(node, ast.BinOp) and type(node.op) in _ARITHMETIC:
            apply, left, right = (
                _ARITHMETIC[type(node.op)],
                self._part(node.left, is_inside),
                self._part(node.right, is_inside),
            )
            return lambda instant, item: apply(_number(left(instant, item)), _number(right(instant, item)))
        if isinstance(node, ast.Compare):
            return self._comparison(node, is_inside)
        if isinstance(node, ast.Constant) and isinstance(node.value, str | int | float | bool):
            value = node.value
            return lambda instant, item: value
        if isinstance(node, ast.Tuple | ast.List):
            parts = [self._part(element, is_inside) for element in node.elts]
            return lambda instant, item: [part(instant, item) for part in parts]
        if isinstance(node, ast.Name):
            return self._name(node, is_inside)
        if isinstance(node, ast.Call):
            return self._call(node, is_inside)
        raise self._error(node, "only comparisons, and, or, not, +, -, * and the names of a run are allowed")

    def _both(self, node: ast.BoolOp, is_inside: bool) -> _Part:
        parts = [self._part(value, is_inside) for value in node.values]
        if isinstance(node.op, ast.And):
            return lambda instant, item: all(part(instant, item) for part in parts)
        return lambda instant, item: any(part(instant, item) for part in parts)

    def _comparison(self, node: ast.Compare, is_inside: bool) -> _Part:
        for operation in node.ops:
            if type(operation) not in _COMPARISONS:
                raise self._error(node, "a comparison must be one of == != < <= > >= in, not in")
        values, before = (node.left, *node.comparators), self._bounds
        parts = [self._part(value, is_inside) for value in values]
        numbers = [
            value.value for value in values if isinstance(value, ast.Constant) and isinstance(value.value, int | float)
        ]
        if before is not None and len(numbers) + sum(
            isinstance(value, ast.Name) and value.id == "seconds" for value in values
        ) == len(values):
            self._bounds = before + numbers  # compares only seconds and numbers
        compare = [_COMPARISONS[type(operation)] for operation in node.ops]
        if is_inside:
            self._check_values(node)

        def holds(instant: Instant, item: Item | None) -> bool:
            values = [part(instant, item) for part in parts]
            return all(apply(left, right) for apply, left, right in zip(compare, values, values[1:]))

        return holds

    def _check_values(self, node: ast.Compare) -> None:
        """Refuses comparisons of a state, kind and so on with an unknown value, which would never be equal."""
        values = (node.left, *node.comparators)
        for operation, left, right in zip(node.ops, values, values[1:]):
            names = [value.id for value in (left, right) if isinstance(value, ast.Name)]
            # ('DEPLOYED') is a text, not a list.
            listed = right.elts if isinstance(right, ast.List | ast.Tuple) else [right]
            others = (
                (left, right)
                if isinstance(operation, ast.Eq | ast.NotEq)
                else listed
                if isinstance(operation, ast.In | ast.NotIn)
                else ()
            )
            for name, other in ((name, other) for name in names if name in _CHECKS for other in others):
                if isinstance(other, ast.Constant):
                    called, check = _CHECKS[name]
                    try:
                        check(f"what {called} is compared with", other.value)
                    except Misuse as error:
                        raise self._error(other, str(error)) from None
                    given = str(other.value)
                    if (
                        name == "state"
                        and self._group in _UNDER_WAY
                        and given in TRANSIENT
                        and given not in ("QUEUED", "DEPLOYING")
                    ):
                        said = (
                            f"while a request is carried out, {self._group} are DEPLOYING, whatever it does, "
                            f"and never {given}"
                        )
                        raise self._error(other, f"{said}; ask for 'DEPLOYING', or services.any(state == '{given}')")

    def _name(self, node: ast.Name, is_inside: bool) -> _Part:
        name = node.id
        if name in (*_TIMES, "seconds"):
            self._bounds = None
        if name in _TIMES:
            return lambda instant, item: getattr(instant, name)
        if name in _MEMBERS and is_inside:
            return lambda instant, item: instant.member(item, name)
        known = (
            *_TIMES,
            *(_MEMBERS if is_inside else ()),
            *(_CALLS if is_inside else (f"{group}.any(…)" for group in _GROUPS)),
        )
        raise self._error(node, f"the name must be one of {', '.join(known)}, not {name!r}")

    def _call(self, node: ast.Call, is_inside: bool) -> _Part:
        function = node.func
        if node.keywords or len(node.args) > 2:
            raise self._error(node, "a call must have one or two values without names")
        if isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name) and not is_inside:
            group, question = function.value.id, function.attr
            if group not in _GROUPS or question not in _QUESTIONS:
                raise self._error(
                    node,
                    f"a question must be one of {', '.join(_GROUPS)} with .any, .all or .count, not {group}.{question}",
                )
            return self._question(node, group, question)
        if isinstance(function, ast.Name) and function.id in _CALLS and is_inside:
            return self._member_call(node, function.id)
        raise self._error(
            node,
            f"a call must be {', '.join(_QUESTIONS)} of {', '.join(_GROUPS)}, or inside of them {', '.join(_CALLS)}",
        )

    def _question(self, node: ast.Call, group: str, question: str) -> _Part:
        if len(node.args) != 1 and not (question == "count" and not node.args):
            raise self._error(node, f"{group}.{question} must have one condition")
        if not node.args:
            return lambda instant, item: instant.size(group)
        before, self._bounds, self._group = self._bounds, [], group
        part = self._part(node.args[0], True)
        bounds, self._bounds = self._bounds, before
        asked = Question(group, part, None if bounds is None else tuple(bounds))
        if question == "any":
            return lambda instant, item: instant.count(asked) > 0
        if question == "all":
            return lambda instant, item: instant.count(asked) == instant.size(group)
        return lambda instant, item: instant.count(asked)

    def _member_call(self, node: ast.Call, name: str) -> _Part:
        """stuck('1h'): in a transient state for that time. lasts('1h'): in any state. like(name, 'web-*'): a
        pattern."""
        given = [argument.value if isinstance(argument, ast.Constant) else None for argument in node.args]
        if name == "like":
            if len(node.args) != 2 or not isinstance(given[1], str):
                raise self._error(node, "like must have a member and a pattern, such as like(name, 'web-*')")
            part, pattern = self._part(node.args[0], True), given[1]
            return lambda instant, item: fnmatchcase(str(part(instant, item)), pattern)
        if len(given) != 1 or isinstance(given[0], bool) or not isinstance(given[0], str | int | float):
            raise self._error(node, f"{name} must have one duration, such as {name}('1h')")
        try:
            bound = milliseconds(name, given[0]) / 1000
        except Misuse as error:
            raise self._error(node, str(error)) from None
        if self._bounds is not None:
            self._bounds.append(bound)
        if name == "stuck":
            return lambda instant, item: (
                instant.member(item, "state") in TRANSIENT and instant.member(item, "seconds") >= bound
            )
        return lambda instant, item: instant.member(item, "seconds") >= bound


@functools.lru_cache(256)
def condition_of(text: str) -> Condition:
    return Condition(text)


class Found(NamedTuple):
    """The instant at which a condition came true; `said` describes the state then."""

    seconds: float
    """Seconds since the beginning."""
    said: str


def first_instant(condition: Condition, wanted: bool, states: Iterable[Instant]) -> Found | None:
    """Returns the first of the instants at which the condition holds, or with `wanted` false does not; None if there is
    none."""
    for instant in states:
        if condition.holds(instant) == wanted:
            return Found(
                instant.time,
                f"{condition.text} {'came true' if wanted else 'was not true'} after {words_of(instant.time)}",
            )
    return None
