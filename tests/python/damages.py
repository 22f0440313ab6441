"""The kinds of damage that `orlop check` finds in an SQLite file: statements that plant each, and its message."""

from __future__ import annotations


def first(family: str, order: str = "") -> str:
    """Returns SQL for the number of the first record of the family, or of the last one with the order DESC."""
    number = f"(SELECT number FROM family WHERE word = '{family}')"
    return f"(SELECT number FROM record WHERE family = {number} ORDER BY number {order} LIMIT 1)"


CONTAINER = first("container")
OTHER_CONTAINER = first("container", "DESC")
CLUSTER = first("cluster")
PROJECT = first("project")
ENVIRONMENT = first("environment")
ORGANIZATION = first("organization")
OTHER_ORGANIZATION = first("organization", "DESC")
TOKEN = "(SELECT number FROM record WHERE family = 1005)"
LAST = "(SELECT max(sequence) FROM event)"
MIDDLE = "(SELECT max(sequence) / 2 FROM event)"
NEW_ID = "x'0123456789ab8def8123456789abcdef'"
NEW_IDENTITY = f"INSERT INTO identity (number, id) VALUES (90000, {NEW_ID})"


def member(record: str, name: str, value: str) -> str:
    return f"UPDATE record SET body = json_set(body, '$.{name}', json('{value}')) WHERE number = {record}"


def copied(source: str, name: str, target: str, to: str) -> str:
    value = f"(SELECT json_extract(body, '$.{name}') FROM record WHERE number = {source})"
    return f"UPDATE record SET body = json_set(body, '$.{to}', {value}) WHERE number = {target}"


def machine(assignment: str, record: str = CONTAINER) -> str:
    return f"UPDATE machine SET {assignment} WHERE number = {record}"


