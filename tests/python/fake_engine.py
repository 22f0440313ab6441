"""A container engine in memory that serves a part of the Docker Engine API on a socket, with faults.

Containers do nothing but answer HTTP on their published ports. The first argument of a container says how it behaves:
"exit CODE [OUTPUTS]" ends at once, "unready" answers 503, everything else answers 200.
"""

from __future__ import annotations

import contextlib
import http.server
import io
import json
import re
import shutil
import socketserver
import tarfile
import tempfile
import threading
import urllib.parse
from collections.abc import Callable
from typing import Any

OUTPUTS = "/platform-output/platform-output.json"


class _Page(http.server.BaseHTTPRequestHandler):
    status = 200

    def do_GET(self) -> None:
        self.send_response(self.status)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, format: str, *args: Any) -> None:
        pass


class _Unready(_Page):
    status = 503


class FakeEngine:
    """The state of the engine. `cut_before` and `cut_after` are numbers of writing requests whose connection is closed
    without an answer, before or after their effect; `fail` those that get a 500 without an effect. `faults` are the
    same of any requests, by their numbers: "before", "after", "fail", "hang" (the effect, and no answer), "lie" (the
    effect, and a 500), or a function that is called before the effect."""

    def __init__(self) -> None:
        self.containers: dict[str, dict[str, Any]] = {}
        self.images: dict[str, dict[str, Any]] = {}
        self.networks: dict[str, dict[str, Any]] = {}
        self.volumes: dict[str, dict[str, Any]] = {}
        self.writes: list[str] = []
        self.archives: list[bytes] = []
        self.registry: dict[str, dict[str, Any]] = {}  # images that a pull finds
        self.auths: list[str] = []
        self.version_least = 41  # of the API: 1.41
        self.cut_before: set[int] = set()
        self.cut_after: set[int] = set()
        self.fail: set[int] = set()
        self.requests: list[str] = []
        self.started: list[str] = []  # names of containers
        self.faults: dict[int, str | Callable[[], object]] = {}
        self.on_write: Callable[[str, int], object] = lambda when, number: None  # "before" or "after" its effect
        self.slow_pull: threading.Event | None = None  # a pull sends one line, and ends when it is set
        self.over = threading.Event()
        self.reserved = 0  # creations that are refused, as if a killed host's call were not finished
        self._ids = 0
        self._lock = threading.RLock()
        engine = self

        class Handler(_Handler):
            fake = engine

        self._folder = tempfile.mkdtemp(prefix="fake-engine-")
        self._server = _Server(f"{self._folder}/engine.sock", Handler)
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()
        self.address = f"unix://{self._folder}/engine.sock"

    def close(self) -> None:
        self.over.set()
        self._server.shutdown()
        self._server.server_close()
        shutil.rmtree(self._folder, ignore_errors=True)
        for container in self.containers.values():
            self._end(container, 137)

    def add_image(self, reference: str, labels: dict[str, str] | None = None) -> str:
        with self._lock:
            image = {"Id": self._new_id("sha256:"), "RepoTags": [reference], "RepoDigests": [], "Labels": labels or {}}
            self.images[reference] = {**image, "Architecture": "amd64", "Os": "linux", "Created": len(self.images)}
            return str(image["Id"])

    def running(self) -> list[str]:
        with self._lock:
            return sorted(one["Name"][1:] for one in self.containers.values() if one["State"]["Running"])

    def kill(self, name: str, code: int = 137) -> None:
        with self._lock:
            self._end(self._container(name), code)

    def vanish(self, name: str) -> None:
        with self._lock:
            container = self._container(name)
            self._end(container, 137)
            del self.containers[container["Id"]]

    # ---- Requests ----
    def answer(self, method: str, path: str, query: dict[str, str], body: bytes) -> tuple[int, Any]:
        for verb, pattern, function in _ROUTES:
            matched = re.fullmatch(pattern, path)
            if verb == method and matched:
                names = [urllib.parse.unquote(name) for name in matched.groups()]
                with self._lock:
                    if path.startswith("/containers/") and names and self._container(names[0]) is None:
                        return 404, {"message": f"no such container: {names[0]}"}
                    status, answer = function(self, query, body, *names)
                return status, answer
        return 404, {"message": f"page not found: {method} {path}"}

    def fault(self, method: str, path: str) -> tuple[str, int]:
        """Counts a request. Returns "before", "after", "fail", "hang", "lie" or "", and its number among those that
        write, -1 if it does not."""
        with self._lock:
            found = self.faults.get(len(self.requests), "")
            self.requests.append(f"{method} {path}")
            if callable(found):
                found()
                found = ""
            if method in ("GET", "HEAD"):
                return found, -1
            number = len(self.writes)
            self.writes.append(f"{method} {path}")
        for name, numbers in (("before", self.cut_before), ("after", self.cut_after), ("fail", self.fail)):
            if number in numbers:
                return name, number
        return found, number

    def version(self, query: Any, body: Any) -> tuple[int, Any]:
        return 200, {"ApiVersion": "1.41", "MinAPIVersion": "1.12"}

    def list_containers(self, query: dict[str, str], body: Any) -> tuple[int, Any]:
        found = []
        for one in self.containers.values():
            labels = one["Config"]["Labels"]
            if _has_labels(labels, query):
                shown = {"Id": one["Id"], "Names": [one["Name"]], "Labels": labels, "ImageID": one["Image"]}
                shown["Ports"] = [
                    {
                        "IP": "127.0.0.1",
                        "PrivatePort": int(key[:-4]),
                        "PublicPort": int(bound[0]["HostPort"]),
                        "Type": "tcp",
                    }
                    for key, bound in one["NetworkSettings"]["Ports"].items()
                ]
                found.append({**shown, "State": one["State"]["Status"], "Created": 0})
        return 200, found

    def create_container(self, query: dict[str, str], body: bytes) -> tuple[int, Any]:
        name = "/" + query["name"]
        if self._is_reserved() or any(one["Name"] == name for one in self.containers.values()):
            return 500, {"message": f"the name {name} is already in use"}  # as Podman; Docker: 409
        given = json.loads(body)
        image = self._image(given["Image"])
        if image is None:
            return 404, {"message": "no such image"}
        for network in given["NetworkingConfig"]["EndpointsConfig"]:
            if all(known["Name"] != network for known in self.networks.values()):
                return 404, {"message": f"network {network} not found"}
        state = {"Running": False, "Status": "created", "StartedAt": "0001-01-01T00:00:00Z", "ExitCode": 0}
        made = {
            "Id": self._new_id(""),
            "Name": name,
            "Config": {**given, "Tty": False},
            "Image": image["Id"],
            "RestartCount": 0,
        }
        made.update(State=state, HostConfig=given["HostConfig"], NetworkSettings={"Ports": {}}, files={}, servers=[])
        self.containers[made["Id"]] = made
        return 201, {"Id": made["Id"], "Warnings": []}

    def inspect_container(self, query: Any, body: Any, name: str) -> tuple[int, Any]:
        found = self._container(name)
        return 200, {key: value for key, value in found.items() if key not in ("files", "servers")}

    def start_container(self, query: Any, body: Any, name: str) -> tuple[int, Any]:
        found = self._container(name)
        if found["State"]["Running"]:
            return 304, None
        self.started.append(found["Name"][1:])
        command = found["Config"].get("Cmd") or []
        state = {"Running": True, "Status": "running", "StartedAt": "2026-01-01T00:00:00Z", "ExitCode": 0}
        found["State"] = state
        if command[:1] == ["exit"]:
            if len(command) > 2:
                found["files"][OUTPUTS] = command[2].encode()
            self._end(found, int(command[1]))
            return 204, None
        page = _Unready if command[:1] == ["unready"] else _Page
        for key in found["HostConfig"].get("PortBindings") or {}:
            server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), page)
            threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
            found["servers"].append(server)
            port = str(server.server_address[1])
            found["NetworkSettings"]["Ports"][key] = [{"HostIp": "127.0.0.1", "HostPort": port}]
        return 204, None

    def stop_container(self, query: Any, body: Any, name: str) -> tuple[int, Any]:
        found = self._container(name)
        if not found["State"]["Running"]:
            return 304, None
        self._end(found, 143)
        return 204, None

    def restart_container(self, query: Any, body: Any, name: str) -> tuple[int, Any]:
        found = self._container(name)
        self._end(found, 143)
        return self.start_container(query, body, name)

    def remove_container(self, query: Any, body: Any, name: str) -> tuple[int, Any]:
        found = self._container(name)
        self._end(found, 137)
        del self.containers[found["Id"]]
        return 204, None

    def rename_container(self, query: dict[str, str], body: Any, name: str) -> tuple[int, Any]:
        self._container(name)["Name"] = "/" + query["name"]
        return 204, None

    def logs(self, query: Any, body: Any, name: str) -> tuple[int, Any]:
        found = self._container(name)
        text = f"log of {found['Name'][1:]}\n".encode()
        return 200, b"\x01\x00\x00\x00" + len(text).to_bytes(4, "big") + text

    def put_archive(self, query: Any, body: bytes, name: str) -> tuple[int, Any]:
        self.archives.append(body)
        with tarfile.open(fileobj=io.BytesIO(body)) as archive:
            for member in archive:
                opened = archive.extractfile(member)
                if opened is not None:
                    self._container(name)["files"]["/" + member.name] = opened.read()
        return 200, None

    def get_archive(self, query: dict[str, str], body: Any, name: str) -> tuple[int, Any]:
        content = self._container(name)["files"].get(query["path"])
        if content is None:
            return 404, {"message": "no such file"}
        packed = io.BytesIO()
        with tarfile.open(fileobj=packed, mode="w") as archive:
            entry = tarfile.TarInfo("file")
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
        return 200, packed.getvalue()

    def inspect_image(self, query: Any, body: Any, name: str) -> tuple[int, Any]:
        found = self._image(name)
        return (200, found) if found else (404, {"message": "no such image"})

    def list_images(self, query: dict[str, str], body: Any) -> tuple[int, Any]:
        return 200, [one for one in self.images.values() if _has_labels(one["Labels"], query)]

    def pull(self, query: dict[str, str], body: Any) -> tuple[int, Any]:
        reference = f"{query['fromImage']}:{query['tag']}"
        if reference not in self.registry:
            return 200, {"errorDetail": {"message": "manifest unknown"}, "error": "manifest unknown"}
        self.add_image(reference)
        return 200, {"status": "Pull complete"}

    def remove_image(self, query: Any, body: Any, name: str) -> tuple[int, Any]:
        found = self._image(name)
        if found is not None:
            self.images = {key: one for key, one in self.images.items() if one["Id"] != found["Id"]}
        return 200, []

    def list_networks(self, query: dict[str, str], body: Any) -> tuple[int, Any]:
        return 200, [one for one in self.networks.values() if _has_labels(one["Labels"], query)]

    def create_network(self, query: Any, body: bytes) -> tuple[int, Any]:
        given = json.loads(body)
        if self._is_reserved() or any(one["Name"] == given["Name"] for one in self.networks.values()):
            return 500, {"message": "network name already used"}
        made = {"Id": self._new_id(""), "Name": given["Name"], "Labels": given["Labels"]}
        self.networks[made["Id"]] = made
        return 201, made

    def inspect_network(self, query: Any, body: Any, name: str) -> tuple[int, Any]:
        found = self.networks.get(name)
        return (200, found) if found else (404, {"message": "no such network"})

    def remove_network(self, query: Any, body: Any, name: str) -> tuple[int, Any]:
        network = self.networks.get(name, {}).get("Name")
        if any(one["HostConfig"]["NetworkMode"] == network for one in self.containers.values()):
            return 500, {"message": "network has active endpoints"}
        return (204, None) if self.networks.pop(name, None) else (404, {"message": "no such network"})

    def list_volumes(self, query: dict[str, str], body: Any) -> tuple[int, Any]:
        return 200, {"Volumes": [one for one in self.volumes.values() if _has_labels(one["Labels"], query)]}

    def create_volume(self, query: Any, body: bytes) -> tuple[int, Any]:
        given = json.loads(body)
        return 201, self.volumes.setdefault(given["Name"], given)  # the old labels, as both engines

    def inspect_volume(self, query: Any, body: Any, name: str) -> tuple[int, Any]:
        return (200, self.volumes[name]) if name in self.volumes else (404, {"message": "no such volume"})

    def remove_volume(self, query: Any, body: Any, name: str) -> tuple[int, Any]:
        return (204, None) if self.volumes.pop(name, None) else (404, {"message": "no such volume"})

    # ---- Parts ----
    def _is_reserved(self) -> bool:
        self.reserved -= 1
        return self.reserved >= 0

    def _new_id(self, prefix: str) -> str:
        self._ids += 1
        return f"{prefix}{self._ids:064x}"

    def _container(self, name: str) -> Any:
        for one in self.containers.values():
            if name in (one["Id"], one["Name"][1:]):
                return one
        return None

    def _image(self, name: str) -> Any:
        for reference, image in self.images.items():
            if name in (reference, image["Id"]):
                return image
        return None

    def _end(self, container: Any, code: int) -> None:
        if container["State"]["Running"]:
            container["State"] = {**container["State"], "Running": False, "Status": "exited", "ExitCode": code}
        for server in container["servers"]:
            server.shutdown()
            server.server_close()
        container["servers"] = []
        container["NetworkSettings"]["Ports"] = {}


