#!/usr/bin/env bash
# PGlite: all connections of its socket server are one PostgreSQL session.
#
# Versions: npm @electric-sql/pglite 0.5.14 (PostgreSQL 18.6), @electric-sql/pglite-socket 0.2.17, pg 8.23.1.
# Needs Node.js 20.
#
# Guess: with maxConnections: 10, each connection is a session, as with a PostgreSQL server.
# Seen:
#   - All have the process id 42, in the start-up message as well as in pg_backend_pid().
#   - Settings, temporary tables and prepared statements of one connection are there in the others, and stay when the
#     connection that made them ends. So do advisory locks: each connection gets a lock that another one holds.
#   - While one connection is in a transaction, the statements of the others wait.
#   - A notification reaches a connection that listens only if that connection itself sent it.
# What relies on sessions, such as a leader election by advisory locks, passes its tests here and proves nothing.
#
#> process ids: 42 42, of the server: 42 42
#> application_name set by a, read by b: from-a
#> temporary table of a, rows read by b: 1
#> prepared statement of a, executed by b: 7
#> advisory lock 1, tried by a and by b: true true
#> b reads while a is in a transaction: waits, and answers after the commit
#> notification by a, received by b: no
#> notification by b, received by b: yes
#> after a has ended: application_name from-a, temporary table 1 row, locks 1
set -euo pipefail
script=$(realpath "$0")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund \
  @electric-sql/pglite@0.5.14 @electric-sql/pglite-socket@0.2.17 pg@8.23.1 >/dev/null

cat >sessions.mjs <<'END'
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { PGlite } from "@electric-sql/pglite";
import { PGLiteSocketServer } from "@electric-sql/pglite-socket";
import pg from "pg";

const db = await PGlite.create();
const server = new PGLiteSocketServer({ db, host: "127.0.0.1", port: 0, maxConnections: 10 });
await server.start();
const port = Number(server.getServerConn().split(":").pop());
const connect = async () => {
  const client = new pg.Client({ host: "127.0.0.1", port, user: "postgres", database: "postgres" });
  await client.connect();
  return client;
};
const value = async (client, sql) => Object.values((await client.query(sql)).rows[0])[0];

const a = await connect();
const b = await connect();
const pids = [await value(a, "SELECT pg_backend_pid()"), await value(b, "SELECT pg_backend_pid()")];
console.log("process ids:", a.processID, `${b.processID}, of the server:`, ...pids);

await a.query("SET application_name = 'from-a'");
console.log("application_name set by a, read by b:", await value(b, "SHOW application_name"));
await a.query("CREATE TEMPORARY TABLE t AS SELECT 1");
console.log("temporary table of a, rows read by b:", await value(b, "SELECT count(*) FROM t"));
await a.query("PREPARE p AS SELECT 7");
console.log("prepared statement of a, executed by b:", await value(b, "EXECUTE p"));
const locks = [await value(a, "SELECT pg_try_advisory_lock(1)"), await value(b, "SELECT pg_try_advisory_lock(1)")];
console.log("advisory lock 1, tried by a and by b:", ...locks);
await b.query("SELECT pg_advisory_unlock(1)");

await a.query("BEGIN");
const read = value(b, "SELECT 1");
const early = await Promise.race([read, pause(1000, "waits")]);
await a.query("COMMIT");
const late = (await read) === 1 ? "answers after the commit" : "fails";
console.log("b reads while a is in a transaction:", `${early}, and ${late}`);

await b.query("LISTEN c");
for (const [name, sender] of Object.entries({ a, b })) {
  const received = once(b, "notification").then(([message]) => (message.payload === name ? "yes" : message.payload));
  await sender.query(`NOTIFY c, '${name}'`);
  console.log(`notification by ${name}, received by b:`, await Promise.race([received, pause(1000, "no")]));
}

await a.end();
await pause(200);
const left = [await value(b, "SHOW application_name"), await value(b, "SELECT count(*) FROM t")];
const held = await value(b, "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'");
console.log(`after a has ended: application_name ${left[0]}, temporary table ${left[1]} row, locks ${held}`);
process.exit();
END
timeout 120 node sessions.mjs >seen
sed -n 's/^#> \{0,1\}//p' "$script" | diff - seen && cat seen
