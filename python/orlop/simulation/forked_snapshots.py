"""Prepares snapshots of a store for simulations, without the parts that a simulation does not need or cannot open."""

from __future__ import annotations

import json

_KEYS = 1003  # the family of the keys that encrypt the secrets of organizations


def for_simulation(snapshot: bytes, with_events: bool = True) -> bytes:
    """Returns the snapshot without secrets, which need a key and which scripted steps do not read, without the rules of
    a simulation, and with `with_events` False without all events but the last.

    Ids are counted from the last event: a simulation that began with the first id again could assign one that the
    snapshot holds. If nothing is running, time also continues from it: random numbers follow from ids, which contain
    times, so that two snapshots of one store lead to the same.
    """
    header, *lines = snapshot.splitlines(keepends=True)
    last_event = next((line for line in reversed(lines) if line.startswith(b'{"event"')), b"")
    kept: list[bytes] = []
    records = events = 0
    is_at_rest = True
    for line in lines:
        if line.startswith(b'{"simulation"') or (
            line.startswith(b'{"event"') and not with_events and line is not last_event
        ):
            continue
        if line.startswith(b'{"record"'):
            row = json.loads(line)["record"] if b'"secrets"' in line or f'"family":{_KEYS}'.encode() in line else None
            if row is not None:
                if row["family"] == _KEYS:
                    continue
                row.pop("secrets", None)
                line = json.dumps({"record": row}, ensure_ascii=False).encode() + b"\n"
            records += 1
        elif b'"active":true' in line and line.startswith(b'{"machine"'):
            is_at_rest = False
        events += line.startswith(b'{"event"')
        kept.append(line)
    facts = {**json.loads(header), "records": records, "events": events}
    facts.pop("simulation", None)
    if is_at_rest and last_event and not with_events:
        facts["taken_at"] = json.loads(last_event)["event"]["at"]
    return json.dumps(facts).encode() + b"\n" + b"".join(kept)
