#!/usr/bin/env bash
# SQLite: the change counter of a file stays while commits go by, and a copy by the backup API begins with counters of
# 1.
#
# Version: SQLite 3.54.1 (PyPI apsw 3.54.1.0). Needs Python.
#
# Guess: the file change counter in the header grows with each commit, and a copy has the counters of its source.
# Seen:
#   - In WAL mode, 20 commits and two checkpoints leave the change counter as it was, and five CREATE TABLE raise it
#     by one. PRAGMA data_version of another connection notices the commits.
#   - A copy by the backup API has a change counter and a schema cookie that go on from those of the target: 1 and 1
#     in a new file, and one more with each backup to the same file, also if nothing has changed.
#   - VACUUM INTO starts the change counter at 1 and raises the schema cookie; serialize() keeps both.
# Neither field tells a copy from its source, an old copy from a new one, or whether a file has changed.
#
#> SQLite 3.54.1
#> 11 commits with a rollback journal: change counter 11, schema cookie 1
#> after the change to WAL mode: change counter 12, schema cookie 1
#> data_version of another connection has changed: True
#> 20 more commits and 2 checkpoints: change counter 12, schema cookie 1
#> 5 tables and a checkpoint: change counter 13, schema cookie 6
#> copy, first backup: change counter 1, schema cookie 1
#> copy, second backup: change counter 2, schema cookie 2
#> VACUUM INTO: change counter 1, schema cookie 7
#> serialize(): change counter 13, schema cookie 6
set -euo pipefail
script=$(realpath "$0")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install -q --disable-pip-version-check apsw==3.54.1.0

cat >counters.py <<'END'
import struct

import apsw


def shown(name, header):
    change, = struct.unpack(">I", header[24:28])
    cookie, = struct.unpack(">I", header[40:44])
    print(f"{name}: change counter {change}, schema cookie {cookie}")


def header(path):
    with open(path, "rb") as file:
        return file.read(100)


print("SQLite", apsw.sqlite_lib_version())
source, other = apsw.Connection("source.db"), apsw.Connection("source.db")
source.execute("CREATE TABLE t (x)")
for _ in range(10):
    source.execute("INSERT INTO t VALUES (1)")
shown("11 commits with a rollback journal", header("source.db"))
source.execute("PRAGMA journal_mode = WAL")
shown("after the change to WAL mode", header("source.db"))
before = other.execute("PRAGMA data_version").get
for _ in range(2):
    for _ in range(10):
        source.execute("INSERT INTO t VALUES (1)")
    source.execute("PRAGMA wal_checkpoint(TRUNCATE)")
print("data_version of another connection has changed:", other.execute("PRAGMA data_version").get != before)
shown("20 more commits and 2 checkpoints", header("source.db"))
for number in range(5):
    source.execute(f"CREATE TABLE t{number} (x)")
source.execute("PRAGMA wal_checkpoint(TRUNCATE)")
shown("5 tables and a checkpoint", header("source.db"))
for times in "first", "second":
    target = apsw.Connection("copy.db")
    with target.backup("main", source, "main") as backup:
        backup.step()
    target.close()
    shown(f"copy, {times} backup", header("copy.db"))
source.execute("VACUUM INTO 'vacuumed.db'")
shown("VACUUM INTO", header("vacuumed.db"))
shown("serialize()", source.serialize("main"))
END
venv/bin/python counters.py >seen
sed -n 's/^#> \{0,1\}//p' "$script" | diff - seen && cat seen