# By name: the statements that plant the damage, and a part of the check's message.
DAMAGES: dict[str, tuple[list[str], str]] = {
    # The feed.
    "an event is gone": ([f"DELETE FROM event WHERE sequence = {MIDDLE}"], "are gone"),
    "several events are gone": ([f"DELETE FROM event WHERE sequence BETWEEN {MIDDLE} AND {MIDDLE} + 5"], "are gone"),
    "the first event is gone": (["DELETE FROM event WHERE sequence = 1"], "events are gone"),
    "the first events are gone": (["DELETE FROM event WHERE sequence < 10"], "events are gone"),
    "the last event is gone": ([f"DELETE FROM event WHERE sequence = {LAST}"], "events are gone"),
    "the end of the feed is gone": ([f"DELETE FROM event WHERE sequence > {LAST} - 5"], "events are gone"),
    "the feed is gone": (["DELETE FROM event"], "events are gone"),
    "the feed and its runs are gone": (["DELETE FROM event", "DELETE FROM event_run"], "no event"),
    "the last number is far ahead": ([f"UPDATE event SET sequence = 1000000000 WHERE sequence = {LAST}"], "are gone"),
    "a number is negative": (["UPDATE event SET sequence = -5 WHERE sequence = 1"], "out of its bounds"),
    "times go back": ([f"UPDATE event SET at = at - 86400000 WHERE sequence = {MIDDLE}"], "has a time before"),
    "a time is far ahead": ([f"UPDATE event SET at = at + 86400000 WHERE sequence = {MIDDLE}"], "has a time before"),
    "an unknown kind of event": ([f"UPDATE event SET kind = 99 WHERE sequence = {MIDDLE}"], "of the kind 99"),
    "a kind beyond a byte": ([f"UPDATE event SET kind = 257 WHERE sequence = {MIDDLE}"], "out of its bounds"),
    "a detail that is not JSON": (
        ["UPDATE event SET detail = '{\"name\":' WHERE sequence = 1"],
        "detail that is not a JSON object",
    ),
    "a detail that is a list": (
        ["UPDATE event SET detail = '[]' WHERE sequence = 1"],
        "detail that is not a JSON object",
    ),
    "an event of a foreign organization": (
        [f"UPDATE event SET organization = {OTHER_ORGANIZATION} WHERE subject = {CONTAINER} AND kind = 1"],
        "of the organization",
    ),
    "an event of an organization that never was": (
        [NEW_IDENTITY, f"UPDATE event SET organization = 90000 WHERE subject = {CONTAINER} AND kind = 1"],
        "of the organization",
    ),
    "an event about another family": (["UPDATE event SET family = 40 WHERE sequence = 1"], "which is a"),
    "an event about an unknown family": (["UPDATE event SET family = 999 WHERE sequence = 1"], "which does not exist"),
    "an event about nothing": (["UPDATE event SET subject = NULL WHERE sequence = 1"], "about no resource"),
    "an event about an id that is gone": (
        ["UPDATE event SET subject = 91000 WHERE sequence = 1"],
        "an id that is not there",
    ),
    "an event with an unknown state": (
        ["UPDATE event SET to_state = 200 WHERE kind = 4"],
        "names a state with an unknown number",
    ),
    "an event of a revision to come": (
        ["UPDATE event SET revision = 900 WHERE sequence = 1"],
        "names the revision 900",
    ),
    "the count of ids is gone": ([f"UPDATE event SET id_count = 0 WHERE sequence = {LAST}"], "end of the feed is gone"),
    "the count of ids goes back": ([f"UPDATE event SET id_count = 1 WHERE sequence = {LAST}"], "ids were given"),
    "runs are gone": (["DELETE FROM event_run WHERE way = 3 AND key = " + CONTAINER], "not all found by the resource"),
    "runs of requests are gone": (["DELETE FROM event_run WHERE way = 2"], "not all found by the deployment request"),
    "runs of organizations are gone": (["DELETE FROM event_run WHERE way = 1"], "not all found by the organization"),
    "a run is too long": (["UPDATE event_run SET last = last + 1 WHERE way = 3 AND key = " + PROJECT], "run of events"),
    "a run of another resource": (
        [f"UPDATE event_run SET key = {ENVIRONMENT} WHERE way = 3 AND key = {PROJECT}"],
        "run of events",
    ),
    "a run of nothing": (["INSERT INTO event_run VALUES (9, 1, 1, 1)"], "run of events"),
    # Machines.
    "a record without its machine": (["DELETE FROM machine WHERE number = " + CONTAINER], "has no state"),
    "a cluster without its machine": (["DELETE FROM machine WHERE number = " + CLUSTER], "has no state"),
    "a machine without its record": (
        [NEW_IDENTITY, "UPDATE machine SET number = 90000 WHERE number = " + CONTAINER],
        "record is gone",
    ),
    "under way for no one": ([machine("state = 6, action = 1")], "not in the list"),
    "under way for no request": (
        [machine("state = 6, action = 1, active = 1, request = 0")],
        "without a deployment request",
    ),
    "a cluster that is canceled without a step": (
        [machine("state = 17, action = 1, active = 1", CLUSTER)],
        "end of a step that it did not have",
    ),
    "an unknown state": ([machine("state = 77")], "had a state with an unknown number"),
    "a state beyond a byte": ([machine("state = 265")], "out of its bounds"),
    "at rest with a deadline": ([machine("deadline = 1")], "was at rest"),
    "at rest with a step": ([machine(f"step = {NEW_ID}")], "was at rest"),
    "a machine of another owner": ([machine(f"owner = {PROJECT}")], "belongs to another parent"),
    "a machine of an owner that is gone": ([NEW_IDENTITY, machine("owner = 90000")], "belongs to another parent"),
    "a machine of another partition": (
        [machine("partition = (partition + 1) % 64")],
        "was counted among the work of another organization",
    ),
    "a machine of another family": ([machine("family = 2")], "another family"),
    "an unknown freshness": ([machine("freshness = 9")], "configuration with an unknown number"),
    "no freshness": ([machine("freshness = 0")], "configuration with an unknown number"),
    "an unknown running state": ([machine("running = 20")], "configuration with an unknown number"),
    "an unknown action": ([machine("action = 30")], "configuration with an unknown number"),
    "an unknown configuration": ([machine("configuration = 8")], "configuration with an unknown number"),
    "deployed above the revision": ([machine("deployed = 900")], "has not reached"),
    "configured above the revision": ([machine("configured = 900, configuration = 2")], "has not reached"),
    "outputs that are not JSON": ([machine("outputs = '{'")], "or a commit that are not JSON"),
    "a commit that is not JSON": ([machine("git_commit = 'main'")], "or a commit that are not JSON"),
    "phases that cannot be read": ([machine("phases = '1,2'")], "phases"),
    "a machine of revision 0": ([machine("revision = 0")], "out of its bounds"),
    "a number that is a text": ([machine("attempt = 'many'")], "no integer"),
    # Records.
    "a required member is missing": (
        [f"UPDATE record SET body = json_remove(body, '$.image_name') WHERE number = {CONTAINER}"],
        "is missing",
    ),
    "the name is missing": (
        [f"UPDATE record SET body = json_remove(body, '$.name') WHERE number = {PROJECT}"],
        "is missing",
    ),
    "a member of another type": ([member(CONTAINER, "min_running_instances", '"many"')], "must be"),
    "an object in place of a text": ([member(CONTAINER, "tag", "{}")], "must be"),
    "a value outside of its enumeration": (
        [member(ENVIRONMENT, "mode", '"SOMETIMES"')],
        "not a value of its enumeration",
    ),
    "a text that is not JSON": ([f"UPDATE record SET body = '{{' WHERE number = {PROJECT}"], "not a JSON"),
    "a text that is empty": ([f"UPDATE record SET body = '' WHERE number = {PROJECT}"], "not a JSON"),
    "a text that is not UTF-8": (
        [f"UPDATE record SET body = CAST(x'7b22ff227d' AS TEXT) WHERE number = {PROJECT}"],
        "UTF-8",
    ),
    "a text that is a list": ([f"UPDATE record SET body = '[]' WHERE number = {PROJECT}"], "not a JSON"),
    "a time that is no time": ([member(PROJECT, "created_at", '"yesterday"')], "created_at"),
    "a creation after the last change": ([member(PROJECT, "created_at", '"2300-01-01T00:00:00.000Z"')], "created_at"),
    "a change after the end of the feed": (
        [member(PROJECT, "updated_at", '"2300-01-01T00:00:00.000Z"')],
        "after the last event",
    ),
    "the parent is gone": ([f"DELETE FROM record WHERE number = {PROJECT}"], "is gone"),
    "the parent is of another family": (
        [
            f"UPDATE record SET parent = {CLUSTER} WHERE number = {ENVIRONMENT}",
            f"UPDATE child SET parent = {CLUSTER} WHERE number = {ENVIRONMENT}",
        ],
        "cannot be its parent",
    ),
    "the parent lies below": (
        [
            f"UPDATE record SET parent = {CONTAINER} WHERE number = {ENVIRONMENT}",
            f"UPDATE child SET parent = {CONTAINER} WHERE number = {ENVIRONMENT}",
        ],
        "lies below no organization",
    ),
    "the parent is another one": (
        [f"UPDATE record SET parent = {ORGANIZATION} WHERE number = {ENVIRONMENT}"],
        "not among those below its parent",
    ),
    "the organization is another one": (
        [f"UPDATE record SET organization = {OTHER_ORGANIZATION} WHERE number = {CONTAINER}"],
        "its parent of",
    ),
    "the organization is gone": (
        [NEW_IDENTITY, f"UPDATE record SET organization = 90000 WHERE number = {CONTAINER}"],
        "organization that is gone",
    ),
    "the name key is gone": ([f"UPDATE record SET name_key = NULL WHERE number = {PROJECT}"], "not found by its name"),
    "the name key is another one": (
        [f"UPDATE record SET name_key = x'00' WHERE number = {PROJECT}"],
        "not found by its name",
    ),
    "two of one name": (
        [copied(CONTAINER, "name", OTHER_CONTAINER, "name")],
        "has the same name",
    ),
    "a reference to nowhere": (
        [member(CONTAINER, "registry_id", '"01234567-89ab-8def-8123-456789abcdef"')],
        "refers to nothing",
    ),
    "a reference to another family": (
        [copied(PROJECT, "id", CONTAINER, "registry_id")],
        "refers to a project",
    ),
    "a reference that is not an id": ([member(CONTAINER, "registry_id", '"docker hub"')], "must be a uuid"),
    "rows of references are gone": ([f"DELETE FROM reference WHERE source = {CONTAINER}"], "refer"),
    "a row of a reference too many": ([f"INSERT INTO reference VALUES ({PROJECT}, {CONTAINER})"], "refer"),
    "a reference of a record that is gone": (
        [NEW_IDENTITY, f"INSERT INTO reference VALUES ({PROJECT}, 90000)"],
        "is gone, and refers",
    ),
    "the row below the parent is gone": (
        [f"DELETE FROM child WHERE number = {CONTAINER}"],
        "not among those below its parent",
    ),
    "a row below another parent": (
        [f"INSERT INTO child SELECT {PROJECT}, family, id, number FROM child WHERE number = {CONTAINER}"],
        "not its own",
    ),
    "a row below the parent of another id": (
        [f"UPDATE child SET id = {NEW_ID} WHERE number = {CONTAINER}"],
        "not among those below its parent",
    ),
    "a row below the parent of no record": (
        [NEW_IDENTITY, f"INSERT INTO child VALUES ({PROJECT}, 3, {NEW_ID}, 90000)"],
        "not its own",
    ),
    "revision 0": ([f"UPDATE record SET revision = 0 WHERE number = {PROJECT}"], "revision 0"),
    "a negative revision": ([f"UPDATE record SET revision = -1 WHERE number = {PROJECT}"], "out of its bounds"),
    "a changed id": (
        [f"UPDATE identity SET id = {NEW_ID} WHERE number = {PROJECT}"],
        "not among those below its parent",
    ),
    "an id changed in every table": (
        [
            f"UPDATE identity SET id = {NEW_ID} WHERE number = {PROJECT}",
            f"UPDATE child SET id = {NEW_ID} WHERE number = {PROJECT}",
        ],
        "in its text",
    ),
    "an id changed in the text": ([member(PROJECT, "id", '"01234567-89ab-8def-8123-456789abcdef"')], "in its text"),
    "an id that is cut": ([f"UPDATE identity SET id = x'0102' WHERE number = {PROJECT}"], "not an id of 16 bytes"),
    "an id that is gone": ([f"DELETE FROM identity WHERE number = {PROJECT}"], "has no id"),
    "an unknown family": (
        [
            f"UPDATE record SET family = 999 WHERE number = {PROJECT}",
            f"UPDATE child SET family = 999 WHERE number = {PROJECT}",
        ],
        "family that this library",
    ),
    "another family": ([f"UPDATE record SET family = 40 WHERE number = {PROJECT}"], "not among those below its parent"),
    "a count is wrong": (["UPDATE reference_count SET count = count + 1"], "number of records"),
    "a count for a record that is gone": (
        ["INSERT INTO reference_count VALUES (90000, 3, 1)"],
        "is kept of references",
    ),
    "a count of children that are gone": (["INSERT INTO child_count VALUES (90000, 3, 1)"], "is kept of records"),
    # Tokens, secrets, and coordination of engines.
    "the digest of a token is another one": (
        [f"UPDATE record SET body = json_set(body, '$.sha256', '{'0' * 64}') WHERE number = {TOKEN}"],
        "not found by its name",
    ),
    "the digest of a token is cut": (
        [member(TOKEN, "sha256", '"0123456789"')],
        "SHA-256",
    ),
    "the digest of a token is gone": ([f"DELETE FROM record WHERE number = {TOKEN}"], "not its own"),
    "the digest of a token is found by another key": (
        [f"UPDATE record SET name_key = x'01' WHERE number = {TOKEN}"],
        "not found by its name",
    ),
    "a column of digests": ([f"UPDATE record SET digest = x'00' WHERE number = {PROJECT}"], "has a digest"),
    "secrets that are not JSON": (["UPDATE record SET secrets = 'hunter2' WHERE secrets IS NOT NULL"], "not a JSON"),
    "secrets that are a list": (["UPDATE record SET secrets = '[]' WHERE secrets IS NOT NULL"], "not a JSON"),
    "secrets that look sealed": (
        ["UPDATE record SET secrets = 'sealed1:AAAA' WHERE secrets IS NOT NULL"],
        "not a JSON",
    ),
    "the name of a family": (["UPDATE family SET word = 'box' WHERE word = 'container'"], 'had the name "box"'),
    "a row of retention": (["INSERT INTO retention VALUES (1, 5)"], "holds nothing"),
    "a row of idempotency": (["INSERT INTO idempotency VALUES (1, x'00', 0, x'00', 200, NULL)"], "holds nothing"),
    "a report for no one": (
        [f"INSERT INTO inbox (partition, step, at, kind, running, text) VALUES (47, {NEW_ID}, 0, 7, 0, NULL)"],
        "never started",
    ),
    "a report of the last kind for no one": (
        [f"INSERT INTO inbox (partition, step, at, kind, running, text) VALUES (47, {NEW_ID}, 0, 13, 0, NULL)"],
        "never started",
    ),
    "a report in another partition": (
        [f"INSERT INTO inbox (partition, step, at, kind, running, text) VALUES (5, {NEW_ID}, 0, 7, 0, NULL)"],
        "another partition",
    ),
    "a report of no partition": (
        [f"INSERT INTO inbox (partition, step, at, kind, running, text) VALUES (500, {NEW_ID}, 0, 7, 0, NULL)"],
        "no step",
    ),
    "a report of an unknown kind": (
        [f"INSERT INTO inbox (partition, step, at, kind, running, text) VALUES (47, {NEW_ID}, 0, 70, 0, NULL)"],
        "of the kind 70",
    ),
    "a wake-up for no one": ([NEW_IDENTITY, "INSERT INTO wake VALUES (3, 90000)"], "never there"),
    "a wake-up without an id": (["INSERT INTO wake VALUES (3, 90000)"], "never there"),
    "a wake-up of no partition": ([f"INSERT INTO wake VALUES (64, {ENVIRONMENT})"], "never there"),
    "a lease for no one": ([f"INSERT OR REPLACE INTO lease VALUES (3, {NEW_ID}, 7)"], "no engine uses the store"),
    "a lease of no partition": (["INSERT INTO lease VALUES (64, NULL, 1)"], "no partition"),
    "a lease of no epoch": (["INSERT OR REPLACE INTO lease VALUES (3, NULL, 0)"], "no partition"),
    "an engine that is none": (["INSERT INTO peer VALUES (x'01', 1, 1)"], "engine"),
}
