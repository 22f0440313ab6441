#!/usr/bin/env bash
# Caddy: a change of one route closes the WebSockets and kept connections of all routes. HAProxy's runtime API closes
# none.
#
# Versions: Debian 12 caddy 2.6.2 and haproxy 2.6.12. Needs Python.
#
# Guess: both have an interface for changes while they run, so that connections to other servers stay.
# Seen: Caddy loads the whole configuration anew at each change by its admin API, and closes the servers of the former
# one: WebSockets at once, with grace_period as well, kept connections when they are idle. A client that sends POST on
# a kept connection gets a reset at that moment. A change without a difference closes nothing. HAProxy adds a server
# and an entry of a map, takes the old server out, and all connections stay, also those of the changed route.
#
#> caddy: the change of another route: kept connection closed, WebSocket closed
#> caddy: the same again: kept connection open, WebSocket open
#> haproxy: the change of another route: kept connection open, WebSocket open
#> haproxy: the change of this route: kept connection open, WebSocket open
set -euo pipefail
script=$(realpath "$0")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
PATH=$PATH:/usr/sbin

cat >changes.py <<'END'
import contextlib
import http.client
import json
import os
import socket
import socketserver
import subprocess
import threading
import time
import urllib.request


class Handler(socketserver.StreamRequestHandler):
    def handle(self):
        while line := self.rfile.readline():
            is_socket = False
            while (header := self.rfile.readline().strip().lower()) != b"":
                is_socket = is_socket or header == b"upgrade: websocket"
            if is_socket:
                accept = "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="  # of the key below, from RFC 6455
                head = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                self.wfile.write(f"{head}Sec-WebSocket-Accept: {accept}\r\n\r\n".encode())
                while data := self.connection.recv(100):
                    self.connection.sendall(data)
                return
            self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")


class Server(socketserver.ThreadingTCPServer):
    daemon_threads = True

    def handle_error(self, request, client_address):
        pass  # the proxy has closed the connection


def server():
    one = Server(("127.0.0.1", 0), Handler)
    threading.Thread(target=one.serve_forever, daemon=True).start()
    return f"127.0.0.1:{one.server_address[1]}"


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


class Client:
    def __init__(self, port):
        self.kept = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
        self.kept.connect()
        assert self.request()
        self.socket = socket.create_connection(("127.0.0.1", port), 5)
        self.socket.sendall(
            b"GET / HTTP/1.1\r\nHost: a.localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
        )
        assert b" 101 " in self.socket.recv(1000)

    def request(self):
        self.kept.auto_open = 0
        self.kept.request("POST", "/", headers={"Host": "a.localhost"})
        return self.kept.getresponse().read() == b"ok"

    def echoes(self):
        self.socket.sendall(b"\x81\x84....\x00\x00\x00\x00")
        return self.socket.recv(100)[:1] == b"\x81"

    def state(self):
        words = []
        for name, check in (("kept connection", self.request), ("WebSocket", self.echoes)):
            is_open = False
            with contextlib.suppress(OSError, http.client.HTTPException):
                is_open = check()
            words.append(f"{name} {'open' if is_open else 'closed'}")
        return ", ".join(words)


def until(attempt):
    for _ in range(200):
        with contextlib.suppress(OSError):
            return attempt()
        time.sleep(0.05)
    raise SystemExit("a proxy does not answer")


def caddy():
    port, admin = free_port(), free_port()

    def send(method, path, body):
        request = urllib.request.Request(f"http://127.0.0.1:{admin}{path}", json.dumps(body).encode(), method=method)
        request.add_header("Content-Type", "application/json")
        urllib.request.urlopen(request).read()

    def route(name, address):
        handler = {"handler": "reverse_proxy", "upstreams": [{"dial": address}]}
        return {"@id": name, "match": [{"host": [f"{name}.localhost"]}], "handle": [handler]}

    routes = [route("a", server()), route("b", server())]
    https = {"disable": True}
    one = {"listen": [f"127.0.0.1:{port}"], "automatic_https": https, "routes": routes}
    apps = {"http": {"grace_period": "10s", "servers": {"s": one}}}
    with open("caddy.json", "w") as file:
        json.dump({"admin": {"listen": f"127.0.0.1:{admin}"}, "apps": apps}, file)
    homes = {name: os.getcwd() for name in ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME")}
    command = ["caddy", "run", "--config", "caddy.json"]
    process = subprocess.Popen(command, env={**os.environ, **homes}, stderr=subprocess.DEVNULL)
    try:
        client, changed = until(lambda: Client(port)), [{"dial": server()}]
        for words in ("the change of another route", "the same again"):
            send("PATCH", "/id/b/handle/0/upstreams", changed)
            time.sleep(1)
            print(f"caddy: {words}: {client.state()}")
            client = Client(port)
    finally:
        process.kill()
        process.wait()


def haproxy():
    port = free_port()
    with open("haproxy.cfg", "w") as file:
        file.write(
            "global\n stats socket unix@haproxy.sock mode 600 level admin\n"
            "defaults\n mode http\n timeout connect 5s\n timeout client 9s\n timeout server 9s\n"
            f"frontend public\n bind 127.0.0.1:{port}\n use_backend %[req.hdr(host),map(routes.map)]\n"
            f"backend a\n server first {server()}\nbackend b\n server first {server()}\n"
        )
    with open("routes.map", "w") as file:
        file.write("a.localhost a\nb.localhost b\n")
    process = subprocess.Popen(["haproxy", "-db", "-f", "haproxy.cfg"], stderr=subprocess.DEVNULL)

    def send(*commands):
        for command in commands:
            with socket.socket(socket.AF_UNIX) as connection:
                connection.connect("haproxy.sock")
                connection.sendall(command.encode() + b"\n")
                while connection.recv(1000):
                    pass

    try:
        client = until(lambda: Client(port))
        for words, backend in (("the change of another route", "b"), ("the change of this route", "a")):
            send(f"add server {backend}/second {server()}", f"set server {backend}/second state ready")
            send(f"set server {backend}/first state drain", f"add map routes.map {backend}2.localhost {backend}")
            time.sleep(1)
            print(f"haproxy: {words}: {client.state()}")
    finally:
        process.kill()
        process.wait()


caddy()
haproxy()
END
python3 changes.py >seen
sed -n 's/^#> \{0,1\}//p' "$script" | diff - seen && cat seen
