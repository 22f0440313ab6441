"""The facts of the interface, one for each line of interface.txt. `python facts.py` writes table.tsv."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).parent
TABLE = HERE / "table.tsv"


@dataclass(frozen=True)
class Fact:
    """One fact. `check` names the check that shows it; `about` is the object, the endpoint or the rule."""

    name: str
    check: str
    about: str
    path: str = ""
    value: str = ""


@dataclass
class Field:
    """A field of an object, of a body, or of a query."""

    path: str
    type: str
    marks: dict[str, str]


@dataclass
class Object:
    name: str
    schema: str
    fields: list[Field] = field(default_factory=list)


@dataclass
class Endpoint:
    number: str
    method: str
    path: str
    status: int
    ids: list[str] = field(default_factory=list)
    query: list[Field] = field(default_factory=list)
    body: list[Field] = field(default_factory=list)
    form: str = "nothing"
    answer: str = ""


@dataclass
class Interface:
    enums: dict[str, list[str]] = field(default_factory=dict)
    objects: dict[str, Object] = field(default_factory=dict)
    endpoints: dict[str, Endpoint] = field(default_factory=dict)
    rules: dict[str, str] = field(default_factory=dict)


_MARKS = ("always", "ignored", "given", "needed", "default", "min", "max", "secret", "caseless", "deprecated")
_TYPES = ("uuid", "time", "text", "integer", "number", "boolean", "object", "list")


class Unreadable(Exception):
    """A line that cannot be parsed."""


def _field(words: list[str], enums: dict[str, list[str]]) -> Field:
    path, kind, *marks = words
    if kind.rstrip("?") not in _TYPES and kind.rstrip("?") not in enums:
        raise Unreadable(f"{kind} is no type")
    split = dict((mark.partition("=")[0], mark.partition("=")[2]) for mark in marks)
    for mark in split:
        if mark not in _MARKS:
            raise Unreadable(f"{mark} is no mark")
    return Field(path, kind, split)


def read(text: str) -> Interface:
    """Parses the document. Raises Unreadable for a line without meaning."""
    found = Interface()
    place: Object | Endpoint | None = None
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        try:
            place = _take(line, found, place)
        except (Unreadable, ValueError, IndexError, AttributeError) as error:
            raise Unreadable(f"interface.txt:{number}: {line.strip()!r}: {error}") from error
    return found


def _take(line: str, found: Interface, place: Object | Endpoint | None) -> Object | Endpoint | None:
    words = line.split()
    if words[0] == "enum":
        found.enums[words[1]] = words[2:]
    elif words[0] == "rule":
        name, _, sentence = line.removeprefix("rule ").partition(" : ")
        if not sentence or name in found.rules:
            raise Unreadable("a rule has a name of its own and a sentence")
        found.rules[name] = sentence
    elif words[0] == "endpoint":
        place = found.endpoints[words[1]] = Endpoint(words[1], words[2], words[3], int(words[4]))
    elif header := re.fullmatch(r"\[(\w+) (\w+)\]", line):
        place = found.objects[header[1]] = Object(header[1], header[2])
    elif line.startswith("  ") and isinstance(place, Endpoint):
        _take_part(words, place, found)
    elif isinstance(place, Object):
        place.fields.append(_field(words, found.enums))
    else:
        raise Unreadable("it stands nowhere")
    return place


def _take_part(words: list[str], endpoint: Endpoint, found: Interface) -> None:
    if words[0] == "id":
        endpoint.ids.append(words[1])
    elif words[0] == "query":
        endpoint.query.append(_field(words[1:], found.enums))
    elif words[0] == "body":
        endpoint.body.append(_field(words[1:], found.enums))
    elif words[0] in ("answers", "results") and words[1] in found.objects:
        endpoint.form, endpoint.answer = words
    elif words != ["nothing"]:
        raise Unreadable("no part of an endpoint")


def facts_of(interface: Interface) -> list[Fact]:
    found: list[Fact] = []
    for thing in interface.objects.values():
        for known in thing.fields:
            found.extend(_facts_of_field(interface, thing, known))
    for endpoint in interface.endpoints.values():
        found.extend(_facts_of_endpoint(interface, endpoint))
    found.extend(Fact(f"{sentence} ({name})", "rule", name) for name, sentence in interface.rules.items())
    return found


def _facts_of_field(interface: Interface, thing: Object, known: Field) -> list[Fact]:
    at = f"{thing.name}.{known.path}"
    kind = known.type.rstrip("?")
    words = interface.enums.get(kind, [])

    def fact(sentence: str, check: str, value: str = "") -> Fact:
        return Fact(f"{at} {sentence}", check, thing.name, known.path, value)

    found = [fact(f"is described as {known.type}", "described", known.type)]
    if "secret" not in known.marks:
        found.insert(0, fact(f"is {known.type}", "type", known.type))
    plain = {
        "always": "is in every answer",
        "ignored": "is not the caller's to say",
        "given": "is answered as it was given",
        "needed": "has to be given",
        "secret": "goes in and never comes out",
        "caseless": "is the same name in capitals",
        "deprecated": "is deprecated and answered still",
    }
    found += [fact(sentence, mark) for mark, sentence in plain.items() if mark in known.marks]
    if "default" in known.marks:
        found.append(fact(f"is {known.marks['default']} by default", "default", known.marks["default"]))
    for mark, outward in (("min", -1), ("max", 1)):
        if mark not in known.marks:
            continue
        bound = int(known.marks[mark])
        found.append(fact(f"cannot be {bound + outward}", "refused", str(bound + outward)))
        found += [fact(f"can be {taken}", "taken", str(taken)) for taken in (bound, bound - outward)]
    check = "word" if "given" in known.marks else "described word"
    found += [fact(f"may be {word}", check, word) for word in words]
    if words:
        found.append(
            fact(
                "may be nothing else",
                "no other word" if "given" in known.marks else "no other described",
                " ".join(words),
            )
        )
    return found


def _facts_of_endpoint(interface: Interface, endpoint: Endpoint) -> list[Fact]:
    at = f"{endpoint.method} {endpoint.path}"

    def fact(sentence: str, check: str, path: str = "", value: str = "") -> Fact:
        return Fact(f"{at} {sentence}", check, endpoint.number, path, value)

    found = [
        fact(f"answers {endpoint.status}", "call"),
        fact(f"is described with {endpoint.status}", "described call"),
        fact("answers under /api/v1 as well", "prefix"),
        fact("answers 401 without credentials", "unauthenticated"),
    ]
    if endpoint.answer:
        found.append(fact(f"{endpoint.form} {endpoint.answer}", "shape", value=endpoint.answer))
    for name in endpoint.ids:
        found.append(fact(f"refuses a {name} that is no uuid", "malformed id", name))
        found.append(fact(f"answers 404 to a {name} that there is not", "unknown id", name))
    for known in endpoint.query:
        words = interface.enums.get(known.type, [])
        found += [fact(f"takes {known.path}={word}", "query word", known.path, word) for word in words]
        found.append(fact(f"refuses {known.path}=none", "no query word", known.path))
        if "needed" in known.marks:
            found.append(fact(f"has to be given {known.path}", "needed query", known.path))
    for known in endpoint.body:
        check = "needed in body" if "needed" in known.marks else "left out of body"
        sentence = "has to be given" if "needed" in known.marks else "need not be given"
        found.append(fact(f"{sentence} {known.path}", check, known.path))
        found.append(fact(f"refuses {known.path} of another type than {known.type}", "mistyped", known.path))
    return found


def interface() -> Interface:
    return read((HERE / "interface.txt").read_text(encoding="utf-8"))


def table(facts: list[Fact], rules: dict[str, str]) -> str:
    """Returns one line for each fact: the fact, and the test that shows it."""
    lines = []
    for fact in facts:
        if fact.check == "rule":
            lines.append(f"{fact.name}\t{rules.get(fact.about, '-')}")
        else:
            lines.append(f"{fact.name}\ttest_conformance.py::test_fact[{fact.name}]")
    return "\n".join(lines) + "\n"


def shown_by() -> dict[str, str]:
    """Returns the function that shows each rule."""
    import rules  # noqa: F401
    import rules_of_requests  # noqa: F401
    from shown import SHOWN_BY

    return {rule: f"{function.__module__}.py::{function.__name__}" for rule, function in SHOWN_BY.items()}


if __name__ == "__main__":
    TABLE.write_text(table(facts_of(interface()), shown_by()), encoding="utf-8")
