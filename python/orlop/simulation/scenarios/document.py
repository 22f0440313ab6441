"""Scenario files as data. Every fault names its line, column and member, the value and what is allowed."""

from __future__ import annotations

import functools
import json
import math
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from ...errors import Misuse
from ...options.arguments import event_kind, event_value, milliseconds, nearest_hint, shown, state_name, text
from ..traces.conditions import condition_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

SCHEMA = Path(__file__).with_name("schema.json")
SIZE_MAX = 1 << 20  # bytes
TIMES_MAX = 1_000_000  # repetitions of an action
_SHOWN_MAX = 60
RULES = ("rules", "transitions", "pack")
CONDITIONS = ("never", "always", "eventually")
VERBS = (
    "deploy",
    "stop",
    "restart",
    "cancel",
    "delete",
    "edit",
    "advance",
    "hold",
    "set_state",
    "create",
    "attach",
    "capacity",
    "lose_nodes",
    "rules",
    "clear_rules",
    "faults",
    "clear_faults",
    "externals",
    "clear_externals",
    "sources",
)
_STATEMENTS = (
    "state",
    "deployments_end_within",
    "deployments_succeed",
    "event",
    "one_deployment_at_a_time",
    "refused_actions",
    "cost_at_most",
    *CONDITIONS,
)
_BESIDE = {
    "per": "cost_at_most",
    "share": "deployments_end_within",
    "at_least": "event",
    "at_most": "event",
}  # optional members of an expectation, and the statement that has them
# Members of an action, and the verbs that need or allow them.
_NEEDED = {"set": ("edit", "capacity"), "stage": ("attach",), "to": ("set_state",)}
_OPTIONAL = {"for": ("hold", "set_state", "lose_nodes"), "nodes": ("lose_nodes",)}
_OF_EVENTS = {"kind": event_kind, "to": event_value}  # members of `when`, and their checks
_TYPES = {
    "object": "a mapping",
    "array": "a list",
    "string": "text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
}
# The beginning of a message of the core: "rules[3].log[1].text must be …".
_PATH = re.compile(r"((?:\w+)(?:\[\d+\]|\.\w+)*)")


class ScenarioError(Misuse):
    """A fault of a scenario file. The message begins with file, line and column."""

    code = "misuse"


class Scenario(NamedTuple):
    """The contents of a scenario file."""

    path: str
    data: Mapping[str, Any]
    marks: Mapping[str, tuple[int, int]]
    """Line and column of each member by its path, such as `rules[0].step`."""

    def error(self, path: str, said: str) -> ScenarioError:
        """Returns the error about the member at the path."""
        while path not in self.marks:
            path = path[: max(path.rfind("."), path.rfind("["), 0)]
        line, column = self.marks[path]
        return ScenarioError(f"{self.path}:{line}:{column}: {said}")

    def unknown(self, path: str, wrong: str, known: Sequence[str]) -> ScenarioError:
        """Returns the error about an unknown member of the value at the path."""
        below = f"{path}." if path else ""
        shown = wrong if re.fullmatch(r"[\w-]{1,60}", wrong) else _shown(wrong)
        return self.error(
            below + wrong,
            f"{below}{shown} is not a member here{nearest_hint(wrong, known) or '; known are ' + ', '.join(known)}",
        )

    def error_of(self, refusal: Exception, at: str = "") -> ScenarioError:
        """Returns the error about a refusal of the engine: about the member `at`, else about the one whose path begins
        the refusal."""
        said = str(refusal)
        found = _PATH.match(said)
        return self.error(at or (found[1] if found else ""), said)


def read(path: str, needs_resources: bool = True) -> Scenario:
    """Reads the file and parses it. Raises `ScenarioError`, and OSError."""
    with open(path, "rb") as file:
        content = file.read(SIZE_MAX + 1)
    if len(content) > SIZE_MAX:
        raise ScenarioError(f"{path}:1:1: the file must have at most {SIZE_MAX} bytes")
    return parse(content, path, needs_resources)


