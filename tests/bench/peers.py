"""Alternatives to Orlop in tests: a hand-written store, and fake platforms of other projects, each used in the fastest
way that it documents.

Each validates only what its project validates, and all but `ByHand` keep their data in a dictionary.
"""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Callable
from datetime import datetime, timezone
from typing import Any

Fields = dict[str, Any]
Turn = Callable[[int], object]

_SCHEMA = """
CREATE TABLE record (number INTEGER PRIMARY KEY, id BLOB NOT NULL UNIQUE, family INTEGER NOT NULL, parent BLOB,
  revision INTEGER NOT NULL, name_key TEXT UNIQUE, secrets TEXT, body TEXT NOT NULL);
CREATE INDEX record_parent ON record (parent, family, id);
CREATE TABLE event (sequence INTEGER PRIMARY KEY, at INTEGER NOT NULL, kind INTEGER NOT NULL, family INTEGER NOT NULL,
  subject BLOB, owner BLOB, revision INTEGER NOT NULL);
"""
_FAMILY, _CREATED = 31, 1


class ByHand:
    """Resources as JSON text in SQLite, in memory: increasing ids, unique names, an event for each change; no
    validation."""

    def __init__(self) -> None:
        self._database = sqlite3.connect(":memory:")
        self._database.executescript(_SCHEMA)
        self._parent = bytes(16)
        self._count = 0

    def create(self, fields: Fields) -> Fields:
        milliseconds = time.time_ns() // 1_000_000
        self._count += 1
        digits = f"{milliseconds:012x}7{self._count >> 12 & 0xFFF:03x}8000{self._count:012x}"
        id = f"{digits[:8]}-{digits[8:12]}-{digits[12:16]}-{digits[16:20]}-{digits[20:]}"
        now = (
            datetime.fromtimestamp(milliseconds / 1000, timezone.utc)
            .isoformat(timespec="milliseconds")
            .replace("+00:00", "Z")
        )
        config = dict(fields["config"])
        secrets = json.dumps({"password": config.pop("password")})
        record = {"id": id, "created_at": now, "updated_at": now, **fields, "config": config}
        key, blob = f"helm_repository/{fields['name'].casefold()}", bytes.fromhex(digits)
        with self._database:
            self._database.execute(
                "INSERT INTO record (id, family, parent, revision, name_key, secrets, body) VALUES (?, ?, ?, 1, "
                "?, ?, ?)",
                (blob, _FAMILY, self._parent, key, secrets, json.dumps(record)),
            )
            self._database.execute(
                "INSERT INTO event (at, kind, family, subject, owner, revision) VALUES (?, ?, ?, ?, ?, 1)",
                (milliseconds, _CREATED, _FAMILY, blob, self._parent),
            )
        record["associated_services_count"] = 0
        return record

    def get(self, id: str) -> Fields:
        blob = bytes.fromhex(id.replace("-", ""))
        row = self._database.execute("SELECT body FROM record WHERE id = ?", (blob,)).fetchone()
        record: Fields = json.loads(row[0])
        record["associated_services_count"] = 0
        return record


def fastapi_turn(fields: Fields) -> tuple[Turn, Callable[[], None]]:
    """Returns a turn of create and get through a small FastAPI application and its test client, and a function that
    closes it. Raises ImportError without FastAPI."""
    from fastapi import FastAPI
    from fastapi.testclient import TestClient
    from pydantic import create_model

    body = create_model("Body", **{name: (type(value), ...) for name, value in fields.items()})  # type: ignore[call-overload]
    application = FastAPI()
    records: dict[str, Fields] = {}

    async def create(organization: str, given: Fields) -> Fields:
        record = {"id": f"{len(records):032x}", "created_at": "2026-01-01T00:00:00.000Z", **given}
        records[record["id"]] = record
        return record

    async def create_checked(organization: str, given: Any) -> Fields:
        return await create(organization, given.model_dump())

    async def get(organization: str, id: str) -> Fields:
        return records[id]

    create_checked.__annotations__ = {"organization": str, "given": body, "return": Fields}
    get.__annotations__ = {"organization": str, "id": str, "return": Fields}
    application.post("/organization/{organization}/helmRepository", status_code=201)(create_checked)
    application.get("/organization/{organization}/helmRepository/{id}")(get)
    client = TestClient(application)
    client.__enter__()

    def turn(number: int) -> object:
        made = client.post("/organization/acme/helmRepository", json={**fields, "name": f"repository-{number}"}).json()
        return client.get(f"/organization/acme/helmRepository/{made['id']}").json()

    return turn, lambda: client.__exit__(None, None, None)


def moto_turn() -> tuple[Turn, Callable[[], None]]:
    """Returns a turn of create and get of a cluster of moto's fake cloud, through the client that its users use. Raises
    ImportError without moto."""
    import boto3  # type: ignore[import-untyped, import-not-found, unused-ignore]
    from moto import mock_aws  # type: ignore[import-untyped, import-not-found, unused-ignore]

    mock = mock_aws()
    mock.start()
    client = boto3.client("ecs", region_name="eu-west-3", aws_access_key_id="a", aws_secret_access_key="b")

    def turn(number: int) -> object:
        name = f"cluster-{number}"
        client.create_cluster(clusterName=name, tags=[{"key": "team", "value": "shop"}])
        return client.describe_clusters(clusters=[name])["clusters"][0]

    return turn, mock.stop
