"""The process of HAProxy: it outlives the driver, and any driver finds it again by its socket in the state folder."""

from __future__ import annotations

import contextlib
import os
import pathlib
import re
import select
import shutil
import signal
import socket
import subprocess

from ....errors import DriverFailed, Misuse
from .certificates import write_private
from .configuration import SOCKET

_CALL_SECONDS = 10.0
_START_SECONDS = 30.0
_END_SECONDS = 10.0
_SOCKET_PATH_MAX = 107  # bytes, of Linux
_VERSION_LEAST = (2, 5)  # removes servers at runtime
_FOLDERS = os.pathsep.join(("/usr/local/sbin", "/usr/sbin", "/sbin"))


class NotRunning(DriverFailed):
    """No HAProxy answers on the socket."""


def find_program() -> str:
    """Returns the path of HAProxy. Raises `Misuse` if this machine does not have it."""
    found = shutil.which("haproxy") or shutil.which("haproxy", path=_FOLDERS)
    if found is None:
        raise Misuse('proxy="haproxy" needs the program haproxy: apt-get install haproxy')
    return found


class Process:
    """HAProxy in a state folder."""

    def __init__(self, program: str, folder: pathlib.Path) -> None:
        self._program = program
        self._folder = folder
        self._socket = str(folder / SOCKET)
        if len(self._socket.encode()) > _SOCKET_PATH_MAX:
            raise Misuse(
                f"state_folder must leave at most {_SOCKET_PATH_MAX} bytes for the path of a socket, not {self._socket}"
            )

    def command(self, text: str) -> str:
        """Sends a command of the runtime API. Raises `NotRunning`."""
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(_CALL_SECONDS)
            try:
                connection.connect(self._socket)
                connection.sendall(text.encode() + b"\n")
                answer = bytearray()
                while received := connection.recv(65536):
                    answer += received
            except OSError as error:
                raise NotRunning(f"the proxy does not answer: {error}") from None
        return answer.decode(errors="replace")

    def with_payload(self, command: str, payload: str) -> str:
        """Sends a command with lines that follow it."""
        return self.command(f"{command} <<\n{payload.rstrip()}\n")

    def pid(self) -> int:
        """Returns the process id; 0 if it does not run."""
        try:
            found = re.search(r"^Pid: (\d+)", self.command("show info"), re.M)
        except NotRunning:
            return 0
        return int(found[1]) if found else 0

    def start(self, configuration: str) -> None:
        """Starts HAProxy, or replaces the one that runs: it hands over its sockets, and its connections go on."""
        self._check_version()
        write_private(self._folder / "haproxy.cfg", configuration.encode())
        arguments = [self._program, "-D", "-f", "haproxy.cfg", "-p", "haproxy.pid"]
        if former := self.pid():
            arguments += ["-x", SOCKET, "-sf", str(former)]
        try:
            ended = subprocess.run(
                arguments,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                timeout=_START_SECONDS,
                cwd=self._folder,
                start_new_session=True,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise DriverFailed(f"the proxy {self._program} cannot be started: {error}") from None
        if ended.returncode:
            said = ended.stderr.decode(errors="replace").splitlines()
            alerts = [line.partition(" : ")[2] for line in said if line.startswith("[ALERT]")] or said
            raise DriverFailed(f"the proxy {self._program} cannot be started: {'; '.join(alerts)[-1000:]}")

    def stop(self) -> None:
        """Ends HAProxy."""
        if not (pid := self.pid()):
            return
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGTERM)
            wait_for_end(pid, _END_SECONDS)

    def _check_version(self) -> None:
        try:
            said = subprocess.run([self._program, "-v"], capture_output=True, text=True, timeout=_CALL_SECONDS).stdout
        except (OSError, subprocess.TimeoutExpired) as error:
            raise DriverFailed(f"the proxy {self._program} cannot be started: {error}") from None
        found = re.search(r"version (\d+)\.(\d+)", said)
        if found and (int(found[1]), int(found[2])) < _VERSION_LEAST:
            raise DriverFailed(f"the proxy must be HAProxy 2.5 or later, not {found[1]}.{found[2]}")


def wait_for_end(pid: int, timeout: float | None) -> None:
    """Waits until a process has ended, which need not be a child of this one."""
    try:
        descriptor = os.pidfd_open(pid)
    except OSError:
        return
    try:
        select.select([descriptor], [], [], timeout)
    finally:
        os.close(descriptor)
