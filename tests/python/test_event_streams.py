"""Server-sent events at /-/events."""

from __future__ import annotations

import asyncio
import contextlib
import http.client
import json
import socket
import threading
import time
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest

import orlop
from orlop import asgi
from orlop.serving import event_streams
from orlop.serving.connections import Limits
from orlop.serving.server import Server, beside
from processes import wait_until
from test_callers import People, as_person


class Stream:
    def __init__(self, url: str, query: str = "", **headers: str) -> None:
        self.connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=30)
        self.connection.request(
            "GET",
            f"/-/events{query}",
            headers={
                "accept": "text/event-stream",
                **{name.replace("_", "-"): value for name, value in headers.items()},
            },
        )
        self.answer = self.connection.getresponse()
        self.last_id = ""

    def next(self) -> dict[str, Any] | None:
        """Returns the next event with data; None at the end."""
        data = kind = ""
        while line := self.answer.readline():
            name, _, value = line.decode().rstrip("\n").partition(": ")
            if name == "id":
                self.last_id = value
            elif name == "event":
                kind = value
            elif name == "data":
                data = value
            elif not name and data:
                event: dict[str, Any] = json.loads(data)
                assert event["kind"] == kind and str(event["sequence"]) == self.last_id
                return event
        return None

    def heartbeat(self) -> None:
        while not self.answer.readline().startswith(b":"):
            pass

    def close(self) -> None:
        self.connection.close()


@contextlib.contextmanager
def stream(url: str, query: str = "", **headers: str) -> Iterator[Stream]:
    with contextlib.closing(Stream(url, query, **headers)) as opened:
        yield opened


def test_events_come_as_they_happen_and_a_new_connection_goes_on() -> None:
    with orlop.Engine() as engine, engine.serve() as url:
        engine.organizations.create(name="first", plan="FREE")
        with stream(url) as opened:
            assert opened.answer.status == 200 and opened.answer.headers["content-type"] == "text/event-stream"
            assert opened.answer.headers["cache-control"] == "no-store"
            first = opened.next()
            assert first is not None and first["kind"] == "organization.created"
            engine.organizations.create(name="second", plan="FREE")
            while (event := opened.next()) is not None and event["kind"] != "organization.created":
                pass
            assert event is not None and event["detail"]["name"] == "second"
            last = opened.last_id
        engine.organizations.create(name="third", plan="FREE")
        with stream(url, last_event_id=last) as again:
            event = again.next()
            assert event is not None and event["sequence"] == int(last) + 1


def test_a_stream_goes_on_after_a_restore(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(event_streams, "HEARTBEAT", 60.0)  # a stream without data fails
    opened_streams: list[event_streams.EventStream] = []
    add = event_streams.EventStreams.add

    def noted(self: event_streams.EventStreams, stream: event_streams.EventStream) -> None:
        opened_streams.append(stream)
        add(self, stream)

    monkeypatch.setattr(event_streams.EventStreams, "add", noted)
    with orlop.Simulation(seed=3) as simulation, simulation.serve() as url:
        organization = simulation.organizations.create(name="acme", plan="FREE")
        snapshot = simulation.snapshot()
        for number in range(9):
            organization.edit(name=f"old{number}")
        with stream(url) as opened:
            while (event := opened.next()) is not None and event["sequence"] < simulation.last_event:
                pass
            simulation.restore(snapshot)
            wait_until(
                lambda: opened_streams[0].since <= simulation.last_event, "the look at what is there after the restore"
            )
            organization.refresh().edit(name="new")
            event = opened.next()
            assert event is not None and event["sequence"] == 2 and event["detail"]["name"] == "new"


def by_http(simulation: orlop.Simulation, snapshot: bytes, url: str) -> None:
    connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=30)
    connection.request("PUT", "/-/sim/snapshot", body=bytes(snapshot))
    assert connection.getresponse().status == 204
    connection.close()


GOES_BACK = {
    "restore": lambda simulation, snapshot, url: simulation.restore(snapshot),
    "request": lambda simulation, snapshot, url: simulation.request("PUT", "/-/sim/snapshot", bytes(snapshot)).check(),
    "http": by_http,
}


