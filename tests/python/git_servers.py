"""Git repositories on servers of this machine: git http-backend with a password, and git daemon."""

from __future__ import annotations

import base64
import contextlib
import os
import pathlib
import socket
import subprocess
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

BACKEND = pathlib.Path(subprocess.run(["git", "--exec-path"], capture_output=True, text=True).stdout.strip())
ENVIRONMENT = {
    **os.environ,
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_AUTHOR_NAME": "Ada King Lovelace",
    "GIT_AUTHOR_EMAIL": "ada@example.com",
    "GIT_AUTHOR_DATE": "1700000000 +0200",
    "GIT_COMMITTER_NAME": "Ada",
    "GIT_COMMITTER_EMAIL": "ada@example.com",
    "GIT_COMMITTER_DATE": "1700000000 +0200",
}


class Repository:
    """A repository with a work tree; the servers serve its .git folder as the name with .git."""

    def __init__(self, root: pathlib.Path, name: str = "acme/shop") -> None:
        self.work = root / "work" / name
        self.bare = root / "served" / f"{name}.git"
        self.bare.parent.mkdir(parents=True)
        self.work.parent.mkdir(parents=True)
        self._run("git", "init", "-q", "--bare", "-b", "main", str(self.bare), at=root)
        self._run("git", "init", "-q", "-b", "main", str(self.work), at=root)
        for setting in ("uploadpack.allowFilter", "uploadpack.allowAnySHA1InWant"):
            self._run("git", "config", setting, "true", at=self.bare)
        self.git("remote", "add", "origin", str(self.bare))

    def commit(self, files: dict[str, str | bytes], message: str = "change", branch: str = "main") -> str:
        """Writes files, commits them and pushes the branch. Returns the commit."""
        for path, content in files.items():
            target = self.work / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content if isinstance(content, bytes) else content.encode())
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", message)
        self.git("push", "-q", "--force", "origin", f"HEAD:refs/heads/{branch}")
        return self.git("rev-parse", "HEAD")

    def git(self, *arguments: str, given: str | None = None) -> str:
        return self._run("git", *arguments, at=self.work, given=given)

    @staticmethod
    def _run(*command: str, at: pathlib.Path, given: str | None = None) -> str:
        ran = subprocess.run(command, cwd=at, env=ENVIRONMENT, capture_output=True, text=True, input=given)
        assert ran.returncode == 0, ran.stderr
        return ran.stdout.strip()


class _Server(ThreadingHTTPServer):
    def handle_error(self, request: object, client_address: object) -> None:
        """Git closes the connection when it is ended: no error is printed."""


class HttpBackend:
    """git http-backend behind HTTP. With a `token`, requests without it get 401. `requests` has the requests,
    `credentials` the users and passwords that were given."""

    def __init__(self, served: pathlib.Path, token: str = "") -> None:
        self.served, self.token = served, token
        self.requests: list[str] = []
        self.credentials: list[str] = []
        self.redirects: dict[str, str] = {}
        self.before: Callable[[], None] = lambda: None
        backend = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                self._answer()

            def do_POST(self) -> None:
                self._answer()

            def log_message(self, *_: object) -> None:
                pass

            def _answer(self) -> None:
                body = self._body()
                backend.requests.append(f"{self.command} {self.path}")
                backend.before()
                given = self.headers.get("authorization", "")
                if given:
                    backend.credentials.append(base64.b64decode(given.removeprefix("Basic ")).decode())
                for start, target in backend.redirects.items():
                    if self.path.startswith(start):
                        self._send(301, [("location", target + self.path.removeprefix(start))], b"")
                        return
                if backend.token and not given.endswith(backend.encoded()):
                    self._send(401, [("www-authenticate", 'Basic realm="git"')], b"secret " + backend.token.encode())
                    return
                self._send(*backend.run(self, body))

            def _body(self) -> bytes:
                if self.headers.get("transfer-encoding") != "chunked":
                    return self.rfile.read(int(self.headers.get("content-length", "0")))
                body = b""
                while size := int(self.rfile.readline(), 16):
                    body += self.rfile.read(size)
                    self.rfile.readline()
                self.rfile.readline()
                return body

            def _send(self, status: int, headers: list[tuple[str, str]], body: bytes) -> None:
                with contextlib.suppress(OSError):
                    self.send_response(status)
                    for name, value in headers:
                        self.send_header(name, value)
                    self.send_header("content-length", str(len(body)))
                    self.end_headers()
                    self.wfile.write(body)

        self._server = _Server(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True)

    def encoded(self) -> str:
        return base64.b64encode(f"x-access-token:{self.token}".encode()).decode()

    def run(self, handler: BaseHTTPRequestHandler, body: bytes) -> tuple[int, list[tuple[str, str]], bytes]:
        path, _, query = handler.path.partition("?")
        environment = {
            "PATH": os.environ["PATH"],
            "GIT_PROJECT_ROOT": str(self.served),
            "GIT_HTTP_EXPORT_ALL": "1",
            "GIT_PROTOCOL": handler.headers.get("git-protocol", ""),
            "REQUEST_METHOD": handler.command,
            "PATH_INFO": path,
            "QUERY_STRING": query,
            "CONTENT_TYPE": handler.headers.get("content-type", ""),
            "CONTENT_LENGTH": str(len(body)),
            "HTTP_CONTENT_ENCODING": handler.headers.get("content-encoding", ""),
            "REMOTE_ADDR": "127.0.0.1",
        }
        ran = subprocess.run([str(BACKEND / "git-http-backend")], input=body, env=environment, capture_output=True)
        head, _, content = ran.stdout.partition(b"\r\n\r\n")
        status, headers = 200, []
        for line in head.decode().split("\r\n"):
            name, _, value = line.partition(": ")
            if name == "Status":
                status = int(value.split()[0])
            elif name:
                headers.append((name, value))
        return status, headers, content

    def __enter__(self) -> HttpBackend:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()


@contextlib.contextmanager
def git_daemon(served: pathlib.Path) -> Iterator[str]:
    """Runs git daemon and gives its URL."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    process = subprocess.Popen(
        [
            str(BACKEND / "git-daemon"),
            "--verbose",
            "--log-destination=stderr",
            "--export-all",
            "--reuseaddr",
            "--listen=127.0.0.1",
            f"--port={port}",
            f"--base-path={served}",
        ],
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert process.stderr is not None
    try:
        for line in process.stderr:
            if "Ready to rumble" in line:
                break
        yield f"git://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait()
        process.stderr.close()