def parse(content: bytes, path: str = "scenario", needs_resources: bool = True) -> Scenario:
    """Parses the contents of a file. With `needs_resources` False the resources may be missing. Raises
    `ScenarioError`."""
    try:
        import jsonschema  # noqa: F401
        import yaml
    except ImportError as error:
        raise Misuse(
            "PyYAML and jsonschema are missing, which read scenario files: pip install 'orlop[scenarios]'"
        ) from error
    marks: dict[str, tuple[int, int]] = {}
    try:
        node = yaml.compose(content.decode(), _loader())
        data = None if node is None else _value(node, "", marks, path)
    except UnicodeDecodeError as error:
        raise ScenarioError(
            f"{path}:1:1: the file must be text in UTF-8: {error.reason} at byte {error.start}"
        ) from None
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        place = f"{mark.line + 1}:{mark.column + 1}" if mark else "1:1"
        raise ScenarioError(f"{path}:{place}: this is not YAML: {error.problem or error.context}") from None
    except yaml.YAMLError as error:
        raise ScenarioError(f"{path}:1:1: this is not YAML: {str(error).splitlines()[0]}") from None
    except RecursionError:
        raise ScenarioError(f"{path}:1:1: the file is nested too deeply") from None
    marks.setdefault("", (1, 1))
    scenario = Scenario(path, data if isinstance(data, dict) else {}, marks)
    for fault in sorted(_validator().iter_errors(data), key=lambda fault: marks.get(_path_of(fault), (0, 0))):
        if needs_resources or fault.validator != "required" or fault.absolute_path:
            raise _said(scenario, fault)
    _check(scenario)
    return scenario


@functools.cache
def schema() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(SCHEMA.read_text(encoding="utf-8"))
    return found


@functools.cache
def _validator() -> Any:
    """Returns the validator of the schema. It also refuses values that JSON does not distinguish or have: a whole
    number as 1.0, infinity and NaN."""
    import jsonschema

    base = jsonschema.Draft202012Validator
    numbers = base.TYPE_CHECKER.redefine(
        "integer", lambda _, given: isinstance(given, int) and not isinstance(given, bool)
    )
    numbers = numbers.redefine(
        "number",
        lambda _, given: isinstance(given, int | float) and not isinstance(given, bool) and math.isfinite(given),
    )
    return jsonschema.validators.extend(base, type_checker=numbers)(schema())


@functools.cache
def _loader() -> Any:
    """Returns a loader of plain data in which times stay texts: YAML reads 1:30 as the number 90."""
    import yaml

    class Loader(yaml.SafeLoader):  # type: ignore[misc, unused-ignore]
        pass

    Loader.yaml_implicit_resolvers = {
        letter: [
            (tag, re.compile("(?!.*:)" + pattern.pattern, pattern.flags))
            for tag, pattern in resolvers
            if tag not in ("tag:yaml.org,2002:timestamp", "tag:yaml.org,2002:merge")
        ]
        for letter, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
    }
    return Loader


def _value(node: Any, at: str, marks: dict[str, tuple[int, int]], file: str) -> Any:
    """Returns the value of a node, and notes the lines of its members. Refuses aliases, which would make a small file a
    large one."""
    import yaml

    place = (node.start_mark.line + 1, node.start_mark.column + 1)
    if at in marks and at:
        raise ScenarioError(f"{file}:{place[0]}:{place[1]}: {at} is given twice")
    marks[at] = place
    if getattr(node, "is_seen", False):
        raise ScenarioError(f"{file}:{place[0]}:{place[1]}: {at} must not be an alias")
    node.is_seen = True
    if isinstance(node, yaml.SequenceNode):
        return [_value(item, f"{at}[{index}]", marks, file) for index, item in enumerate(node.value)]
    if isinstance(node, yaml.MappingNode):
        found = {}
        for key, item in node.value:
            if not isinstance(key, yaml.ScalarNode):
                raise ScenarioError(
                    f"{file}:{key.start_mark.line + 1}:{key.start_mark.column + 1}: the name of a member must be text"
                )
            name = _plain(key.value, "the name of a member", (key.start_mark.line + 1, key.start_mark.column + 1), file)
            found[name] = _value(item, f"{at}.{name}" if at else name, marks, file)
            marks[f"{at}.{name}" if at else name] = (key.start_mark.line + 1, key.start_mark.column + 1)
        return found
    loader = _loader()("")
    try:
        found = loader.construct_object(node)
    except (ValueError, LookupError, AttributeError):  # PyYAML raises these if a tag such as !!int does not fit
        raise ScenarioError(
            f"{file}:{place[0]}:{place[1]}: {at} cannot be read as {node.tag.rpartition(':')[2]}: {_shown(node.value)}"
        ) from None
    finally:
        loader.dispose()
    return _plain(found, at or "the scenario", place, file)


