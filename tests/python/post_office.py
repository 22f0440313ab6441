"""Shared by the tests of webhooks: a receiver on the loopback, and an engine with one webhook and a clock that the test
moves."""

from __future__ import annotations

import base64
import hashlib
import hmac
import ssl
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from conftest import Platform, furnish
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

import orlop
from orlop.webhook_senders import HttpWebhookSender
from orlop.models import OrganizationWebhook

LOOPBACK = ("127.0.0.0/8",)
KEY = b"k" * 32


@dataclass
class Received:
    path: str
    headers: dict[str, str]
    body: bytes


@dataclass
class Answer:
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b"thanks"
    until: threading.Event | None = None  # answers only after this is set
    drips: bool = False  # sends headers without end
    endless: bool = False  # sends a body without end


class _Server(ThreadingHTTPServer):
    def handle_error(self, request: object, client_address: object) -> None:
        """A webhook sender may close the connection: no error is printed."""


class Receiver:
    """A server on the loopback that answers from a list, and then 200."""

    def __init__(self, context: ssl.SSLContext | None = None) -> None:
        self.received: list[Received] = []
        self.answers: list[Answer] = []
        self.arrived = threading.Semaphore(0)
        self.ended = threading.Event()
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers.get("content-length", "0")))
                receiver.received.append(
                    Received(self.path, {name.lower(): value for name, value in self.headers.items()}, body)
                )
                answer = receiver.answers.pop(0) if receiver.answers else Answer()
                receiver.arrived.release()
                if answer.until is not None:
                    answer.until.wait(600)
                if answer.drips:
                    self.drip()
                    return
                self.send_response(answer.status)
                for name, value in {"content-length": str(len(answer.body)), **answer.headers}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(answer.body)
                while answer.endless and not receiver.ended.is_set():
                    self.wfile.write(answer.body)

            def drip(self) -> None:
                self.wfile.write(b"HTTP/1.1 200 OK\r\n")
                try:
                    while not receiver.ended.wait(0.05):
                        self.wfile.write(b"x-drop: 1\r\n")
                        self.wfile.flush()
                except OSError:
                    return

            def log_message(self, *_: object) -> None:
                pass

        self.server = _Server(("127.0.0.1", 0), Handler)
        if context is not None:
            self.server.socket = context.wrap_socket(self.server.socket, server_side=True)
        self.port = self.server.server_address[1]
        self.thread = threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True)
        self.thread.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/hook"

    def close(self) -> None:
        self.ended.set()
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()


class Time:
    """Clock of the engine, which the test moves."""

    def __init__(self) -> None:
        self.now = 1_767_225_600.0

    def __call__(self) -> float:
        return self.now

    def monotonic(self) -> float:
        return self.now


class Office:
    """An engine with a webhook sender and one webhook, on a clock that the test moves."""

    def __init__(
        self, url: str, *, storage: str = "memory:", allow: Sequence[str] = LOOPBACK, **webhook_sender: Any
    ) -> None:
        self.time = Time()
        self.engine = orlop.Engine(
            storage, clock=self.time, webhook_sender=HttpWebhookSender(**webhook_sender), webhook_allow=allow
        )
        self.platform: Platform = furnish(self.engine)
        self.platform.container()
        self.webhook: OrganizationWebhook = self.platform.organization.webhooks.create(
            kind="STANDARD",
            target_url=url,
            target_secret="whsec_" + base64.b64encode(KEY).decode(),
            events=["DEPLOYMENT_STARTED"],
        )

    def deploy(self) -> None:
        self.platform.environment.deploy()
        self.settle()

    def settle(self) -> None:
        while self.engine.tick() == 0:
            pass

    def last(self) -> dict[str, Any]:
        return self.webhook.deliveries()[0]

    def answered(self, attempts: int = 1) -> dict[str, Any]:
        """Waits until `attempts` attempts were answered, and returns the last message."""
        while True:
            self.settle()
            last = self.last()
            if last["attempts"] >= attempts and last["status"] != "SENDING":
                return last
            assert self.engine._core.wait(20), f"no answer came: {last}"

    def close(self) -> None:
        self.engine.close()


def signature_of(received: Received) -> str:
    """Computes the signature independently, as the specification defines it."""
    content = b".".join(
        [received.headers["webhook-id"].encode(), received.headers["webhook-timestamp"].encode(), received.body]
    )
    return "v1," + base64.b64encode(hmac.new(KEY, content, hashlib.sha256).digest()).decode()


def certificate(tmp_path: Path, name: str) -> tuple[ssl.SSLContext, ssl.SSLContext]:
    """Returns the context of a server with that name, and of a client that trusts it."""
    key = ec.generate_private_key(ec.SECP256R1())
    issued = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    now = datetime.now(timezone.utc)
    made = (
        x509.CertificateBuilder()
        .subject_name(issued)
        .issuer_name(issued)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
        .sign(key, hashes.SHA256())
    )
    file = tmp_path / "server.pem"
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    file.write_bytes(private + made.public_bytes(serialization.Encoding.PEM))
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.load_cert_chain(file)
    client = ssl.create_default_context(cafile=str(file))
    return server, client