def _has_labels(labels: dict[str, str], query: dict[str, str]) -> bool:
    wanted = json.loads(query.get("filters") or "{}").get("label", [])
    pairs = [str(one).partition("=") for one in wanted]
    return all(labels.get(key) == value for key, _, value in pairs)


_ONE = r"/([^/]+)"
_ROUTES: list[tuple[str, str, Any]] = [
    ("GET", "/version", FakeEngine.version),
    ("GET", "/containers/json", FakeEngine.list_containers),
    ("POST", "/containers/create", FakeEngine.create_container),
    ("GET", f"/containers{_ONE}/json", FakeEngine.inspect_container),
    ("POST", f"/containers{_ONE}/start", FakeEngine.start_container),
    ("POST", f"/containers{_ONE}/stop", FakeEngine.stop_container),
    ("POST", f"/containers{_ONE}/restart", FakeEngine.restart_container),
    ("POST", f"/containers{_ONE}/rename", FakeEngine.rename_container),
    ("GET", f"/containers{_ONE}/logs", FakeEngine.logs),
    ("PUT", f"/containers{_ONE}/archive", FakeEngine.put_archive),
    ("GET", f"/containers{_ONE}/archive", FakeEngine.get_archive),
    ("DELETE", f"/containers{_ONE}", FakeEngine.remove_container),
    ("GET", "/images/json", FakeEngine.list_images),
    ("POST", "/images/create", FakeEngine.pull),
    ("GET", "/images/(.+)/json", FakeEngine.inspect_image),
    ("DELETE", "/images/(.+)", FakeEngine.remove_image),
    ("GET", "/networks", FakeEngine.list_networks),
    ("POST", "/networks/create", FakeEngine.create_network),
    ("GET", f"/networks{_ONE}", FakeEngine.inspect_network),
    ("DELETE", f"/networks{_ONE}", FakeEngine.remove_network),
    ("GET", "/volumes", FakeEngine.list_volumes),
    ("POST", "/volumes/create", FakeEngine.create_volume),
    ("GET", f"/volumes{_ONE}", FakeEngine.inspect_volume),
    ("DELETE", f"/volumes{_ONE}", FakeEngine.remove_volume),
]


