"""Replies, and JSON in and out without orjson."""

from __future__ import annotations

import enum
import json
import uuid
from typing import Any

import pytest

from orlop.base import wire
from orlop.errors import NotFound

read = wire._plain_loads(json.JSONDecoder())


@pytest.mark.parametrize(
    "value",
    [
        None,
        True,
        0,
        -1.5,
        "",
        '\u00e9\u4e16\U0001f600"\\\n',
        [],
        {},
        [1, [2, {"a": None}]],
        {"a": {"b": ["c"] * 1000}},
        "x" * 70_000,
    ],
)
def test_it_reads_what_json_reads(value: Any) -> None:
    for text in (json.dumps(value), json.dumps(value, ensure_ascii=False), f" {json.dumps(value)}\n"):
        assert read(text.encode()) == value
        assert read(text) == value


@pytest.mark.parametrize("text", [b"", b" ", b"{", b'{"a":1}}', b"1 2", b'"\xff"', b"[1,]", b"nul"])
def test_it_refuses_what_json_refuses(text: bytes) -> None:
    with pytest.raises(ValueError):
        json.loads(text)
    with pytest.raises(ValueError):
        read(text)


class Order(enum.Enum):
    FIRST = "first"


@pytest.mark.parametrize("has_encoder_in_c", [True, False])
def test_it_writes_what_json_writes_without_spaces(has_encoder_in_c: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if not has_encoder_in_c:
        monkeypatch.setattr(json.encoder, "c_make_encoder", None)
    write = wire._plain_encoder()
    plain = {
        "a": [1, -2.5, 1e300, None, True],
        "é世😀": '"\\\n\x00',
        "": {},
        "long": "x" * 70_000,
        "deep": [[[[{"b": [()]}]]]],
    }
    values: list[Any] = [plain, [], "text", 1 << 70, None]
    for value in values:
        assert write(value) == json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    assert write({"a": Order.FIRST, 1: uuid.UUID(int=1)}) == '{"a":"first","1":"00000000-0000-0000-0000-000000000001"}'
    itself: list[Any] = []
    itself.append(itself)
    for refused in ({"a": float("nan")}, [float("-inf")], {"a": object()}, {(1,): 2}, itself):
        with pytest.raises((TypeError, ValueError, RecursionError)):
            write(refused)
    assert write(plain) == write(plain)  # a refusal does not affect later calls


def test_a_reply_raises_for_its_status_without_a_look_at_its_body() -> None:
    taken = wire.Reply(200, {}, b"no JSON")
    assert taken.raise_for_status() is taken
    refused = wire.Reply(404, {}, b'{"message":"there is no container here"}')
    for ask in (refused.raise_for_status, refused.check):
        with pytest.raises(NotFound, match="^there is no container here$"):
            ask()
    assert wire.Reply(200, {}, b'{"a":1}').check() == {"a": 1} and wire.Reply(204, {}, b"").check() is None
