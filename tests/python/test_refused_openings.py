"""A refused opening makes no store: the folder is unchanged. tests/unit/store/new_file_test.cpp tests which files are
removed."""

from __future__ import annotations

import json
import os
import socket
from pathlib import Path
from typing import Any

import pytest

import orlop
from conftest import furnish
from orlop.commands.main import main

KEY, OTHER = b"k" * 32, b"o" * 32


def taken(secrets_key: bytes | None = None, **options: Any) -> bytes:
    with orlop.Engine(**options) as engine:
        platform = furnish(engine)
        platform.container("web")
        platform.organization.helm_repositories.create(
            name="charts",
            kind="OCI_GENERIC_CR",
            url="oci://registry.example.com/charts",
            skip_tls_verification=False,
            config={"username": "deployer", "password": "s3cret"},
        )
        return engine.snapshot(secrets_key)


def damaged(snapshot: bytes) -> bytes:
    """Returns the snapshot with a fault in its last line, after all others."""
    lines = snapshot.splitlines(keepends=True)
    return b"".join([*lines[:-1], b'{"event":{"sequence":1}}\n'])


def without_seal(snapshot: bytes) -> bytes:
    """Returns a sealed snapshot without its seal, a record without an organization."""
    header, *lines = snapshot.splitlines(keepends=True)
    kept = [line for line in lines if b'"body":{"key"' not in line]
    assert len(lines) - len(kept) == 1
    promised = json.loads(header)
    promised["records"] -= 1
    return b"".join([json.dumps(promised).encode() + b"\n", *kept])


REFUSED: dict[str, tuple[str, Any]] = {
    "no snapshot": ("this is not a snapshot", lambda folder: {"snapshot": b"junk\n"}),
    "a snapshot that ends early": (
        "it ends here",
        lambda folder: {"snapshot": taken()[:-200].rpartition(b"\n")[0] + b"\n"},
    ),
    "a faulty last line": ("event.", lambda folder: {"snapshot": damaged(taken())}),
    "a faulty last line, sealed": (
        "event.",
        lambda folder: {"snapshot": damaged(taken(KEY)), "secrets_key": KEY, "secret_key": OTHER},
    ),
    "another key": (
        "encrypted with a key that was not given",
        lambda folder: {"snapshot": taken(KEY), "secrets_key": OTHER},
    ),
    "no key of the store": (
        "secrets are sealed; open it with the key",
        lambda folder: {"snapshot": taken(secret_key=KEY)},
    ),
    "another key of the store": (
        "sealed with another key",
        lambda folder: {"snapshot": taken(secret_key=KEY), "secret_key": OTHER},
    ),
    "secrets of no key": (
        "nothing that says with which key",
        lambda folder: {"snapshot": without_seal(taken(secret_key=KEY)), "secret_key": KEY},
    ),
    "a key of its own": ("secrets_key must be left out", lambda folder: {"snapshot": taken(), "secrets_key": KEY}),
    "a key of nothing": ("secrets_key is the key of a snapshot", lambda folder: {"secrets_key": KEY}),
    "no time zones": ("time_zones", lambda folder: {"snapshot": taken(), "time_zones": folder}),
}


@pytest.mark.parametrize("scheme", ["", "sqlite:"])
@pytest.mark.parametrize("kind", [orlop.Engine, orlop.Simulation])
@pytest.mark.parametrize("case", REFUSED)
def test_an_opening_that_is_refused_makes_no_store(
    tmp_path: Path, case: str, kind: type[orlop.Engine], scheme: str
) -> None:
    words, options = REFUSED[case]
    zones = tmp_path / "zones"
    zones.mkdir()
    (zones / "Nowhere").write_bytes(b"no time zone")
    given = options(zones)
    with pytest.raises(orlop.Error, match=words):
        kind(f"{scheme}{tmp_path / 'new.db'}", **given)
    assert os.listdir(tmp_path) == ["zones"]