@pytest.mark.parametrize("go_back", GOES_BACK.values(), ids=GOES_BACK)
@pytest.mark.parametrize("times", [1, 9])  # fewer and more events than were withdrawn
def test_a_restore_wakes_a_stream_that_misses_no_event_after_it(
    monkeypatch: pytest.MonkeyPatch, go_back: Any, times: int
) -> None:
    monkeypatch.setattr(event_streams, "_LOOKS_EVERY", 3600.0)
    monkeypatch.setattr(event_streams, "HEARTBEAT", 3600.0)
    with orlop.Simulation(seed=3) as simulation, simulation.serve() as url:
        organization = simulation.organizations.create(name="acme", plan="FREE")
        snapshot = simulation.snapshot()
        for number in range(3):
            organization.edit(name=f"old{number}")
        with stream(url, f"?since={simulation.last_event}") as opened:
            readers = simulation._restores._readers
            wait_until(lambda: any(reader.waits for reader in readers), "the wait for an event")
            go_back(simulation, snapshot, url)
            organization.refresh()
            for number in range(times):
                organization.edit(name=f"new{number}")
            seen = [event for _ in range(times) if (event := opened.next()) is not None]
            assert [(event["sequence"], event["detail"]["name"]) for event in seen] == [
                (2 + number, f"new{number}") for number in range(times)
            ]


def test_filters_and_refusals() -> None:
    with orlop.Engine() as engine, engine.serve() as url:
        first = engine.organizations.create(name="first", plan="FREE")
        second = engine.organizations.create(name="second", plan="FREE")
        with stream(url, f"?organization={second.id}&kind=organization.*,project.*") as opened:
            event = opened.next()
            assert event is not None and event["subject"] == second.id
            first.projects.create(name="unseen")
            second.projects.create(name="seen")
            event = opened.next()
            assert event is not None and event["detail"]["name"] == "seen"
        for query in ("?kind=A", "?since=x", "?organization=1"):
            with stream(url, query) as refused:
                assert refused.answer.status == 400
        with stream(url, last_event_id="x") as refused:
            assert refused.answer.status == 400
        engine.forget_events(3)
        with stream(url, last_event_id="1") as gone:
            assert gone.answer.status == 410 and "event 4" in json.loads(gone.answer.read())["message"]


def test_a_caller_sees_its_organizations_only() -> None:
    plan = {"plan": "FREE"}
    with orlop.Engine(authentication="required", external_systems=People()) as engine, engine.serve() as url:
        ada = engine.request(
            "POST", "/organization", {"name": "of ada", **plan}, as_person("ada"), trusted=False
        ).check()
        bob = engine.request(
            "POST", "/organization", {"name": "of bob", **plan}, as_person("bob"), trusted=False
        ).check()
        with stream(url) as refused:
            assert refused.answer.status == 401
        with stream(url, **as_person("ada")) as opened:
            seen = opened.next()
            assert seen is not None and seen["organization"] == ada["id"]
            engine.request("POST", f"/organization/{bob['id']}/project", {"name": "of bob"}).check()
            engine.request("POST", f"/organization/{ada['id']}/project", {"name": "of ada"}).check()
            while seen is not None and seen["kind"] != "project.created":
                assert seen["organization"] == ada["id"]
                seen = opened.next()
            assert seen is not None and seen["detail"]["name"] == "of ada"
        page = engine.request(
            "GET", f"/-/events?organization={bob['id']}", headers=as_person("ada"), trusted=False
        ).check()
        assert page["events"] == []
        for method, path in (
            ("GET", "/-/events/consumers"),
            ("PUT", "/-/events/consumers/x"),
            ("DELETE", "/-/events?through=1"),
        ):
            assert engine.request(method, path, headers=as_person("ada"), trusted=False).status == 403


def test_a_custom_role_sees_what_it_may_look_at() -> None:
    with orlop.Engine(authentication="required", external_systems=People()) as engine:
        organization = engine.organizations.create(name="acme", plan="FREE")
        mine, other = (organization.projects.create(name=name) for name in ("mine", "other"))
        role = engine.request("POST", f"/organization/{organization.id}/customRole", {"name": "part"}).check()
        modes = [
            {"environment_type": mode, "permission": "VIEWER"}
            for mode in ("DEVELOPMENT", "PREVIEW", "STAGING", "PRODUCTION")
        ]
        none = [
            {"environment_type": mode, "permission": "NO_ACCESS"}
            for mode in ("DEVELOPMENT", "PREVIEW", "STAGING", "PRODUCTION")
        ]
        permissions = [
            {"project_id": mine.id, "is_admin": False, "permissions": modes},
            {"project_id": other.id, "is_admin": False, "permissions": none},
        ]
        body = {"name": "part", "cluster_permissions": [], "project_permissions": permissions}
        engine.request("PUT", f"/organization/{organization.id}/customRole/{role['id']}", body).check()
        token = engine.request(
            "POST", f"/organization/{organization.id}/apiToken", {"name": "t", "role_id": role["id"]}
        ).check()["token"]
        page = engine.request(
            "GET", "/-/events?kind=project.*", headers={"Authorization": f"Token {token}"}, trusted=False
        ).check()
        assert [event["subject"] for event in page["events"]] == [mine.id]
        engine.request("DELETE", f"/project/{mine.id}").check()
        page = engine.request(
            "GET", "/-/events?kind=project.*", headers={"Authorization": f"Token {token}"}, trusted=False
        ).check()
        assert page["events"] == []  # the deleted project was in no scope of the role


