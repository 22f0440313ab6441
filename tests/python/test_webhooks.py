"""Messages to webhooks: from a deployment through the outbox and the webhook sender to a receiver, over real
sockets."""

from __future__ import annotations

import contextlib
import ipaddress
import json
import socket
import subprocess
import sys
import threading
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from conftest import furnish
from post_office import LOOPBACK, Answer, Office, Receiver, certificate, signature_of

import orlop
from orlop.webhook_senders import HttpWebhookSender
from orlop.externals.targets import Guard, Refused, is_public

ROOT = Path(__file__).parents[2]
TABLES = ROOT / "tests/tables"


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    server = Receiver()
    yield server
    server.close()


@pytest.fixture
def office() -> Iterator[Callable[..., Office]]:
    opened: list[Office] = []

    def open_one(url: str, **options: Any) -> Office:
        opened.append(Office(url, **options))
        return opened[-1]

    yield open_one
    for one in opened:
        one.close()


def test_a_receiver_gets_a_signed_message(office: Callable[..., Office], receiver: Receiver) -> None:
    one = office(receiver.url)
    one.deploy()
    last = one.answered()
    assert (last["status"], last["target_response_status_code"], last["target_response_body"]) == (
        "DELIVERED",
        200,
        "thanks",
    )
    (received,) = receiver.received
    assert received.path == "/hook"
    assert received.headers["webhook-id"] == last["id"]
    assert received.headers["webhook-timestamp"] == "1767225600"
    assert received.headers["content-type"] == "application/json"
    assert received.headers["host"] == f"127.0.0.1:{receiver.port}"
    assert received.headers["webhook-signature"] == signature_of(received)
    assert received.headers["platform-signature"] == received.headers["webhook-signature"]
    message = json.loads(received.body)
    assert message == last["request"]
    assert message["type"] == "deployment.started"
    assert message["data"]["environment"] == {
        "id": one.platform.environment.id,
        "name": "production",
        "mode": "DEVELOPMENT",
    }
    assert one.engine.tick() is None


def test_a_failure_is_tried_again_in_the_engines_time(office: Callable[..., Office], receiver: Receiver) -> None:
    receiver.answers = [Answer(500, body=b"not now"), Answer(204, body=b"")]
    one = office(receiver.url)
    one.deploy()
    last = one.answered()
    assert (last["status"], last["target_response_status_code"], last["target_response_body"]) == (
        "WAITING",
        500,
        "not now",
    )
    assert one.engine.tick() == pytest.approx(5)
    one.time.now += 5
    assert one.answered(2)["status"] == "DELIVERED"
    first, second = receiver.received
    assert first.headers["webhook-id"] == second.headers["webhook-id"]
    assert first.body == second.body
    assert int(second.headers["webhook-timestamp"]) == int(first.headers["webhook-timestamp"]) + 5
    assert second.headers["webhook-signature"] == signature_of(second)


def test_a_message_that_was_on_its_way_goes_out_again(receiver: Receiver, tmp_path: Path) -> None:
    never = threading.Event()
    receiver.answers = [Answer(until=never)]
    path = str(tmp_path / "platform.db")
    before = Office(receiver.url, storage=path)
    before.deploy()
    assert receiver.arrived.acquire(timeout=20)
    before.close()
    with orlop.Engine(path, clock=before.time, webhook_sender=HttpWebhookSender(), webhook_allow=LOOPBACK) as after:
        assert after.tick() is not None
        assert receiver.arrived.acquire(timeout=20)
    never.set()
    first, second = receiver.received
    assert second.headers["webhook-id"] == first.headers["webhook-id"]
    assert second.headers["webhook-signature"] == first.headers["webhook-signature"]
    assert second.body == first.body


def test_a_receiver_that_is_gone_is_not_asked_again(office: Callable[..., Office], receiver: Receiver) -> None:
    receiver.answers = [Answer(410)]
    one = office(receiver.url)
    one.deploy()
    assert one.answered()["status"] == "FAILED"
    assert one.webhook.refresh()["enabled"] is False


def test_a_message_is_sent_again_when_asked(office: Callable[..., Office], receiver: Receiver) -> None:
    one = office(receiver.url)
    one.deploy()
    last = one.answered()
    assert one.webhook.replay(last["id"])["status"] == "WAITING"
    assert one.answered()["status"] == "DELIVERED"
    assert [received.headers["webhook-id"] for received in receiver.received] == [last["id"]] * 2


