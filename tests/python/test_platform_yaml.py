"""The YAML of platform files."""

from __future__ import annotations

import pathlib
from typing import Any

import pytest
from orlop.platform_files import document
from orlop.platform_files.yaml_nodes import FileError, Node, parse, plain

import orlop

pytest.importorskip("yaml")


def value(node: Node) -> Any:
    if isinstance(node.value, dict):
        return {name: value(item) for name, item in node.value.items()}
    return [value(item) for item in node.value] if isinstance(node.value, list) else node.value


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("1", 1),
        ("1.10", 1.1),
        ("true", True),
        ("True", True),
        ("yes", "yes"),
        ("no", "no"),
        ("on", "on"),
        ("off", "off"),
        ("1:30", "1:30"),
        ("2026-03-01", "2026-03-01"),
        ("2026-03-01T08:00:00Z", "2026-03-01T08:00:00Z"),
        ("~", None),
        ("null", None),
        ("", None),
        ("'1'", "1"),
        ("0x10", 16),
        ("1_000", 1000),
        ("1e3", "1e3"),
        ("=", "="),
        ("a: b", {"a": "b"}),
        ("[1, a]", [1, "a"]),
    ],
)
def test_scalars(written: str, read: Any) -> None:
    found = value(parse(f"x: {written}\n".encode() if ": " not in written else f"x: {{{written}}}".encode(), "f"))["x"]
    assert (type(found), found) == (type(read), read)


@pytest.mark.parametrize(("text", "read"), [("500", 500), ("true", True), ("", None), ("a b", "a b"), ("1:30", "1:30")])
def test_a_text_as_it_would_be_without_quotation_marks(text: str, read: Any) -> None:
    assert plain(text) == read


def test_texts_are_kept_as_they_are_written() -> None:
    root = parse(b"a: 1.10\nb: 0o17\nc: TRUE\nd: 1_000\n", "f")
    assert [node.written for node in root.value.values()] == ["1.10", "0o17", "TRUE", "1_000"]


def test_merges_and_aliases_are_followed() -> None:
    text = b"x-a: &a {cpu: 1, memory: 2}\nx-b: &b {memory: 3}\nweb: {<<: *a, cpu: 5}\napi: {<<: [*b, *a]}\nc: *a\n"
    root = value(parse(text, "f"))
    assert root["web"] == {"cpu": 5, "memory": 2}
    assert root["api"] == {"memory": 3, "cpu": 1}
    assert root["c"] == {"cpu": 1, "memory": 2}


def test_windows_files_are_read() -> None:
    assert value(parse("\ufeffa:\r\n  b: 1\r\n".encode(), "f")) == {"a": {"b": 1}}


def bomb(levels: int) -> bytes:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, levels)]
    return "\n".join(lines).encode()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"\xff\xfe", "f:1:1: the file must be text in UTF-8: invalid start byte at byte 0"),
        (b"a: 1\n" * 2_000_000, "f:1:1: the file must have at most 4194304 bytes, not 10000000"),
        (b"a: [" * 100_000, "f:1:1: the file is nested too deeply"),
        (b"a: {b: 1\n", "f:2:1: this is not YAML: expected ',' or '}', but got '<stream end>'"),
        (b"a: 1\n---\nb: 2\n", "f:2:1: this is not YAML: but found another document"),
        (b"a: *b\n", "f:1:4: this is not YAML: found undefined alias 'b'"),
        (b"[a]: 1\n", "f:1:1: the name of a member must be text"),
        (b"a: !!binary aGk=\n", "f:1:4: the value must be text, a number, true, false or null, not an object of the "),
        (b"a: !mine 1\n", "f:1:4: '1' cannot be read as !mine"),
        (b"a: !!int x\n", "f:1:4: 'x' cannot be read as int"),
        (b"a: \x07\n", "f:1:1: this is not YAML: unacceptable character #x0007: special characters are not allowed"),
        (b'a: "\\ud800"\n', "f:1:4: the value must be text that UTF-8 can hold: '\\ud800' holds a lone surrogate"),
        (b"a: .inf\n", "f:1:4: the value must be a finite number, not .inf"),
        (b"a: .NaN\n", "f:1:4: the value must be a finite number, not .NaN"),
        (b"a:\n\tb: 1\n", "f:2:1: this is not YAML: found character '\\t' that cannot start any token"),
        (b"<<: 1\n", "f:1:5: << must be a mapping, not 1"),
        (b"a: &a {b: *a}\n", "f:1:4: the value holds itself, by an alias"),
    ],
)
def test_refusals(content: bytes, message: str) -> None:
    with pytest.raises(FileError) as refused:
        parse(content, "f")
    assert str(refused.value).startswith(message)


def test_aliases_that_make_a_file_large_are_refused() -> None:
    with pytest.raises(FileError, match="the file has more than 200000 values"):
        parse(bomb(9), "f")


def test_the_file_is_found(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(orlop.Misuse, match="there is no platform file in .*: it is named orlop.yaml or orlop.yml or"):
        document.find(None)
    with pytest.raises(orlop.Misuse, match=r"there is no file other\.yaml"):
        document.find("other.yaml")
    (tmp_path / "platform.yaml").touch()
    assert document.find(None) == pathlib.Path("platform.yaml")
    (tmp_path / "orlop.yaml").touch()
    assert document.find(None) == pathlib.Path("orlop.yaml")
    assert document.find(str(tmp_path)) == tmp_path / "orlop.yaml"
    assert document.find("platform.yaml") == pathlib.Path("platform.yaml")
