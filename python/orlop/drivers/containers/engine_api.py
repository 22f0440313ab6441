"""Calls of the Docker Engine API, which Docker and Podman serve.

An answer of 4xx or 5xx says little: the engines differ in it, and a connection that was cut leaves open whether the
call was carried out. Each call that writes therefore looks at the state afterwards and goes by that.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import tarfile
import threading
import time
from typing import TYPE_CHECKING, Any

from ...errors import DriverFailed, Misuse
from .reading import Reading

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from ..driver import Step

_VERSION = "1.41"  # of the API; Podman takes seconds to say its own, so that it is not asked
_TOO_OLD = re.compile(r"minimum supported API version is (\d+\.\d+)", re.I)
_ADDRESSES = ("/var/run/docker.sock", "/run/podman/podman.sock")
_IMAGE_AGE_MAX = 1.0  # seconds
_LOOKS_AGAIN_AFTER = 0.2  # seconds
_DELAYS = (0.05, 0.1, 0.2, 0.5, 1.0)


class EngineRefused(Exception):
    """The container engine has answered with an error. `status` is 0 if it came inside of a stream."""

    def __init__(self, text: str, status: int = 0) -> None:
        super().__init__(text)
        self.status = status


def default_address() -> str:
    """Returns `DOCKER_HOST`, else the socket of Docker or Podman that this machine has."""
    given = os.environ.get("DOCKER_HOST") or os.environ.get("CONTAINER_HOST")
    if given:
        return given
    user = os.path.join(os.environ.get("XDG_RUNTIME_DIR", "/nonexistent"), "podman", "podman.sock")
    for path in (*_ADDRESSES, user):
        if os.path.exists(path):
            return f"unix://{path}"
    return f"unix://{_ADDRESSES[0]}"


class EngineApi:
    """At most `parallel` calls at a time, because more of them make an engine slower. Its methods may be called from
    any thread."""

    def __init__(self, address: str, timeout: float, patience: float, parallel: int) -> None:
        try:
            import docker
            import requests
        except ImportError as error:
            raise Misuse("orlop.drivers.Containers needs the package docker: pip install orlop[containers]") from error
        self._docker = docker
        self._lost: tuple[type[Exception], ...] = (requests.exceptions.RequestException, OSError)
        self.address = address
        self.is_local = address.startswith("unix://")
        self._timeout = timeout
        self._patience = patience
        self._version = _VERSION
        self._calls = threading.BoundedSemaphore(parallel)
        self._idle: list[Any] = []  # clients that no call uses
        self._lists = threading.Lock()
        self._listed: dict[str, tuple[float, list[dict[str, Any]]]] = {}
        self._images: dict[str, tuple[float, dict[str, Any] | None]] = {}

    # ---- Reading ----
    def containers(self, labels: Mapping[str, str], step: Step | None = None) -> list[dict[str, Any]]:
        """Lists containers that have all labels, running or not."""
        filters = {"label": [f"{key}={value}" for key, value in labels.items()]}
        found: list[dict[str, Any]] = self._read(lambda client: client.containers(all=True, filters=filters), step)
        # Podman takes "key=" for every value of the key.
        return [one for one in found if all((one.get("Labels") or {}).get(key) == labels[key] for key in labels)]

    def of_service(self, labels: Mapping[str, str], brand: tuple[str, str], step: Step) -> list[dict[str, Any]]:
        """Lists the containers of a service by a list of all containers of the brand, which steps that run at the same
        time share: it was begun after this call."""
        asked = time.monotonic()
        with self._lists:
            begun, found = self._listed.get(brand[0], (0.0, []))
            if begun < asked:
                begun = time.monotonic()
                found = self.containers(dict((brand,)), step)
                self._listed[brand[0]] = (begun, found)
        return [one for one in found if all(one["Labels"].get(key) == labels[key] for key in labels)]

    def inspect(self, container: str, step: Step | None = None) -> dict[str, Any] | None:
        """Returns what the engine knows of a container; None if it is gone."""
        return self._or_none(lambda client: client.inspect_container(container), step)

    def image(self, reference: str, step: Step | None = None) -> dict[str, Any] | None:
        """Returns what the engine knows of an image; None if it does not have it. It may be a second old."""
        read_at, found = self._images.get(reference, (-_IMAGE_AGE_MAX, None))
        if found is None or time.monotonic() - read_at > _IMAGE_AGE_MAX:
            found = self._or_none(lambda client: client.inspect_image(reference), step)
            self._images[reference] = (time.monotonic(), found)
        return found

    def images(self, labels: Mapping[str, str]) -> list[dict[str, Any]]:
        """Lists images that have all labels."""
        filters = {"label": [f"{key}={value}" for key, value in labels.items()]}
        found: list[dict[str, Any]] = self._read(lambda client: client.images(filters=filters), None)
        return found

    def volumes(self, labels: Mapping[str, str]) -> list[dict[str, Any]]:
        """Lists volumes that have all labels."""
        filters = {"label": [f"{key}={value}" for key, value in labels.items()]}
        found: list[dict[str, Any]] = (
            self._read(lambda client: client.volumes(filters=filters), None).get("Volumes") or []
        )
        return [one for one in found if all((one.get("Labels") or {}).get(key) == labels[key] for key in labels)]

    def networks(self, labels: Mapping[str, str], step: Step | None = None) -> list[dict[str, Any]]:
        """Lists networks that have all labels."""
        filters = {"label": [f"{key}={value}" for key, value in labels.items()]}
        found: list[dict[str, Any]] = self._read(lambda client: client.networks(filters=filters), step)
        return [one for one in found if all((one.get("Labels") or {}).get(key) == labels[key] for key in labels)]

    def log_lines(self, container: str, tail: int) -> list[str]:
        """Returns the last lines of the output; none if the container is gone."""
        try:
            text: bytes = self._read(lambda client: client.logs(container, tail=tail), None)
        except (EngineRefused, DriverFailed):
            return []
        return text.decode(errors="replace").splitlines()[-tail:]

    def follow_log(self, container: str, tail: int) -> Iterator[bytes]:
        """Yields the last lines of the output and then all that follows, in parts, until the container ends."""
        client = self._client(None)
        try:
            yield from client.logs(container, stream=True, follow=True, tail=tail)
        except (self._docker.errors.APIError, *self._lost):
            return
        finally:
            client.close()

    def stats(self, container: str) -> dict[str, Any]:
        """Returns the counters of a running container; empty if it does not run."""
        try:
            found: dict[str, Any] = self._read(lambda client: client.stats(container, stream=False), None)
        except (EngineRefused, ValueError):  # Podman answers an empty body for a stopped container
            return {}
        return found

    def read_file(self, container: str, path: str, size_max: int) -> bytes | None:
        """Returns the content of a file of a container; None if it has none there, or one that is larger."""

        def read(client: Any) -> bytes:
            chunks, _ = client.get_archive(container, path)
            content = bytearray()
            for chunk in chunks:
                content += chunk
                if len(content) > size_max + 10240:
                    break
            return bytes(content)

        try:
            packed = self._read(read, None)
            with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
                member = archive.next()
                opened = archive.extractfile(member) if member is not None and member.isfile() else None
                return None if opened is None or member is None or member.size > size_max else opened.read()
        except tarfile.TarError:
            return None
        except EngineRefused as error:
            if error.status == 404:
                return None
            raise DriverFailed(f"{path} of the container cannot be read: {error}") from None

    def run(self, container: str, command: list[str], timeout: float) -> tuple[int, str]:
        """Runs a command in a container. Returns its exit code and output. Raises `EngineRefused` beyond `timeout`."""
        client = self._client(timeout)
        try:
            made = client.exec_create(container, command)
            output: bytes = client.exec_start(made["Id"])
            code = client.exec_inspect(made["Id"])["ExitCode"]
        except self._docker.errors.APIError as error:
            raise self._refused(error) from None
        except self._lost:
            raise EngineRefused(f"no end within {timeout:g} seconds") from None
        finally:
            client.close()
        return (-1 if code is None else code), output.decode(errors="replace")

    # ---- Writing ----
    def create(self, name: str, body: Mapping[str, Any], platform: str | None, step: Step) -> str:
        """Creates a container, unless one of this name is there, which has the same body. Returns its id."""

        def do(client: Any) -> str:
            made: dict[str, Any] = client.create_container_from_config(body, name=name, platform=platform)
            return str(made["Id"])

        def known() -> str | None:
            found = self.inspect(name, step)
            return None if found is None else str(found["Id"])

        for delay in (*_DELAYS, *_DELAYS[-1:] * 8):
            try:
                made: str = self._write(do, known, step, tries=1)
            except EngineRefused as error:
                if "in use" not in str(error):
                    raise
                # A call of a host that was killed is not finished yet: the name is taken, and nothing has it.
                step.wait_canceled(delay)
                step.check_canceled()
                continue
            return made
        raise EngineRefused(f"the name {name} is in use, and no container has it")

    def add_files(self, container: str, archive: bytes, step: Step) -> None:
        """Unpacks a tar archive at the root of a container."""
        self._write(lambda client: client.put_archive(container, "/", archive) or None, lambda: None, step)

    def start(self, container: str, step: Step) -> None:
        """Starts a container. Raises `EngineRefused` if it does not run afterwards."""

        def do(client: Any) -> bool:
            client.start(container)
            return True

        def known() -> bool | None:
            found = self.inspect(container, step)
            state = {} if found is None else found["State"]
            has_run = state.get("Running") or not str(state.get("StartedAt", "0001")).startswith("0001")
            return True if has_run else None

        # Not again after a refusal: Podman holds the port of the first try, and would say that it is in use.
        self._write(do, known, step, tries=1)

    def start_again(self, container: str) -> None:
        """Starts a container that was stopped. One that cannot start stays as it is."""
        with contextlib.suppress(EngineRefused):
            self._write(lambda client: client.start(container) or True, lambda: None, None)

    def stop(self, container: str, grace: int, step: Step | None) -> None:
        """Stops a container; it may be gone already."""

        def do(client: Any) -> bool:
            client.stop(container, timeout=grace)
            return True

        def known() -> bool | None:
            found = self.inspect(container, step)
            return True if found is None or not found["State"].get("Running") else None

        self._write(do, known, step, timeout=grace + self._timeout)

    def restart(self, container: str, grace: int, step: Step) -> None:
        """Restarts a container."""

        def do(client: Any) -> bool:
            client.restart(container, timeout=grace)
            return True

        self._write(do, lambda: None, step, timeout=grace + self._timeout)

    def remove(self, container: str, step: Step | None, force: bool = True) -> None:
        """Removes a container with its anonymous volumes; it may be gone already."""

        def do(client: Any) -> bool:
            client.remove_container(container, v=True, force=force)
            return True

        self._write(do, lambda: True if self.inspect(container, step) is None else None, step)

    def rename(self, container: str, name: str, step: Step | None) -> None:
        """Renames a container. A name in use leaves it as it is."""
        with contextlib.suppress(EngineRefused):
            self._write(
                lambda client: client.rename(container, name) or True,
                lambda: None if self.inspect(name, step) is None else True,
                step,
            )

    def create_volume(self, body: Mapping[str, Any], step: Step) -> dict[str, Any]:
        """Creates a volume, or returns the one of this name, whose labels may differ."""
        made: dict[str, Any] = self._write(
            lambda client: client.create_volume(body["Name"], driver=body["Driver"], labels=body["Labels"]),
            lambda: None,
            step,
        )
        return made

    def remove_volume(self, name: str, step: Step | None) -> None:
        """Removes a volume; it may be gone already."""
        self._write(lambda client: client.remove_volume(name) or True, lambda: self._has_no_volume(name), step)

    def create_network(self, body: Mapping[str, Any], step: Step) -> str:
        """Creates a network. Returns "", or why the engine has refused it: another call may have made it meanwhile."""

        def do(client: Any) -> bool:
            name, is_checked = body["Name"], body["CheckDuplicate"] or None
            client.create_network(name, driver=body["Driver"], labels=body["Labels"], check_duplicate=is_checked)
            return True

        def known() -> bool | None:
            return True if any(one["Name"] == body["Name"] for one in self.networks(body["Labels"], step)) else None

        try:
            self._write(do, known, step, tries=1)
        except EngineRefused as error:
            return str(error)
        return ""

    def remove_network(self, network: str) -> None:
        """Removes a network that no container uses. Leaves any other as it is."""
        with contextlib.suppress(EngineRefused):
            self._write(
                lambda client: client.remove_network(network) or True,
                lambda: True if self._or_none(lambda client: client.inspect_network(network), None) is None else None,
                None,
            )

    def remove_image(self, image: str) -> None:
        """Removes an image that no container uses. Leaves any other as it is."""
        self._images.clear()
        with contextlib.suppress(EngineRefused):
            self._write(
                lambda client: client.remove_image(image) or True,
                lambda: True if self._or_none(lambda client: client.inspect_image(image), None) is None else None,
                None,
            )

    def stream(self, open_stream: Callable[[Any], Iterator[dict[str, Any]]], step: Step) -> Iterator[dict[str, Any]]:
        """Yields the lines of a pull or a build. Closes it and raises `StepCanceled` if the step is canceled, and
        `EngineRefused` for an error, which Podman sends with the status 200."""
        self._images.clear()
        reading = Reading(self._client(None), open_stream)
        try:
            while (line := reading.next(_LOOKS_AGAIN_AFTER)) is not None:
                step.check_canceled()  # also while the engine says nothing
                if not line:
                    continue
                if "error" in line or "errorDetail" in line:
                    detail = line.get("errorDetail") or {}
                    raise EngineRefused(str(detail.get("message") or line.get("error")))
                yield line
        except self._docker.errors.APIError as error:
            raise self._refused(error) from None
        except self._lost as error:
            raise EngineRefused(f"the connection to the container engine was lost: {error}") from None
        finally:
            reading.close()

    # ---- Connections ----
    def _client(self, timeout: float | None) -> Any:
        return self._docker.APIClient(base_url=self.address, version=self._version, timeout=timeout)

    def _call(self, call: Callable[[Any], Any]) -> Any:
        """Makes a call with a client that no other call uses. One whose connection was lost is not used again."""
        with self._calls:
            try:
                client = self._idle.pop()
            except IndexError:
                client = self._client(self._timeout)
            try:
                result = call(client)
            except self._docker.errors.APIError as error:
                least = _TOO_OLD.search(str(error))
                if least is None or least[1] == self._version:
                    self._idle.append(client)
                    raise
                self._version = least[1]
                client.close()
                client = self._client(self._timeout)
                result = call(client)
            except BaseException:
                client.close()
                raise
            self._idle.append(client)
            return result

    def _call_for(self, call: Callable[[Any], Any], timeout: float) -> Any:
        """Makes a call that may take long, such as a stop that waits for the grace period."""
        client = self._client(timeout)
        try:
            return call(client)
        finally:
            client.close()

    def _refused(self, error: Any) -> EngineRefused:
        response = getattr(error, "response", None)
        return EngineRefused(str(error.explanation or error), 0 if response is None else response.status_code)

    def _or_none(self, call: Callable[[Any], Any], step: Step | None) -> dict[str, Any] | None:
        try:
            found: dict[str, Any] = self._read(call, step)
        except EngineRefused as error:
            if error.status == 404:
                return None
            raise
        return found

    def _read(self, call: Callable[[Any], Any], step: Step | None) -> Any:
        has_failed = False
        for attempt in self._attempts(step):
            try:
                return self._call(call)
            except self._docker.errors.APIError as error:
                refused = self._refused(error)
                if has_failed or refused.status < 500:
                    raise refused from None
                has_failed = True
            except self._lost as error:
                attempt(error)
        raise AssertionError

    def _write(
        self,
        call: Callable[[Any], Any],
        known: Callable[[], Any],
        step: Step | None,
        timeout: float | None = None,
        tries: int = 2,
    ) -> Any:
        """Makes a call. After an error or a lost connection `known` says what the state is: None if the call has had no
        effect."""
        refusals = 0
        for attempt in self._attempts(step):
            try:
                return self._call(call) if timeout is None else self._call_for(call, timeout)
            except self._docker.errors.APIError as error:
                refused = self._refused(error)
                result = known()
                if result is not None:
                    return result
                refusals += 1
                if refusals >= tries or refused.status < 500:
                    raise refused from None
            except self._lost as error:
                attempt(error)
                result = known()
                if result is not None:
                    return result
        raise AssertionError

    def _attempts(self, step: Step | None) -> Iterator[Callable[[Exception], None]]:
        """Yields functions that take the exception of a lost connection: they wait, or raise after `patience`."""
        begun = time.monotonic()
        for number in range(10_000):

            def lost(error: Exception, number: int = number) -> None:
                if time.monotonic() - begun > self._patience:
                    raise DriverFailed(
                        f"the container engine at {self.address} does not answer: {type(error).__name__}: {error}"
                    ) from None
                delay = _DELAYS[min(number, len(_DELAYS) - 1)]
                if step is None:
                    time.sleep(delay)
                else:
                    step.wait_canceled(delay)
                    step.check_canceled()

            yield lost

    def _has_no_volume(self, name: str) -> bool | None:
        found = self._or_none(lambda client: client.inspect_volume(name), None)
        return True if found is None else None