def test_a_redirect_is_taken_once_it_was_checked(office: Callable[..., Office], receiver: Receiver) -> None:
    receiver.answers = [Answer(307, {"location": "/elsewhere"}), Answer(308, {"location": receiver.url + "/again"})]
    one = office(receiver.url)
    one.deploy()
    assert one.answered()["status"] == "DELIVERED"
    assert [received.path for received in receiver.received] == ["/hook", "/elsewhere", "/hook/again"]
    assert len({received.body for received in receiver.received}) == 1


@pytest.mark.parametrize(
    ("location", "reason"),
    [
        ("https://127.0.0.2:{port}/", "127.0.0.2"),
        ("http://127.1.0.1:{port}/", "https alone"),
        ("https://0x7f.2:{port}/", "127.0.0.2"),
        ("https://[::1]:{port}/", "::1"),
        ("https://[::ffff:127.0.0.1]:{port}/", "::ffff"),
        ("https://169.254.169.254/latest/meta-data/", "169.254.169.254"),
        ("file:///etc/passwd", "https addresses"),
        ("https://user:password@127.0.0.1:{port}/", "user or password"),
    ],
)
def test_a_redirect_to_a_private_address_is_refused(
    office: Callable[..., Office], receiver: Receiver, location: str, reason: str
) -> None:
    receiver.answers = [Answer(307, {"location": location.format(port=receiver.port)})]
    one = office(receiver.url, allow=["127.0.0.1"])
    one.deploy()
    last = one.answered()
    assert last["target_response_status_code"] == 0
    assert reason in last["target_response_body"]
    assert len(receiver.received) == 1


def test_redirects_come_to_an_end(office: Callable[..., Office], receiver: Receiver) -> None:
    receiver.answers = [Answer(307, {"location": "/round"}) for _ in range(10)]
    one = office(receiver.url)
    one.deploy()
    assert one.answered()["target_response_body"] == "more than 3 redirects"
    assert len(receiver.received) == 4


def test_a_redirect_to_another_method_is_an_answer(office: Callable[..., Office], receiver: Receiver) -> None:
    receiver.answers = [Answer(302, {"location": "/login"}, b"")]
    one = office(receiver.url)
    one.deploy()
    last = one.answered()
    assert (last["status"], last["target_response_status_code"]) == ("WAITING", 302)


def test_a_name_is_resolved_once_and_every_address_is_checked(
    office: Callable[..., Office], receiver: Receiver
) -> None:
    asked: list[str] = []

    def resolver(host: str, port: int) -> Sequence[str]:
        asked.append(host)
        return ["93.184.216.34", "127.0.0.1"]

    one = office(f"https://hooks.example.com:{receiver.port}/", allow=(), resolver=resolver)
    one.deploy()
    assert "127.0.0.1" in one.answered()["target_response_body"]
    assert asked == ["hooks.example.com"]
    assert receiver.received == []


def test_a_name_that_changes_its_mind_changes_nothing(office: Callable[..., Office], receiver: Receiver) -> None:
    answers = [["127.0.0.1"], ["10.0.0.1"]]
    one = office(
        f"http://hooks.example.com:{receiver.port}/",
        allow=["127.0.0.1", "hooks.example.com"],
        resolver=lambda host, port: answers.pop(0),
    )
    one.deploy()
    assert one.answered()["status"] == "DELIVERED"
    assert answers == [["10.0.0.1"]]
    assert receiver.received[0].headers["host"] == f"hooks.example.com:{receiver.port}"


def test_a_name_that_is_unknown_is_a_failure(office: Callable[..., Office]) -> None:
    def resolver(host: str, port: int) -> Sequence[str]:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    one = office("https://hooks.example.com/", allow=(), resolver=resolver)
    one.deploy()
    assert "not known" in one.answered()["target_response_body"]


@pytest.mark.parametrize("answer", [Answer(until=threading.Event()), Answer(drips=True)], ids=["silent", "dripping"])
def test_a_slow_receiver_is_given_up(office: Callable[..., Office], receiver: Receiver, answer: Answer) -> None:
    receiver.answers = [answer]
    one = office(receiver.url, timeout=0.3)
    one.deploy()
    last = one.answered()
    assert (last["status"], last["target_response_status_code"]) == ("WAITING", 0)
    assert "Timeout" in last["target_response_body"]
    if answer.until is not None:
        answer.until.set()


