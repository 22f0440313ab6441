"""The commands that move a store to another one, and the messages of commands about stores with a password."""

from __future__ import annotations

from pathlib import Path

import pytest

import orlop
from conftest import furnish, furnished
from orlop.options.storage_libraries import shown_storage
from test_scenarios import run

CANARY = "canary-5d02b7"
KEY, OTHER = b"k" * 32, b"o" * 32


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "key").write_bytes(KEY)
    (tmp_path / "other").write_bytes(OTHER)
    (tmp_path / "short").write_bytes(b"short")
    with orlop.Engine("old.db") as engine:
        platform = furnish(engine)
        platform.organization.git_tokens.create(name="github", type="GITHUB", token=CANARY)
    return tmp_path


@pytest.mark.parametrize("command", ["snapshot", "export"])
def test_a_store_travels_with_its_secrets(command: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([command, "old.db", "all.jsonl", "--secrets-key", "key"], capsys) == (0, "", "")
    assert CANARY not in (folder / "all.jsonl").read_text()
    status, out, err = run(["import", "new.db", "all.jsonl", "--secrets-key", "key", "--secret-key", "other"], capsys)
    assert (status, err) == (0, "") and out.startswith("new.db has ")
    assert CANARY.encode() not in b"".join(file.read_bytes() for file in folder.glob("new.db*"))
    with orlop.Engine("new.db", secret_key=OTHER) as engine:
        assert CANARY.encode() not in bytes(engine.snapshot()) and furnished(engine).organization.git_tokens.find(
            "github"
        )
        assert not engine.check()


def test_what_is_left_out_is_said_at_both_ends(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = run(["snapshot", "old.db", "all.jsonl"], capsys)
    assert (status, out) == (0, "") and "1 secret is left out; --secrets-key FILE carries them" in err
    status, out, err = run(["import", "new.db", "all.jsonl"], capsys)
    assert status == 0 and "1 secret is missing: the snapshot was taken without a key." in err
    status, out, err = run(["check", "new.db"], capsys)
    assert (
        status == 1
        and "lacks its secret token: a snapshot that is taken without a key holds no secrets" in out
        and "orlop snapshot --secrets-key" in out
    )
    with orlop.Engine("new.db") as engine:
        furnished(engine).organization.git_tokens.find("github").edit(token="another")
    assert run(["check", "new.db"], capsys)[0] == 0


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["snapshot", "old.db", "old.db"], "FILE must be a file of its own"),
        (["snapshot", "old.db", "key", "--secrets-key", "key"], "FILE must be a file of its own"),
        (
            ["snapshot", "old.db", "all.jsonl", "--secrets-key", "short"],
            "--secrets-key must be a file of 32 bytes; short has 5",
        ),
        (["snapshot", "none.db", "all.jsonl"], "there is no store at none.db"),
        (["import", "old.db", "sealed.jsonl", "--secrets-key", "key"], "restored into an empty store only"),
        (["import", "new.db", "sealed.jsonl"], "encrypted with a key that was not given"),
        (["import", "new.db", "sealed.jsonl", "--secrets-key", "other"], "encrypted with a key that was not given"),
        (
            ["import", "new.db", "sealed.jsonl", "--secrets-key", "key", "--secret-key", "short"],
            "--secret-key must be a file of 32 bytes",
        ),
        (["import", "new.db", "empty"], "snapshot must be the bytes of a snapshot, not empty ones"),
        (["import", "new.db", "key"], "line 1 of the snapshot: this is not a snapshot"),
    ],
    ids=lambda given: "-".join(given) if isinstance(given, list) else "",
)
def test_what_cannot_be_done_is_said(
    arguments: list[str], said: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["snapshot", "old.db", "sealed.jsonl", "--secrets-key", "key"], capsys)[0] == 0
    (folder / "empty").touch()
    status, _, err = run(arguments, capsys)
    assert status == 2 and said in err, err


@pytest.mark.parametrize(
    ("storage", "shown"),
    [
        ("platform.db", "platform.db"),
        ("sqlite:a:b@c", "sqlite:a:b@c"),
        ("postgresql://orlop@db.example.com/p", "postgresql://orlop@db.example.com/p"),
        ("postgresql://orlop:s3cret@db.example.com/p?schema=a", "postgresql://orlop:***@db.example.com/p?schema=a"),
        ("postgres://orlop:s3@cr/et@db.example.com/p", "postgres://orlop:***@db.example.com/p"),
        ("postgresql:///p?host=/tmp&password=s3cret&user=a", "postgresql:///p?host=/tmp&password=***&user=a"),
    ],
)
def test_no_command_shows_the_password_of_a_store(storage: str, shown: str) -> None:
    assert shown_storage(storage) == shown


def test_a_store_that_is_not_reached_is_named_without_its_password(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for command, rest in (("check", []), ("events", []), ("snapshot", ["all.jsonl"])):
        status, out, err = run([command, "postgresql://orlop:s3cret@127.0.0.1:1/p", *rest], capsys)
        assert status == 2 and "s3cret" not in out + err
