"""A Podman of the tests' own: its API on a socket, its storage in a folder, its images made FROM scratch."""

from __future__ import annotations

import functools
import io
import os
import pathlib
import shutil
import socket
import subprocess
import tarfile
import tempfile
import threading
from typing import Any

BUSYBOX = next((path for path in ("/bin/busybox", "/usr/bin/busybox") if os.path.exists(path)), "")

# For sandboxes: without systemd, without overlay, and where limits cannot be raised.
_CONF = """[containers]
default_ulimits = ["nofile=1024:1024", "nproc=4096:4096"]
[engine]
cgroup_manager = "cgroupfs"
events_logger = "file"
runtime = "runc"
[network]
network_backend = "netavark"
network_config_dir = "{folder}/networks"
"""
_STORAGE = """[storage]
driver = "vfs"
runroot = "{folder}/run"
graphroot = "{folder}/root"
"""


@functools.cache
def reason_to_skip() -> str:
    """Returns why Podman cannot run here; "" if it can. A container is run to find out: a sandbox may forbid it."""
    for program in ("podman", "runc", "iptables"):
        if shutil.which(program) is None and not os.path.exists(f"/usr/sbin/{program}"):
            return f"{program} is not installed"
    if not BUSYBOX:
        return "busybox-static is not installed"
    if os.geteuid() != 0:
        return "Podman runs here only as root"
    return _reason_of_a_trial()


def _reason_of_a_trial() -> str:
    folder = pathlib.Path(tempfile.mkdtemp(prefix="orlop-podman-"))
    podman = None
    try:
        podman = Podman(folder)
        podman.build("localhost/trial:1")
        client = podman.client()
        client.create_network("trial")
        body = client.create_container(
            "localhost/trial:1", ["true"], host_config=client.create_host_config(network_mode="trial")
        )
        client.start(body)
        ended = client.wait(body, timeout=60)
        return "" if ended["StatusCode"] == 0 else f"a container of Podman ends with {ended['StatusCode']}"
    except Exception as error:
        return f"Podman runs no container here: {str(error)[:300]}"
    finally:
        try:
            if podman is not None:
                podman.close()
        finally:
            shutil.rmtree(folder, ignore_errors=True)


class Podman:
    """A running service."""

    def __init__(self, folder: pathlib.Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "networks").mkdir(exist_ok=True)
        (folder / "containers.conf").write_text(_CONF.format(folder=folder))
        (folder / "registries.conf").write_text('[[registry]]\nlocation = "127.0.0.1:5055"\ninsecure = true\n')
        (folder / "storage.conf").write_text(_STORAGE.format(folder=folder))
        self._environment = {
            **os.environ,
            "CONTAINERS_CONF": str(folder / "containers.conf"),
            "CONTAINERS_STORAGE_CONF": str(folder / "storage.conf"),
            "CONTAINERS_REGISTRIES_CONF": str(folder / "registries.conf"),
        }
        self._socket = folder / "podman.sock"
        self.address = f"unix://{self._socket}"
        self._process: subprocess.Popen[bytes] | None = None
        self.start()

    def start(self) -> None:
        self._process = subprocess.Popen(
            ["podman", "--log-level=error", "system", "service", "-t", "0", self.address],
            env=self._environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # Ctrl-C is for the program that closes it
        )
        for _ in range(200):
            with socket.socket(socket.AF_UNIX) as connection:
                if connection.connect_ex(str(self._socket)) == 0:
                    return
            threading.Event().wait(0.05)
        raise AssertionError("podman system service does not answer")

    def kill(self) -> None:
        assert self._process is not None
        self._process.kill()
        self._process.wait()
        self._socket.unlink(missing_ok=True)

    def run(self, *arguments: str) -> str:
        ended = subprocess.run(["podman", *arguments], env=self._environment, capture_output=True, text=True)
        return ended.stdout

    def close(self) -> None:
        self.kill()
        self.run("rm", "--force", "--all", "--time", "0")
        self.run("volume", "rm", "--all", "--force")
        self.run("network", "prune", "--force")

    def client(self) -> Any:
        import docker

        return docker.APIClient(base_url=self.address, version="1.41", timeout=60)

    def build(self, reference: str, more: str = "") -> None:
        """Makes an image of busybox alone. `more` are lines of its Dockerfile."""
        context = io.BytesIO()
        with tarfile.open(fileobj=context, mode="w") as archive:
            archive.add(BUSYBOX, "bin/busybox")
            for name, text in (("Dockerfile", DOCKERFILE + more), ("etc/passwd", "root:x:0:0::/:/bin/sh\n")):
                entry = tarfile.TarInfo(name)
                entry.size = len(text)
                archive.addfile(entry, io.BytesIO(text.encode()))
        context.seek(0)
        for line in self.client().build(fileobj=context, custom_context=True, tag=reference, rm=True, decode=True):
            assert "error" not in line, line

    def build_program(self, reference: str, program: str, more: str) -> None:
        """Makes an image of a program of this machine with its libraries, beside busybox."""
        linked = subprocess.run(["ldd", program], capture_output=True, text=True, check=True).stdout
        files = {program, *(word for word in linked.split() if word.startswith("/"))}
        context = io.BytesIO()
        with tarfile.open(fileobj=context, mode="w", dereference=True) as archive:
            for file in sorted(files):
                archive.add(file, file.lstrip("/"))
            text = f"FROM docker.io/acme/busybox:1\nCOPY . /\n{more}"
            entry = tarfile.TarInfo("Dockerfile")
            entry.size = len(text)
            archive.addfile(entry, io.BytesIO(text.encode()))
        context.seek(0)
        for line in self.client().build(fileobj=context, custom_context=True, tag=reference, rm=True, decode=True):
            assert "error" not in line, line


DOCKERFILE = """FROM scratch
COPY . /
RUN ["/bin/busybox", "--install", "-s", "/bin"]
ENV PATH=/bin
"""
