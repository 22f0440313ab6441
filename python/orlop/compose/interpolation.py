"""Variables in values: `$A`, `${A}`, `${A:-b}`, `${A-b}`, `${A:?e}`, `${A?e}`, `${A:+b}`, `${A+b}`; `$$` is a `$`."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from .source import Fault, Map, Path, Text, Timestamp, shown
from .tree import Patterns

if TYPE_CHECKING:
    Lookup = Callable[[str], str | None]
    Unset = Callable[[str], None]

_VARIABLE = re.compile(
    r"\$(?:(?P<escaped>\$)|(?P<named>[_a-z][_a-z0-9]*)"
    r"|\{(?:(?P<braced>[_a-z][_a-z0-9]*(?::?[-+?](.*))?)\}|(?P<invalid>)))",
    re.IGNORECASE,
)
_PARTS = re.compile(r"([_a-z][_a-z0-9]*)(:?[-+?])(.*)\Z", re.IGNORECASE | re.DOTALL)
_ALLOWED = "allowed are $A, ${A}, ${A:-default}, ${A-default}, ${A:?error}, ${A?error}, ${A:+value}, ${A+value}, and $$"


class Unresolved(Exception):
    """A reference that has no form that is allowed, or a required variable without a value."""


def substituted(text: str, lookup: Lookup, unset: Unset) -> str:
    """Returns the text with the values of its variables. Calls `unset` with the name of each variable that has no value
    and no default. Raises Unresolved."""

    def replaced(match: re.Match[str]) -> str:
        if match["escaped"]:
            return "$"
        if match["named"]:
            return _value(match["named"])
        whole, rest = _split(match.group())
        inner = _VARIABLE.match(whole)
        if inner is None or not inner["braced"]:
            raise Unresolved(f"{shown(text)} refers to a variable in a form that is not allowed; {_ALLOWED}")
        parts = _PARTS.match(inner["braced"])
        if parts is None:
            return _value(inner["braced"]) + rest
        return _with_operator(*parts.groups()) + substituted(rest, lookup, unset)

    def _value(name: str) -> str:
        value = lookup(name)
        if value is None:
            unset(name)
        return value or ""

    def _with_operator(name: str, operator: str, argument: str) -> str:
        value = lookup(name)
        has_value = value is not None and (value != "" or operator[0] != ":")
        if operator[-1] == "+":
            return substituted(argument, lookup, unset) if has_value else value or ""
        if has_value:
            return value or ""
        argument = substituted(argument, lookup, unset)
        if operator[-1] == "?":
            raise Unresolved(f"the required variable {name} has no value" + (f": {argument}" if argument else ""))
        return argument

    return _VARIABLE.sub(replaced, text)


def _split(reference: str) -> tuple[str, str]:
    """Splits behind the brace that closes the first one. Braces inside a default are counted."""
    depth, at = 0, 0
    while at < len(reference):
        if reference[at] == "}":
            depth -= 1
            if depth == 0:
                return reference[: at + 1], reference[at + 1 :]
        if reference[at] == "{":
            depth += 1
            at += 1
        at += 1
    return reference, ""


def interpolated(tree: Map, lookup: Lookup, unset: Callable[[str, Text], None]) -> Map:
    """Returns the tree with the variables of its values replaced, and its texts read as numbers and booleans where only
    those are allowed. Keys stay as they are. Raises Fault."""
    made: Map = _interpolated(tree, (), lookup, unset)
    return made


def _interpolated(value: Any, path: Path, lookup: Lookup, unset: Callable[[str, Text], None]) -> Any:
    if isinstance(value, dict):
        made = Map(value)
        for key, inner in value.items():
            made[key] = _interpolated(inner, (*path, key), lookup, unset)
        return made
    if isinstance(value, list):
        return [_interpolated(item, (*path, "[]"), lookup, unset) for item in value]
    if not isinstance(value, Text) or isinstance(value, Timestamp):
        return value
    try:
        text = Text(substituted(value, lookup, lambda name: unset(name, value)), value.mark)
    except Unresolved as error:
        raise Fault(path, str(error), value.mark) from None
    cast = CASTS.find(path)
    if cast is None:
        return text
    try:
        return cast(path, text)
    except Fault as fault:
        raise Fault(path, fault.said, value.mark) from None


def _whole(path: Path, text: str) -> int:
    if not re.fullmatch(r"[-+]?[0-9]+", text):
        raise Fault(path, f"{shown(text)} must be a whole number")
    return int(text)


def _umask(path: Path, text: str) -> int:
    for pattern, base in (
        (r"0[xX]([0-9a-fA-F]+)", 16),
        (r"0[oO]?([0-7]+)", 8),
        (r"0[bB]([01]+)", 2),
        (r"([0-9]+)", 10),
    ):
        if found := re.fullmatch(pattern, text):
            return int(found[1], base)
    raise Fault(path, f"{shown(text)} must be a whole number")


def _number(path: Path, text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise Fault(path, f"{shown(text)} must be a number") from None


_BOOLEANS = {"true": True, "y": True, "yes": True, "on": True, "false": False, "n": False, "no": False, "off": False}


def _boolean(path: Path, text: str) -> bool:
    if text.lower() not in _BOOLEANS:
        raise Fault(path, f"{shown(text)} must be true or false")
    return _BOOLEANS[text.lower()]


_CONTAINERS = ("services.*", "jobs.*", "services.*.pre_start.*")
_WORKLOADS = ("services.*", "jobs.*")
_SERVICES = ("services.*",)
_CAST_KEYS: list[tuple[tuple[str, ...], Any, str]] = [
    (
        _CONTAINERS,
        _whole,
        "cpu_count cpu_period cpu_quota cpu_rt_period cpu_rt_runtime cpu_shares oom_score_adj pids_limit ulimits.* "
        "ulimits.*.hard ulimits.*.soft",
    ),
    (_CONTAINERS, _number, "cpu_percent cpus"),
    (_CONTAINERS, _umask, "umask"),
    (
        _CONTAINERS,
        _boolean,
        "init networks.*.use_service_name_alias oom_kill_disable privileged read_only volumes.[].read_only "
        "volumes.[].volume.nocopy",
    ),
    (_WORKLOADS, _boolean, "depends_on.*.required depends_on.*.restart healthcheck.disable stdin_open tty"),
    (_WORKLOADS, _whole, "healthcheck.retries ports.[].target"),
    (
        _SERVICES,
        _whole,
        "deploy.replicas deploy.update_config.parallelism deploy.rollback_config.parallelism "
        "deploy.restart_policy.max_attempts deploy.placement.max_replicas_per_node scale",
    ),
    (_SERVICES, _number, "deploy.update_config.max_failure_ratio deploy.rollback_config.max_failure_ratio"),
    (("networks.*",), _boolean, "external internal attachable enable_ipv4 enable_ipv6"),
    (("volumes.*", "secrets.*", "configs.*"), _boolean, "external"),
]
CASTS: Patterns[Callable[[Path, str], Any]] = Patterns(
    (f"{prefix}.{key}", cast) for prefixes, cast, keys in _CAST_KEYS for prefix in prefixes for key in keys.split()
)
"""Where a text stands for a number or a boolean, and how it is read."""
