#!/usr/bin/env python3
"""A PostgreSQL server for the tests, with TLS and with a pooler in transaction mode in front of it. Everything
lies in one temporary directory.

usage: server.py start FILE [--durable] [--standby]   makes and starts it, and writes the connection strings to FILE,
one NAME=VALUE on each line
       server.py promote FILE                         kills the server, and makes its standby the primary
       server.py stop FILE                            stops it and removes the directory

ORLOP_TEST_POSTGRESQL names the directory of another server's programs (initdb, pg_ctl); clients are those of the newest
server that is installed. With --standby a second server follows the first one, and has applied each commit before the
first one answers it.
"""

import contextlib
import os
import pathlib
import pwd
import shutil
import socket
import subprocess
import sys
import tempfile

CLIENTS = sorted(pathlib.Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))[
    -1
].parent
SERVER = pathlib.Path(os.environ.get("ORLOP_TEST_POSTGRESQL", CLIENTS))


def unprivileged() -> list[str]:
    """Returns the command prefix that runs a command as a user that the server accepts: it refuses root."""
    if os.getuid() != 0:
        return []
    names = {entry.pw_name for entry in pwd.getpwall()}
    unprivileged = "65534"  # the user without permissions on Linux
    return [
        "setpriv",
        f"--reuid={'postgres' if 'postgres' in names else unprivileged}",
        "--regid=nogroup",
        "--clear-groups",
    ]


def run(*command: str | pathlib.Path) -> None:
    done = subprocess.run(
        [*unprivileged(), *map(str, command)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        cwd="/",
        text=True,
    )
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(map(str, command))} failed:\n{done.stdout}")


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def make_directory() -> pathlib.Path:
    place = pathlib.Path(
        tempfile.mkdtemp(prefix="orlop-pg-", dir="/tmp")
    )  # short: the path of a socket has at most 107 bytes
    if os.getuid() == 0:
        user = pwd.getpwnam(unprivileged()[1].split("=")[1])
        os.chown(place, user.pw_uid, user.pw_gid)
    place.chmod(0o755)
    return place


def start_server(place: pathlib.Path, durable: bool, is_followed: bool = False) -> int:
    data, port = place / "data", free_port()
    run(
        SERVER / "initdb",
        "--pgdata",
        data,
        "--username=orlop",
        "--auth=trust",
        "--encoding=UTF8",
        "--locale=C.UTF-8",
        "--no-sync",
    )
    run(
        "openssl",
        "req",
        "-x509",
        "-newkey",
        "rsa:2048",
        "-nodes",
        "-days",
        "2",
        "-subj",
        "/CN=localhost",
        "-addext",
        "subjectAltName=DNS:localhost",
        "-keyout",
        place / "server.key",
        "-out",
        place / "server.crt",
    )
    settings = f"""
listen_addresses = '127.0.0.1'
port = {port}
unix_socket_directories = '{place}'
max_connections = 300
ssl = on
ssl_cert_file = '{place}/server.crt'
ssl_key_file = '{place}/server.key'
"""
    settings += "" if durable else "fsync = off\nfull_page_writes = off\n"
    if is_followed:
        settings += "synchronous_commit = remote_apply\n"
    elif not durable:
        settings += "synchronous_commit = off\n"
    run("sh", "-c", f"printf '%s' \"$1\" >> {data}/postgresql.conf", "sh", settings)
    run(SERVER / "pg_ctl", "--pgdata", data, "--log", place / "server.log", "--wait", "start")
    run(CLIENTS / "createdb", "--host", place, "--port", str(port), "--username=orlop", "platform")
    return port


def start_standby(place: pathlib.Path, primary_port: int) -> int:
    data, port = place / "standby", free_port()
    run(
        CLIENTS / "pg_basebackup",
        f"--dbname=host={place} port={primary_port} user=orlop application_name=standby",
        "--pgdata",
        data,
        "--write-recovery-conf",
        "--checkpoint=fast",
    )
    # As the primary it has no standby to wait for.
    run(
        "sh",
        "-c",
        f"printf '%s' \"$1\" >> {data}/postgresql.conf",
        "sh",
        f"port = {port}\nsynchronous_standby_names = ''\n",
    )
    run("chmod", "0700", data)
    run(SERVER / "pg_ctl", "--pgdata", data, "--log", place / "standby.log", "--wait", "start")
    waits = "ALTER SYSTEM SET synchronous_standby_names = '*'"
    run(
        CLIENTS / "psql",
        "--host",
        place,
        "--port",
        str(primary_port),
        "--username=orlop",
        "--dbname=platform",
        "--command",
        waits,
    )
    run(
        CLIENTS / "psql",
        "--host",
        place,
        "--port",
        str(primary_port),
        "--username=orlop",
        "--dbname=platform",
        "--command",
        "SELECT pg_reload_conf()",
    )
    return port