def test_of_an_endless_answer_the_beginning_is_kept(office: Callable[..., Office], receiver: Receiver) -> None:
    receiver.answers = [Answer(headers={"content-length": str(1 << 40)}, body=b"\xc3\xa4" * 50_000, endless=True)]
    one = office(receiver.url)
    one.deploy()
    last = one.answered()
    assert last["status"] == "DELIVERED"
    assert last["target_response_body"].startswith("ää")
    assert len(last["target_response_body"]) <= 4096


def test_a_status_that_there_is_not_is_a_failure(office: Callable[..., Office], receiver: Receiver) -> None:
    receiver.answers = [Answer(799)]
    one = office(receiver.url)
    one.deploy()
    last = one.answered()
    assert last["target_response_status_code"] == 0
    assert "799" in last["target_response_body"]


def test_no_receiver_listens(office: Callable[..., Office], receiver: Receiver) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        one = office(f"http://127.0.0.1:{unused.getsockname()[1]}/")
        one.deploy()
        assert "ConnectError" in one.answered()["target_response_body"]


@pytest.mark.parametrize(("host", "status"), [("hooks.example.com", 200), ("other.example.com", 0)])
def test_the_certificate_must_be_that_of_the_name(
    office: Callable[..., Office], tmp_path: Path, host: str, status: int
) -> None:
    server, client = certificate(tmp_path, "hooks.example.com")
    receiver = Receiver(server)
    try:
        one = office(f"https://{host}:{receiver.port}/", ssl_context=client, resolver=lambda host, port: ["127.0.0.1"])
        one.deploy()
        last = one.answered()
        assert last["target_response_status_code"] == status
        assert status == 200 or "CERTIFICATE_VERIFY_FAILED" in last["target_response_body"]
        assert len(receiver.received) == (1 if status == 200 else 0)
    finally:
        receiver.close()


def test_the_guard_knows_the_addresses_of_the_core() -> None:
    lines = [
        line.split()
        for line in (TABLES / "addresses.txt").read_text().splitlines()
        if line and not line.startswith("#")
    ]
    assert len(lines) > 60
    for word, address in lines:
        assert is_public(ipaddress.ip_address(address)) == (word == "public"), address


def test_the_guard_lets_through_what_is_allowed_and_no_more() -> None:
    guard = Guard(["10.1.0.0/16", "Hooks.Internal"])
    guard.check("http://10.1.2.3/", "10.1.2.3", ["10.1.2.3"])
    guard.check("http://hooks.internal./", "hooks.internal.", ["192.168.0.1"])
    for url, host, addresses in [
        ("https://a.example/", "a.example", ["10.2.0.1"]),
        ("https://a.example/", "a.example", ["8.8.8.8", "fe80::1%eth0"]),
        ("http://a.example/", "a.example", ["8.8.8.8"]),
        ("http://a.example/", "a.example", ["10.1.0.1", "8.8.8.8"]),
        ("https://a.example/", "a.example", []),
    ]:
        with pytest.raises(Refused):
            guard.check(url, host, addresses)


def test_webhooks_lead_to_the_public_internet(office: Callable[..., Office]) -> None:
    with orlop.Simulation() as simulation:
        organization = furnish(simulation).organization
        with pytest.raises(orlop.Invalid, match="public internet"):
            organization.webhooks.create(kind="STANDARD", target_url="https://127.1/", events=["DEPLOYMENT_STARTED"])
    with pytest.raises(orlop.Misuse, match="webhook_allow"):
        orlop.Engine(webhook_allow=["*.example.com"])


def test_a_webhook_sender_serves_one_engine() -> None:
    webhook_sender = HttpWebhookSender()
    with orlop.Engine(webhook_sender=webhook_sender), pytest.raises(orlop.Misuse, match="one engine"):
        orlop.Engine(webhook_sender=webhook_sender)


def test_a_simulation_answers_by_itself() -> None:
    with orlop.Simulation() as simulation:
        platform = furnish(simulation)
        platform.container()
        webhook = platform.organization.webhooks.create(
            kind="SLACK",
            target_url="https://hooks.slack.com/services/T/B/x",
            events=["DEPLOYMENT_SUCCESSFUL"],
            project_names_filter=["sh*"],
        )
        simulation.receivers.add(url="https://hooks.slack.com/*", status=503, text="later", times=2)
        platform.environment.deploy()
        assert simulation.run_until_idle() == pytest.approx(5 + 300)
        (delivery,) = webhook.deliveries()
        assert (delivery["status"], delivery["attempts"]) == ("DELIVERED", 3)
        simulation.receivers.clear()