class _Server(socketserver.ThreadingUnixStreamServer):
    daemon_threads = True
    request_queue_size = 128


class _Handler(http.server.BaseHTTPRequestHandler):
    fake: FakeEngine
    protocol_version = "HTTP/1.1"

    def _serve(self) -> None:
        url = urllib.parse.urlsplit(self.path)
        version = re.match(r"/v1\.(\d+)", url.path)
        path = re.sub(r"^/v1\.\d+", "", url.path)
        query = {key: values[0] for key, values in urllib.parse.parse_qs(url.query).items()}
        body = self._body()
        if self.headers.get("X-Registry-Auth"):
            self.fake.auths.append(str(self.headers["X-Registry-Auth"]))
        fault, number = self.fake.fault(self.command, path)
        if number >= 0:
            self.fake.on_write("before", number)
        status, answer = (500, {"message": "fault"}) if fault == "fail" else (0, None)
        if version and int(version[1]) < self.fake.version_least:
            least = f"1.{self.fake.version_least}"
            status, answer = 400, {"message": f"client version is too old. Minimum supported API version is {least}"}
        elif fault not in ("fail", "before"):
            status, answer = self.fake.answer(self.command, path, query, body)
        if number >= 0:
            self.fake.on_write("after", number)
        if fault == "lie":
            status, answer = 500, {"message": "fault"}
        if fault == "hang":
            self.fake.over.wait()
        if fault in ("before", "after", "hang"):
            self.close_connection = True
            with contextlib.suppress(OSError):
                self.connection.shutdown(2)
            return
        if path == "/images/create" and self.fake.slow_pull is not None:
            self._send_slowly(self.fake.slow_pull)
            return
        content = answer if isinstance(answer, bytes) else b"" if answer is None else json.dumps(answer).encode()
        self.send_response(status)
        kind = "application/octet-stream" if isinstance(answer, bytes) else "application/json"
        self.send_header("Content-Type", kind)
        if path.endswith("/archive"):
            self.send_header("X-Docker-Container-Path-Stat", "e30=")
        if status not in (204, 304):
            self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if status not in (204, 304):
            self.wfile.write(content)

    do_GET = do_POST = do_PUT = do_DELETE = do_HEAD = _serve

    def _send_slowly(self, end: threading.Event) -> None:
        line = json.dumps({"status": "Pulling"}).encode() + b"\n"
        self.send_response(200)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        self.wfile.write(b"%x\r\n%s\r\n" % (len(line), line))
        end.wait()
        with contextlib.suppress(OSError):
            self.wfile.write(b"0\r\n\r\n")

    def _body(self) -> bytes:
        if self.headers.get("Transfer-Encoding") == "chunked":
            content = b""
            while size := int(self.rfile.readline().strip() or b"0", 16):
                content += self.rfile.read(size)
                self.rfile.readline()
            self.rfile.readline()
            return content
        return self.rfile.read(int(self.headers.get("Content-Length") or 0))

    def log_message(self, format: str, *args: Any) -> None:
        pass