def start_pooler(place: pathlib.Path, server_port: int) -> int:
    port = free_port()
    settings = f"""[databases]
platform = host={place} port={server_port} dbname=platform user=orlop
alone = host={place} port={server_port} dbname=platform user=orlop pool_size=1
statements = host={place} port={server_port} dbname=platform user=orlop pool_mode=statement
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 100
max_client_conn = 500
logfile = {place}/pooler.log
pidfile = {place}/pooler.pid
"""
    run("sh", "-c", f"printf '%s' \"$1\" > {place}/pooler.ini", "sh", settings)
    run("pgbouncer", "-d", place / "pooler.ini")
    return port


def start(file: pathlib.Path, durable: bool, has_standby: bool) -> None:
    if file.exists():
        stop(file)
    place = make_directory()
    lines = [f"directory={place}"]
    try:
        port = start_server(place, durable, has_standby)
        lines.append(f"direct=host={place} port={port} user=orlop dbname=platform")
        lines.append(
            f"tls=postgresql://orlop@localhost:{port}/"
            f"platform?hostaddr=127.0.0.1&sslmode=verify-full&sslrootcert={place}/server.crt"
        )
        if has_standby:
            standby = start_standby(place, port)
            lines.append(
                f"both=postgresql://orlop@127.0.0.1:{port},127.0.0.1:{standby}/platform?target_session_attrs=read-write"
            )
        elif shutil.which("pgbouncer"):
            lines.append(f"pooled=postgresql://orlop@127.0.0.1:{start_pooler(place, port)}/platform")
    finally:
        file.write_text("\n".join(lines) + "\n", encoding="utf-8")


def directory_in(file: pathlib.Path) -> pathlib.Path:
    values = dict(line.split("=", 1) for line in file.read_text(encoding="utf-8").splitlines())
    return pathlib.Path(values["directory"])


def promote(file: pathlib.Path) -> None:
    place = directory_in(file)
    # The standby is paused while the primary commits a few more transactions: those that the primary answers now, and
    # that are lost, were answered too early.
    psql = f"{CLIENTS}/psql --host={place} --username=orlop --dbname=platform --tuples-only --no-align"
    standby, primary = (f"--port=$(sed -n 4p {place}/{data}/postmaster.pid)" for data in ("standby", "data"))
    run(
        "sh",
        "-c",
        f"receiver=$({psql} {standby} --command='SELECT pid FROM pg_stat_wal_receiver') && kill -STOP $receiver && "
        f"for n in 1 2 3 4 5; do {psql} {primary} --command='SELECT pg_current_wal_lsn()'; done; "
        f"kill -9 $(head -1 {place}/data/postmaster.pid); kill -CONT $receiver",
    )
    run(SERVER / "pg_ctl", "--pgdata", place / "standby", "--wait", "promote")


def stop(file: pathlib.Path) -> None:
    if not file.exists():
        return
    place = directory_in(file)
    pooler = place / "pooler.pid"
    if pooler.exists():
        with contextlib.suppress(ProcessLookupError):  # a killed pooler has left the file behind
            os.kill(int(pooler.read_text()), 15)
    for data in ("standby", "data"):
        if not (place / data / "postmaster.pid").exists():
            continue
        # A killed server has left the file behind.
        stopped = [
            *unprivileged(),
            str(SERVER / "pg_ctl"),
            "--pgdata",
            str(place / data),
            "--mode=immediate",
            "--wait",
            "stop",
        ]
        subprocess.run(
            stopped,
            check=False,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd="/",
        )
    if place.name.startswith("orlop-pg-"):
        shutil.rmtree(place)
    file.unlink()


def main() -> None:
    match sys.argv[1:]:
        case ["start", file, *flags] if set(flags) <= {"--durable", "--standby"}:
            start(pathlib.Path(file), "--durable" in flags, "--standby" in flags)
        case ["promote", file]:
            promote(pathlib.Path(file))
        case ["stop", file]:
            stop(pathlib.Path(file))
        case _:
            raise SystemExit(__doc__)


main()
