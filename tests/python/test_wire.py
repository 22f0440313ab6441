"""JSON out of the core, as it is read where orjson is not installed."""

from __future__ import annotations

import json
from typing import Any

import pytest

from orlop import wire

read = wire._plain_loads(json.JSONDecoder())


@pytest.mark.parametrize(
    "value", [None, True, 0, -1.5, "", "\u00e9\u4e16\U0001f600\"\\\n", [], {}, [1, [2, {"a": None}]], {"a": {"b": ["c"] * 1000}}, "x" * 70_000]
)  # fmt: skip
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