def test_a_simulation_knows_git_webhooks() -> None:
    with orlop.Simulation() as simulation:
        platform = furnish(simulation)
        application = platform.environment.applications.create(
            name="api", git_repository={"url": "https://github.com/acme/api.git", "provider": "GITHUB"}, healthchecks={}
        )
        path = f"/service/{application.id}/gitWebhookStatus"

        def status() -> dict[str, Any]:
            answer: dict[str, Any] = simulation.request("GET", path).check()
            return answer

        assert status()["status"] == "UNABLE_TO_VERIFY"
        simulation.externals.add(
            "find_webhook", ["push"], where={"provider": "GITHUB", "url": "https://github.com/acme/*"}
        )
        assert status() == {"status": "MISCONFIGURED", "provider": "GITHUB", "missing_events": ["pull_request"]}
        simulation.externals.add("find_webhook", ["push", "pull_request"])
        assert status() == {"status": "ACTIVE", "provider": "GITHUB"}
        simulation.externals.add("find_webhook", None)
        assert status()["status"] == "NOT_CONFIGURED"
        simulation.externals.clear()
        assert status()["status"] == "UNABLE_TO_VERIFY"


def test_the_example_of_the_guide_prints_what_became_of_its_message() -> None:
    ran = subprocess.run(
        [sys.executable, ROOT / "examples/python/webhooks.py"], capture_output=True, text=True, check=True
    )
    assert ran.stdout.splitlines() == ["DEPLOYMENT_SUCCESSFUL DELIVERED after 3 attempts", "live DEPLOYED"]


@contextlib.contextmanager
def served(store: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    command = [
        sys.executable,
        "-m",
        "orlop",
        "serve",
        store,
        "--port",
        "0",
        "--webhooks",
        "--webhook-allow",
        "127.0.0.1",
    ]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            yield server, server.stdout.readline().split(" at ")[1].split()[0]
        finally:
            server.terminate()


def deploy_over_http(url: str, receiver: Receiver) -> None:
    def post(path: str, body: dict[str, Any] | None = None) -> str:
        asked = urllib.request.Request(
            url + path, json.dumps(body).encode() if body else b"", {"content-type": "application/json"}
        )
        return str(json.loads(urllib.request.urlopen(asked, timeout=20).read()).get("id", ""))

    acme = f"/organization/{post('/organization', {'name': 'acme', 'plan': 'FREE'})}"
    cluster = post(f"{acme}/cluster", {"name": "europe", "region": "eu-west-3", "cloud_provider": "AWS"})
    post(f"{acme}/cluster/{cluster}/deploy")
    post(f"{acme}/webhook", {"kind": "STANDARD", "target_url": receiver.url, "events": ["DEPLOYMENT_SUCCESSFUL"]})
    project = post(f"{acme}/project", {"name": "shop"})
    environment = f"/environment/{post(f'/project/{project}/environment', {'name': 'live'})}"
    post(f"{environment}/database", {"name": "orders", "type": "REDIS", "version": "7", "mode": "CONTAINER"})
    post(f"{environment}/deploy")


def test_the_server_sends_messages_if_the_flag_is_set(receiver: Receiver) -> None:
    with served("memory:") as (_, url):
        deploy_over_http(url, receiver)
        assert receiver.arrived.acquire(timeout=20)
    assert json.loads(receiver.received[0].body)["data"]["status"] == "DEPLOYED"


def test_a_server_that_was_killed_sends_the_same_message_again(receiver: Receiver, tmp_path: Path) -> None:
    never = threading.Event()
    receiver.answers = [Answer(until=never)]
    store = str(tmp_path / "platform.db")
    with served(store) as (server, url):
        deploy_over_http(url, receiver)
        assert receiver.arrived.acquire(timeout=20)
        server.kill()
        server.wait()
    with served(store):
        assert receiver.arrived.acquire(timeout=20)
    never.set()
    first, second = receiver.received
    assert second.headers["webhook-id"] == first.headers["webhook-id"]
    assert second.body == first.body


def test_a_simulation_that_is_served_touches_nothing_real() -> None:
    command = [sys.executable, "-m", "orlop", "serve", "--sim", "--webhooks", "--port", "0"]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert ended.returncode == 2
    assert "exclude each other" in ended.stderr