def _plain(given: Any, at: str, place: tuple[int, int], file: str) -> Any:
    """Returns the value of a scalar. Raises `ScenarioError` if JSON cannot hold it."""
    try:
        if isinstance(given, str):
            return text(at, given)
        if given is not None and not isinstance(given, int | float):
            raise Misuse(f"{at} must be text, a number, true, false or null, not {shown(given)}")
        if isinstance(given, int) and abs(given) > sys.float_info.max:
            raise Misuse(f"{at} must be a number of at most {sys.float_info.max:.3g}, not {_shown(given)}")
    except Misuse as error:
        raise ScenarioError(f"{file}:{place[0]}:{place[1]}: {error}") from None
    return given


def _path_of(fault: Any) -> str:
    path = ""
    for part in fault.absolute_path:
        path += f"[{part}]" if isinstance(part, int) else f".{part}" if path else str(part)
    return path


def _shown(given: Any) -> str:
    text = json.dumps(given, default=str)
    return text if len(text) <= _SHOWN_MAX else text[:_SHOWN_MAX] + "…"


def _said(scenario: Scenario, fault: Any) -> ScenarioError:
    """Returns the error about a fault of the schema."""
    path = _path_of(fault)
    name = path or "the scenario"
    below = f"{path}." if path else ""
    if fault.validator == "additionalProperties":
        known = list(fault.schema["properties"])
        return scenario.unknown(path, next(member for member in fault.instance if member not in known), known)
    if fault.validator == "required":
        missing = next(member for member in fault.validator_value if member not in fault.instance)
        return scenario.error(path, f"{below}{missing} is required")
    if fault.validator == "oneOf":  # only resources have it
        return (
            scenario.error(f"{below}names", f"{below}names must be given without name")
            if "name" in fault.instance
            else scenario.error(path, f"{below}name or names is required")
        )
    if fault.validator == "type":
        kinds = fault.validator_value if isinstance(fault.validator_value, list) else [fault.validator_value]
        return scenario.error(
            path, f"{name} must be {' or '.join(_TYPES[kind] for kind in kinds)}, not {_shown(fault.instance)}"
        )
    bounds = {
        "minimum": "at least",
        "maximum": "at most",
        "maxLength": "of at most so many letters:",
        "enum": "one of",
        "const": "",
        "minItems": "a list of at least",
        "maxItems": "a list of at most",
        "minProperties": "a mapping of at least",
    }
    return scenario.error(
        path,
        f"{name} must be {bounds.get(fault.validator, fault.validator)} {_shown(fault.validator_value)}, not "
        f"{_shown(fault.instance)}".replace("  ", " "),
    )


