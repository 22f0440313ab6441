"""The checks for each kind of fact. A check that passes has shown the fact; one that fails reports the difference."""

from __future__ import annotations

import copy
import re
import uuid
from collections.abc import Callable
from datetime import datetime
from typing import Any

from calls import CALLS, Call, send
from description import Description
from facts import Endpoint, Fact, Interface
from objects import MADE, SEEN, Made
from fixture import SECRET, Body, Fixture, at, put, without

_KINDS: dict[str, Callable[[Any], bool]] = {
    "uuid": lambda value: isinstance(value, str) and bool(uuid.UUID(value)),
    "time": lambda value: isinstance(value, str) and bool(datetime.fromisoformat(value.replace("Z", "+00:00"))),
    "text": lambda value: isinstance(value, str),
    "integer": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "number": lambda value: isinstance(value, (int, float)) and not isinstance(value, bool),
    "boolean": lambda value: isinstance(value, bool),
    "object": lambda value: isinstance(value, dict),
    "list": lambda value: isinstance(value, list),
}
_SCHEMA = {
    "uuid": ("string", "uuid"),
    "time": ("string", "date-time"),
    "text": ("string", None),
    "integer": ("integer", None),
    "number": ("number", None),
    "boolean": ("boolean", None),
    "object": ("object", None),
    "list": ("array", None),
}
_OTHER: dict[str, Any] = {
    "uuid": "00000000-0000-7000-8000-000000000000",
    "time": "2001-02-03T04:05:06.000Z",
    "text": "something else",
    "integer": 7777,
    "number": 77.5,
    "boolean": "neither",
    "object": {"other": 1},
    "list": [{"other": 1}],
}


