"""Speed of the server for the rows of a deployment that need not be computed, read or sent: they are copied from tables
with the same columns and indexes. One transaction writes the rows of many environments; an engine cannot be faster on
this server."""

from __future__ import annotations

from typing import Any


class RowsAlone:
    """Calls `deploy`, which deploys some environments, and records the rows that it writes. Raises ImportError if
    psycopg is not installed."""

    def __init__(self, connection: str, schema: str, deploy: Any) -> None:
        import psycopg

        self._link: Any = psycopg.connect(connection, autocommit=True)
        before = self._state(schema)
        deploy()
        after = self._state(schema)
        self.events, self.machines, self.records = (now - then for now, then in zip(after, before, strict=True))
        self._run("CREATE SCHEMA alone")
        for table in ("event_block", "event_key", "machine", "record"):
            self._run(f"CREATE TABLE alone.{table} (LIKE {schema}.{table} INCLUDING ALL)")
            self._run(f"INSERT INTO alone.{table} SELECT * FROM {schema}.{table}")
        for table in ("event_block", "event_key"):
            self._run(f"CREATE TABLE alone.new_{table} AS SELECT * FROM {schema}.{table} WHERE first > {before[0]}")
        # Most often changed rows first: a deployment changes the same services repeatedly.
        for table, key in (("machine", "revision DESC, id"), ("record", "id DESC")):
            self._run(
                f"CREATE TABLE alone.new_{table} AS SELECT row_number() OVER (ORDER BY {key}) AS place, * FROM "
                f"{schema}.{table}"
            )
            self._run(f"ALTER TABLE alone.new_{table} ADD PRIMARY KEY (place)")
        self._columns = {
            table: [
                name
                for (name,) in self._run(
                    "SELECT attname FROM pg_attribute WHERE attrelid = %s::regclass AND attnum > 0 AND NOT "
                    "attisdropped ORDER BY attnum",
                    f"alone.{table}",
                )
            ]
            for table in ("event_block", "event_key", "machine", "record")
        }
        self._run("ANALYZE")

    def _run(self, text: str, *values: object) -> list[Any]:
        done = self._link.execute(text, values or None)
        return done.fetchall() if done.description else []

    def _state(self, schema: str) -> tuple[int, int, int]:
        """Returns the number of events, of machine writes and of record writes so far: every write increments the
        revision."""
        found = self._run(
            f"SELECT (SELECT max(first + count - 1) FROM {schema}.event_block), (SELECT sum(revision) FROM "
            f"{schema}.machine), (SELECT sum(revision) FROM {schema}.record)"
        )[0]
        return tuple(int(number) for number in found)  # type: ignore[return-value]

    def _update(self, table: str, count: int) -> None:
        changes = [f"{name} = n.{name}" for name in self._columns[table] if name not in ("id", "revision", "active")]
        if table == "machine":
            changes.append("active = NOT o.active")  # as when a service begins or ends
        there = self._run(f"SELECT count(*) FROM alone.new_{table}")[0][0]
        at_once = min(there, 336)
        while count > 0:
            self._run(
                f"UPDATE alone.{table} AS o SET {', '.join(changes)}, revision = o.revision + 1 FROM "
                f"alone.new_{table} AS n WHERE n.place <= {min(count, at_once)} AND o.id = n.id"
            )
            count -= at_once

    def deploy(self) -> None:
        """Writes the rows of one call, in one transaction."""
        with self._link.transaction():
            behind = self._run(
                "SELECT (SELECT max(first + count) FROM alone.event_block) - (SELECT min(first) FROM "
                "alone.new_event_block)"
            )[0][0]
            for table in ("event_block", "event_key"):
                names = ", ".join(name for name in self._columns[table] if name != "first")
                self._run(
                    f"INSERT INTO alone.{table} (first, {names}) SELECT first + {behind}, {names} FROM "
                    f"alone.new_{table} ORDER BY first"
                )
            self._update("machine", self.machines)
            self._update("record", self.records)

    def end(self) -> None:
        self._link.close()