def test_a_stream_ends_with_its_credentials() -> None:
    with orlop.Engine(authentication="required") as engine, engine.serve() as url:
        organization = engine.organizations.create(name="acme", plan="FREE")
        path = f"/organization/{organization.id}/apiToken"
        made = engine.request("POST", path, {"name": "t"}).check()
        with stream(url, authorization=f"Token {made['token']}") as opened:
            assert opened.next() is not None
            engine.request("DELETE", f"{path}/{made['id']}").check()
            while opened.next() is not None:
                pass


def test_a_silent_stream_gets_heartbeats(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(event_streams, "HEARTBEAT", 0.02)
    with orlop.Engine() as engine, engine.serve() as url, stream(url, "?kind=project.*") as opened:
        for _ in range(3):
            opened.heartbeat()
        engine.organizations.create(name="unwanted", plan="FREE")
        opened.heartbeat()


def test_a_caller_that_takes_nothing_is_bounded_and_cut_off() -> None:
    with orlop.Engine() as engine:
        server = Server(engine, limits=Limits(body_timeout=0.5))
        parts = urlsplit(server.url)
        with beside(server.run, server.stop, "server"), socket.socket() as line:
            line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            line.connect((parts.hostname, parts.port))
            line.sendall(b"GET /-/events HTTP/1.1\r\nhost: localhost\r\naccept: text/event-stream\r\n\r\n")
            context = None

            def connections() -> list[Any]:
                nonlocal context
                context = server.context
                return list(context.connections) if context is not None else []

            wait_until(lambda: bool(connections()), "the connection")
            connection = connections()[0]
            most = 0
            end = time.monotonic() + 60
            while connections() and time.monotonic() < end:
                with engine.batch() as batch:
                    for number in range(200):
                        batch.request(
                            "POST",
                            "/organization",
                            {"name": f"{time.monotonic_ns()} {number}", "plan": "FREE", "description": "x" * 200},
                        ).check()
                with contextlib.suppress(Exception):
                    most = max(most, connection._transport.get_write_buffer_size())
            assert not connections()  # disconnected
            assert 0 < most < 2_000_000 and engine.last_event > 1000  # at most one page is buffered for it


def test_many_callers() -> None:
    count = 60
    with orlop.Engine() as engine, engine.serve() as url:
        callers = [Stream(url) for _ in range(count)]
        engine.organizations.create(name="acme", plan="FREE")
        for caller in callers:
            event = caller.next()
            assert event is not None and event["kind"] == "organization.created"
            caller.close()
        wait_until(
            lambda: sum(thread.name == "orlop-events" for thread in threading.enumerate()) <= 1, "one thread for all"
        )


def test_streams_end_with_their_server() -> None:
    with orlop.Engine() as engine:
        with engine.serve() as url:
            opened = Stream(url)
            engine.organizations.create(name="acme", plan="FREE")
            assert opened.next() is not None
        while opened.next() is not None:
            pass
        opened.close()


def test_an_asgi_application_streams() -> None:
    with orlop.Engine() as engine:
        application = asgi.app(engine)
        engine.organizations.create(name="acme", plan="FREE")
        sent: list[Any] = []

        async def play() -> None:
            hangs_up = asyncio.Event()
            requests = iter([{"type": "http.request", "body": b"", "more_body": False}])

            async def receive() -> Any:
                for message in requests:
                    return message
                await hangs_up.wait()
                return {"type": "http.disconnect"}

            async def send(message: Any) -> None:
                sent.append(message)
                if b"second" in message.get("body", b""):
                    hangs_up.set()

            scope = {
                "type": "http",
                "http_version": "1.1",
                "method": "GET",
                "path": "/-/events",
                "raw_path": b"/-/events",
                "query_string": b"",
                "root_path": "",
                "headers": [(b"accept", b"text/event-stream")],
            }
            answering = asyncio.ensure_future(application(scope, receive, send))
            while len(sent) < 2:
                await asyncio.sleep(0)
            await asyncio.get_running_loop().run_in_executor(
                None, lambda: engine.organizations.create(name="second", plan="FREE")
            )
            await asyncio.wait_for(answering, 30)

        asyncio.run(play())
        assert sent[0]["status"] == 200 and (b"content-type", b"text/event-stream") in sent[0]["headers"]
        assert b"acme" in sent[1]["body"] and b"second" in sent[-1]["body"]