class Checks:
    def __init__(self, interface: Interface, fixture: Fixture) -> None:
        self.interface, self.fixture = interface, fixture
        self._made: dict[str, Made] = {}
        self._seen: dict[str, list[Any]] = {}
        self.description = Description(fixture)

    def show(self, fact: Fact) -> None:
        by_check = {
            "type": self._type,
            "described": self._described,
            "described word": self._described_word,
            "no other described": self._no_other_described,
            "always": self._always,
            "ignored": self._ignored,
            "given": self._given,
            "needed": self._needed,
            "secret": self._secret,
            "caseless": self._caseless,
            "deprecated": self._deprecated,
            "default": self._default,
            "refused": self._refused,
            "taken": self._taken,
            "word": self._word,
            "no other word": self._no_other_word,
            "call": self._call,
            "described call": self._described_call,
            "prefix": self._prefix,
            "unauthenticated": self._unauthenticated,
            "shape": self._shape,
            "malformed id": self._malformed_id,
            "unknown id": self._unknown_id,
            "query word": self._query_word,
            "no query word": self._no_query_word,
            "needed query": self._needed_query,
            "needed in body": self._needed_in_body,
            "left out of body": self._left_out,
            "mistyped": self._mistyped,
        }
        by_check[fact.check](fact)

    # Returns the object of the fact, made at the first request for it.

    def made(self, fact: Fact) -> Made:
        if fact.about not in self._made:
            self._made[fact.about] = MADE[fact.about](self.fixture)
        return self._made[fact.about]

    def seen(self, name: str) -> list[Any]:
        if name not in self._seen:
            self._seen[name] = SEEN[name](self.fixture)
        assert self._seen[name], f"no {name} was seen"
        return self._seen[name]

    def words_of(self, fact: Fact) -> list[str]:
        fields = self.interface.objects[fact.about].fields
        kind = next(known.type for known in fields if known.path == fact.path)
        return self.interface.enums[kind.rstrip("?")]

    # Fields.

    def _type(self, fact: Fact) -> None:
        kind = fact.value.rstrip("?")
        test = _KINDS.get(kind) or (lambda value: value in self.interface.enums[kind])
        values = [value for answer in self.seen(fact.about) for value in at(answer, fact.path)]
        assert values, "no answer holds it"
        for value in values:
            assert (value is None and fact.value.endswith("?")) or (value is not None and test(value)), value

    def _described(self, fact: Fact) -> None:
        schema = self.description.schema_at(self.interface.objects[fact.about].schema, fact.path)
        kind = fact.value.rstrip("?")
        wanted, form = _SCHEMA.get(kind, ("string", None))
        assert schema.get("type") == wanted or (wanted == "object" and schema["properties"]), schema
        assert form is None or schema.get("format") == form, schema
        assert bool(schema.get("nullable")) or not fact.value.endswith("?"), schema

    def _described_words(self, fact: Fact) -> list[str]:
        return self.description.words(self.interface.objects[fact.about].schema, fact.path)

    def _described_word(self, fact: Fact) -> None:
        assert fact.value in self._described_words(fact) or fact.value in self._by_variant(fact)

    def _by_variant(self, fact: Fact) -> list[str]:
        """Each alternative has one value of the discriminator."""
        schemas = self.description.document()["components"]["schemas"]
        is_variant = fact.path == "type" and fact.about.startswith("Feature")
        parts = schemas.get("ClusterFeatureValueOrNull", {}).get("oneOf", []) if is_variant else []
        return [self.description.flat(part)["properties"]["type"]["enum"][0] for part in parts]

    def _no_other_described(self, fact: Fact) -> None:
        words = self._by_variant(fact) or self._described_words(fact)
        new = sorted(set(words) - set(fact.value.split()))
        assert sorted(words) == sorted(fact.value.split()), (
            f"the `enum` of {fact.about}.{fact.path} in tests/conformance/interface.txt lacks "
            f"{' '.join(new) or 'nothing'}; then write the table anew: .venv/bin/python tests/conformance/facts.py"
        )

    def _always(self, fact: Fact) -> None:
        for answer in self.seen(fact.about):
            assert at(answer, fact.path), answer

    def _ignored(self, fact: Fact) -> None:
        made = self.made(fact)
        kind = next(known.type for known in self.interface.objects[fact.about].fields if known.path == fact.path)
        other = _OTHER[kind.rstrip("?")]
        body = put(made.around(fact.path), fact.path, other)
        made.fixture.is_host = fact.path != "id"  # the trusted host may choose the ids of created resources
        try:
            assert at(made.make(body), fact.path) != [other]
        finally:
            made.fixture.is_host = True

    def _given(self, fact: Fact) -> None:
        made = self.made(fact)
        answer = made.make(made.largest)
        for given, answered in zip(at(made.largest, fact.path), at(answer, fact.path), strict=True):
            assert answered == given or (fact.path == "name" and answered) or _holds(answered, given), (given, answered)

    def _needed(self, fact: Fact) -> None:
        made = self.made(fact)
        self._refused_at(made.try_out(without(made.around(fact.path), fact.path)), fact.path)

    def _secret(self, fact: Fact) -> None:
        made = self.made(fact)
        assert at(made.largest, fact.path) == [SECRET]
        reply = made.try_out(made.largest)
        everything = [reply.body, self.fixture.ask("GET", made.collection).body]
        for text in everything:
            assert SECRET.encode() not in text and reply.status == 201
        assert at(reply.json(), fact.path) == []

    def _caseless(self, fact: Fact) -> None:
        made = self.made(fact)
        name = "Case " + self.fixture.name()
        assert made.make({**made.smallest, "name": name})["name"] == name
        assert made.try_out({**made.smallest, "name": name.upper()}).status == 409

    def _deprecated(self, fact: Fact) -> None:
        assert (
            self.description.schema_at(self.interface.objects[fact.about].schema, fact.path).get("deprecated") is True
        )
        self._always(fact)

    def _default(self, fact: Fact) -> None:
        made = self.made(fact)
        assert [str(value) for value in at(made.make(made.smallest), fact.path)] == [fact.value]

    def _refused(self, fact: Fact) -> None:
        made = self.made(fact)
        self._refused_at(made.try_out(put(made.around(fact.path), fact.path, int(fact.value))), fact.path)

    def _taken(self, fact: Fact) -> None:
        made = self.made(fact)
        assert at(made.make(put(made.around(fact.path), fact.path, int(fact.value))), fact.path) == [int(fact.value)]

    def _word(self, fact: Fact) -> None:
        made = self.made(fact)
        assert at(made.make(made.with_word(fact.path, fact.value)), fact.path) == [fact.value]

    def _no_other_word(self, fact: Fact) -> None:
        made = self.made(fact)
        for other in ("OTHER", fact.value.split()[0].swapcase()):
            self._refused_at(made.try_out(put(made.around(fact.path), fact.path, other)), fact.path)

    @staticmethod
    def _refused_at(reply: Any, path: str) -> None:
        assert reply.status == 400, (reply.status, reply.body)
        fields = [re.sub(r"\[\d+\]", "[]", violation["field"]) for violation in reply.json()["violations"]]
        assert path in fields, fields

    # Endpoints.

    def endpoint(self, fact: Fact) -> Endpoint:
        return self.interface.endpoints[fact.about]

    def ready(self, fact: Fact) -> Call:
        return CALLS[fact.about](self.fixture)

    def _send(self, fact: Fact, call: Call, prefix: str = "") -> Any:
        endpoint = self.endpoint(fact)
        return send(self.fixture, endpoint.method, prefix + endpoint.path, call)

    def _call(self, fact: Fact) -> None:
        reply = self._send(fact, self.ready(fact))
        assert reply.status == self.endpoint(fact).status, reply.body
        assert (reply.body == b"") == (reply.status == 204)

    def _prefix(self, fact: Fact) -> None:
        reply = self._send(fact, self.ready(fact), "/api/v1")
        assert reply.status == self.endpoint(fact).status, reply.body

    def _described_call(self, fact: Fact) -> None:
        endpoint = self.endpoint(fact)
        plain = {re.sub(r"\{\w+\}", "{}", path): item for path, item in self.description.document()["paths"].items()}
        described = plain[re.sub(r"\{\w+\}", "{}", endpoint.path)][endpoint.method.lower()]
        good = [code for code in described["responses"] if code.startswith("2")]
        assert good == [str(endpoint.status)], good
        assert {"401", "403", "429", "500"} <= set(described["responses"])

    def _unauthenticated(self, fact: Fact) -> None:
        call, endpoint = self.ready(fact), self.endpoint(fact)
        reply = send(self.fixture.outside(), endpoint.method, endpoint.path, call)
        assert reply.status == 401, reply.body

    def _shape(self, fact: Fact) -> None:
        answer = self._send(fact, self.ready(fact)).json()
        results = answer["results"] if self.endpoint(fact).form == "results" else [answer]
        assert results, answer
        for result in results:
            for known in self.interface.objects[fact.value].fields:
                assert "always" not in known.marks or at(result, known.path), (known.path, result)

    def _with_id(self, fact: Fact, value: str) -> Any:
        call = self.ready(fact)
        call.ids[self.endpoint(fact).ids.index(fact.path)] = value
        return self._send(fact, call)

    def _malformed_id(self, fact: Fact) -> None:
        assert self._with_id(fact, "none").status == 400

    def _unknown_id(self, fact: Fact) -> None:
        assert self._with_id(fact, str(uuid.uuid4())).status == 404

    def _with_query(self, fact: Fact, value: str) -> Any:
        call = self.ready(fact)
        call.query[fact.path] = value
        return self._send(fact, call)

    def _query_word(self, fact: Fact) -> None:
        reply = self._with_query(fact, fact.value)
        assert reply.status == self.endpoint(fact).status, reply.body

    def _no_query_word(self, fact: Fact) -> None:
        assert self._with_query(fact, "none").status == 400

    def _needed_query(self, fact: Fact) -> None:
        call = self.ready(fact)
        del call.query[fact.path]
        assert self._send(fact, call).status == 400

    def _changed_body(self, fact: Fact, change: Callable[[Body], None]) -> Any:
        call = self.ready(fact)
        call.body = copy.deepcopy(call.body or {})
        change(call.body)
        return self._send(fact, call)

    def _needed_in_body(self, fact: Fact) -> None:
        self._refused_at(self._changed_body(fact, lambda body: body.pop(fact.path)), fact.path)

    def _left_out(self, fact: Fact) -> None:
        reply = self._changed_body(fact, lambda body: body.pop(fact.path, None))
        assert reply.status == self.endpoint(fact).status, reply.body

    def _mistyped(self, fact: Fact) -> None:
        def break_it(body: Body) -> None:
            body[fact.path] = [1]

        self._refused_at(self._changed_body(fact, break_it), fact.path)


def _holds(answered: Any, given: Any) -> bool:
    """Reports whether the answer contains the given value; the engine may have added members."""
    if isinstance(given, dict) and isinstance(answered, dict):
        return all(name in answered and _holds(answered[name], value) for name, value in given.items())
    if isinstance(given, list) and isinstance(answered, list):
        return len(given) == len(answered) and all(_holds(*pair) for pair in zip(answered, given, strict=True))
    return bool(answered == given)