def _check(scenario: Scenario) -> None:
    """Checks all that the schema cannot express."""
    for index, resource in enumerate(scenario.data.get("resources", ())):
        _check_names(scenario, f"resources[{index}]", resource)
    for index, action in enumerate(scenario.data.get("actions", ())):
        _one_of(scenario, f"actions[{index}]", action, VERBS, "verb")
        if "when" in action and "at" in action:
            raise scenario.error(f"actions[{index}].when", f"actions[{index}].when must be given without at")
        for member, check in _OF_EVENTS.items():
            if member in action.get("when", ()):
                _known(scenario, f"actions[{index}].when.{member}", action["when"][member], check)
        if "times" in action and "every" not in action and "when" not in action:
            raise scenario.error(
                f"actions[{index}].times", f"actions[{index}].every or when is required where times is given"
            )
        if "every" in action and "times" not in action and "until" not in scenario.data:
            raise scenario.error(
                f"actions[{index}].every", f"actions[{index}].times is required where the scenario has no until"
            )
        _check_members(scenario, f"actions[{index}]", action)
        _check_names(scenario, f"actions[{index}].create", action.get("create", {}))
    for index, expected in enumerate(scenario.data.get("expect", ())):
        _one_of(scenario, f"expect[{index}]", expected, _STATEMENTS, "statement")
        if ("state" in expected) != ("of" in expected):
            raise scenario.error(f"expect[{index}]", f"expect[{index}] must have both state and of, or neither")
        for member, statement in _BESIDE.items():
            if member in expected and statement not in expected:
                raise scenario.error(
                    f"expect[{index}].{member}", f"expect[{index}].{statement} is required where {member} is given"
                )
        if expected.get("at_least", 0) > expected.get("at_most", math.inf):
            raise scenario.error(
                f"expect[{index}].at_most",
                f"expect[{index}].at_most must be at least at_least, {expected['at_least']}, not {expected['at_most']}",
            )
        if "state" in expected:
            _known(scenario, f"expect[{index}].state", expected["state"], state_name)
        if "event" in expected:
            _known(scenario, f"expect[{index}].event", expected["event"], event_kind)
        for name in CONDITIONS:
            if name in expected:
                _condition(scenario, f"expect[{index}].{name}", expected[name])
    for path in scenario.marks:
        if re.fullmatch(r"until|actions\[\d+\]\.(at|every|for)|expect\[\d+\]\.(deployments_end_within|per)", path):
            _duration(scenario, path)
    for index, action in enumerate(scenario.data.get("actions", ())):
        if "every" in action and "times" not in action:
            least = milliseconds("until", scenario.data["until"]) / TIMES_MAX / 1000
            if milliseconds("every", action["every"]) < least * 1000:
                raise scenario.error(
                    f"actions[{index}].every",
                    f"actions[{index}].every must be at least {least:g} s, of which {TIMES_MAX} fit into until, "
                    f"not {_shown(action['every'])}",
                )


def _check_members(scenario: Scenario, path: str, action: Mapping[str, Any]) -> None:
    """Checks the members that only some verbs have."""
    for member, verbs in {**_NEEDED, **_OPTIONAL}.items():
        has_verb = any(verb in action for verb in verbs)
        if member in action and not has_verb:
            raise scenario.error(f"{path}.{member}", f"{path}.{member} must be given with {' or '.join(verbs)} only")
        if has_verb and member not in action and member in _NEEDED:
            raise scenario.error(
                path, f"{path} must have {member} beside {next(verb for verb in verbs if verb in action)}"
            )


def _check_names(scenario: Scenario, path: str, resource: Mapping[str, Any]) -> None:
    if "names" in resource and "count" in resource:
        raise scenario.error(f"{path}.count", f"{path}.count must be given without names")
    seen: dict[str, int] = {}
    for index, name in enumerate(resource.get("names", ())):
        first = seen.setdefault(name, index)
        if first != index:
            raise scenario.error(
                f"{path}.names[{index}]",
                f"{path}.names[{index}] must differ from {path}.names[{first}], not {_shown(name)}",
            )


def _one_of(scenario: Scenario, path: str, given: Mapping[str, Any], names: tuple[str, ...], what: str) -> None:
    if sum(name in given for name in names) != 1:
        raise scenario.error(path, f"{path} must have exactly one {what}: {', '.join(names)}")


def _known(scenario: Scenario, path: str, given: str, check: Callable[[str, object], str]) -> None:
    """Checks the name of a state, or the kind or value of an event."""
    try:
        check(path, given)
    except Misuse as error:
        raise scenario.error(path, str(error)) from None


def _condition(scenario: Scenario, path: str, given: str) -> None:
    try:
        condition_of(given)
    except Misuse as error:
        raise scenario.error(path, f"{path}: {error}") from None


def _duration(scenario: Scenario, path: str) -> None:
    value: Any = scenario.data
    for part in re.findall(r"\w+", path):
        value = value[int(part)] if isinstance(value, list) else value[part]
    try:
        milliseconds(path, value, 1 if path.endswith(("every", "per")) else 0)
    except Misuse as error:
        raise scenario.error(path, str(error)) from None