@pytest.mark.parametrize("case", [case for case in REFUSED if case != "secrets of no key"])
def test_a_store_that_was_there_stays_as_it_was(tmp_path: Path, case: str) -> None:
    words, options = REFUSED[case]
    zones = tmp_path / "zones"
    zones.mkdir()
    (zones / "Nowhere").write_bytes(b"no time zone")
    orlop.Engine(tmp_path / "old.db").close()
    with pytest.raises(orlop.Error, match=words):
        orlop.Engine(tmp_path / "old.db", **options(zones))
    assert sorted(os.listdir(tmp_path)) == ["old.db", "zones"]
    with orlop.Engine(tmp_path / "old.db", snapshot=taken()) as engine:  # the store is still empty
        assert [organization.name for organization in engine.organizations] == ["acme"]


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (["import", "new.db", "bad.jsonl"], "this is not a snapshot"),
        (["import", "new.db", "nowhere.jsonl"], "nowhere.jsonl"),
        (["import", "new.db", "good.jsonl", "--secrets-key", "key"], "secrets_key must be left out"),
        (["import", "new.db", "good.jsonl", "--secrets-key", "bad.jsonl"], "--secrets-key must be a file of 32 bytes"),
        (["import", "new.db", "good.jsonl", "--into", "--organization", "acme"], "there is no store at new.db"),
        (["restore", "new.db", "bad.jsonl"], "bad.jsonl"),
        (["restore", "new.db", "nowhere.db"], "nowhere.db"),
        (["backup", "new.db", "copy.db"], "new.db"),
        (["snapshot", "new.db", "copy.jsonl"], "there is no store at new.db"),
        (["check", "new.db"], "there is no store at new.db"),
        (["events", "new.db", "--follow"], "there is no store at new.db"),
        (["token", "create", "new.db", "--organization", "a\nb", "--name", "ci"], "name"),
        (["token", "create", "new.db", "--organization", "acme", "--name", "a\nb"], "name"),
        (["token", "create", "new.db", "--organization", "acme", "--name", "ci", "--role", "nowhere"], "role"),
        (["token", "create", "new.db", "--organization", "acme", "--name", "ci", "--brand", "A!"], "brand"),
        (["serve", "new.db", "--port", "PORT"], "in use"),
        (["serve", "new.db", "--port", "PORT", "--workers", "2", "--seed-organization", "acme"], "in use"),
        (["serve", "new.db", "--port", "0", "--seed-organization", "a\nb"], "name"),
        (["serve", "new.db", "--port", "0", "--seed-organization", "a\nb", "--sim"], "name"),
        (["serve", "new.db", "--port", "0", "--seed-organization", "a\nb", "--workers", "2"], "name"),
        (
            ["serve", "new.db", "--port", "0", "--ready-file", "nowhere/ready.json", "--seed-organization", "acme"],
            "cannot write nowhere/ready.json: No such file or directory",
        ),
        (
            ["serve", "new.db", "--port", "0", "--ready-file", "key/ready.json"],
            "cannot write key/ready.json: Not a directory",
        ),
        (["serve", "new.db", "--port", "0", "--origin", "no origin"], "origin"),
        (["serve", "new.db", "--port", "0", "--driver", "nowhere:Driver"], "MODULE:NAME"),
        (["serve", "new.db", "--port", "0", "--time-zones", "zones"], "time_zones"),
        (["serve", "new.db", "--port", "0", "--step", "2m", "--step-deadline", "1m"], "--step-deadline"),
    ],
)
def test_a_command_that_is_refused_makes_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], given: list[str], words: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bad.jsonl").write_text("junk\n")
    (tmp_path / "good.jsonl").write_bytes(taken())
    (tmp_path / "key").write_bytes(KEY)
    (tmp_path / "zones").mkdir()
    (tmp_path / "zones" / "Nowhere").write_bytes(b"no time zone")
    before = sorted(os.listdir(tmp_path))
    with socket.create_server(("127.0.0.1", 0)) as taken_port:
        port = str(taken_port.getsockname()[1])
        assert main([port if argument == "PORT" else argument for argument in given]) == 2
    assert words in capsys.readouterr().err
    assert sorted(os.listdir(tmp_path)) == before


def test_a_token_that_is_refused_leaves_no_new_organization(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store = str(tmp_path / "old.db")
    orlop.Engine(store).close()
    assert main(["token", "create", store, "--organization", "acme", "--name", "a\nb"]) == 2
    assert main(["token", "create", store, "--organization", "acme", "--name", "ci"]) == 0
    token = capsys.readouterr().out.strip()
    assert main(["token", "create", store, "--organization", "acme", "--name", "cd"]) == 0
    with orlop.Engine(store, authentication="required") as engine:
        (acme,) = engine.organizations
        assert [each.name for each in acme.api_tokens] == ["ci", "cd"]
        assert engine.request(
            "GET", f"/organization/{acme.id}", headers={"Authorization": f"Token {token}"}, trusted=False
        ).ok
