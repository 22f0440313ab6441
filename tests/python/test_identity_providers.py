"""An identity provider that is slow, gone or answers nonsense, and tokens that are refused with a reason."""

from __future__ import annotations

import contextlib
import json
import logging
import socket
import threading
from collections.abc import Callable, Iterator
from typing import Any

import jwt
import pytest

import orlop
from orlop.externals import oidc
from processes import wait_until
from test_oidc import CLAIMS, ISSUER, KEYS, NOW, OTHER_RSA, RSA, public, token, token_authenticator

SECRET = b"bytes of the provider"


def http(body: bytes, status: bytes = b"200 OK") -> bytes:
    return b"HTTP/1.1 " + status + b"\r\nConnection: close\r\nContent-Length: %d\r\n\r\n" % len(body) + body


def silence(line: socket.socket, ended: threading.Event) -> None:
    ended.wait()


def drip(begin: bytes) -> Callable[[socket.socket, threading.Event], None]:
    def send(line: socket.socket, ended: threading.Event) -> None:
        line.sendall(begin)
        while not ended.wait(0.02):  # the pace of the provider
            line.sendall(b"x")

    return send


NONSENSE: dict[str, bytes | Callable[[socket.socket, threading.Event], None]] = {
    "it closes": b"",
    "it speaks another protocol": b"220 " + SECRET + b"\r\n",
    "a head without an end": b"HTTP/1.1 200 OK\r\nx: " + SECRET,
    "a line of a head without an end": b"HTTP/1.1 200 OK\r\nx: " + b"x" * 70_000,
    "a body without its end": b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n" + SECRET,
    "chunks that are none": b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + SECRET,
    "an error": http(SECRET, b"500 " + SECRET),
    "a page": http(b"<html>" + SECRET),
    "no text": http(b"\xff\xfe\xff"),
    "deep JSON": http(b'{"keys":' + b"[" * 200_000),
    "deep objects": http(b'{"a":' * 100_000),
    "a long number": http(b'{"keys":' + b"9" * 10_000 + b"}"),
    "an empty object": http(b"{}"),
    "no keys": http(b'{"keys":[]}'),
    "null keys": http(b'{"keys":null}'),
    "keys that are a number": http(b'{"keys":7}'),
    "keys that are none": http(
        b'{"keys":[7,null,[],{},{"kty":[]},{"kty":"RSA"},{"kty":"RSA","n":7,"e":[]},{"kty":"EC","crv":{},"x":0,"y":0}]}'
    ),
    "a list": http(b"[]"),
    "an empty body": http(b""),
    "too much": http(b" " * (2 << 20)),
    "it is silent": silence,
    "bytes of a head, one after the other": drip(b"HTTP/1.1 200 OK\r\nx: "),
    "bytes of a body, one after the other": drip(b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n"),
}


class Provider:
    """Sends its answer to every client that connects."""

    def __init__(self) -> None:
        self.answer: bytes | Callable[[socket.socket, threading.Event], None] = http(json.dumps(KEYS).encode())
        self.ended = threading.Event()
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._socket.getsockname()[1]}/keys"
        threading.Thread(target=self._run, daemon=True).start()

    def _run(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                line, _ = self._socket.accept()
                threading.Thread(target=self._send, args=(line, self.answer), daemon=True).start()

    def _send(self, line: socket.socket, answer: bytes | Callable[[socket.socket, threading.Event], None]) -> None:
        with line, contextlib.suppress(OSError):
            line.recv(65536)
            if isinstance(answer, bytes):
                line.sendall(answer)
                line.shutdown(socket.SHUT_WR)
                line.recv(65536)
            else:
                answer(line, self.ended)

    def close(self) -> None:
        self.ended.set()
        self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()


@pytest.fixture
def provider(monkeypatch: pytest.MonkeyPatch) -> Iterator[Provider]:
    monkeypatch.setattr(oidc, "_PATIENCE", 0.2)
    monkeypatch.setattr(oidc, "_PATIENCE_WITH_KEY", 0.05)
    monkeypatch.setattr(oidc, "_ANSWERS_WITHIN", 0.3)
    with contextlib.closing(Provider()) as made:
        yield made


@pytest.mark.parametrize("answer", NONSENSE.values(), ids=NONSENSE)
def test_keys_at_hand_are_used_whatever_the_provider_answers(provider: Provider, answer: Any) -> None:
    people = oidc.TokenAuthenticator(provider.url, issuer=ISSUER, audience="orlop", pause=0, age=0)
    assert people.identify(token(), NOW).subject == "user-1"
    provider.answer = answer
    for _ in range(3):
        assert people.identify(token(), NOW).subject == "user-1"
    with pytest.raises(orlop.Unauthenticated, match="no key of the provider for RS256 has the kid 'new'"):
        people.identify(token(OTHER_RSA, key_id="new"), NOW)
    wait_until(lambda: people._keys._reading is None, "the end of the reading")
    provider.answer = http(json.dumps({"keys": [public(OTHER_RSA, "new")]}).encode())
    assert people.identify(token(OTHER_RSA, key_id="new"), NOW).subject == "user-1", "it reads no more"
    with pytest.raises(orlop.Unauthenticated):
        people.identify(token(), NOW)


@pytest.mark.parametrize("answer", NONSENSE.values(), ids=NONSENSE)
def test_no_byte_of_the_provider_is_in_an_answer(
    provider: Provider, answer: Any, caplog: pytest.LogCaptureFixture
) -> None:
    provider.answer = answer
    people = oidc.TokenAuthenticator(provider.url, issuer=ISSUER, audience="orlop")
    with orlop.Engine(authentication="required", external_systems=people, clock=lambda: NOW) as engine:
        reply = engine.request("GET", "/organization", headers={"authorization": f"Bearer {token()}"}, trusted=False)
        assert reply.status == 401
        assert SECRET not in reply.body and b"Error" not in reply.body
    wait_until(lambda: people._keys._reading is None, "the end of the reading")
    assert "a token is refused: the provider's keys cannot be read" in caplog.text
    assert "the keys of the identity provider cannot be read: " in caplog.text


@pytest.mark.parametrize("answer", NONSENSE.values(), ids=NONSENSE)
def test_a_description_that_is_none_is_refused_in_words(provider: Provider, answer: Any) -> None:
    provider.answer = answer
    with pytest.raises(orlop.Misuse, match="issuer "):
        oidc.TokenAuthenticator.discover(provider.url.removesuffix("/keys"), audience="orlop")


def test_a_function_that_never_returns_keeps_no_token_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(oidc, "_PATIENCE_WITH_KEY", 0.05)
    monkeypatch.setattr(oidc, "_LOST_AFTER", 0.0)
    ended, reads = threading.Event(), [KEYS]

    def fetch() -> Any:
        if reads:
            return reads.pop()
        ended.wait()
        return {"keys": []}

    check = token_authenticator(fetch, pause=0, age=0)
    for _ in range(5):
        assert check(token(), NOW).subject == "user-1"
    reads.append({"keys": [public(OTHER_RSA, "new")]})
    assert check(token(OTHER_RSA, key_id="new"), NOW).subject == "user-1", "the reading before is waited for"
    ended.set()


def test_the_function_may_not_call_an_engine() -> None:
    with orlop.Engine() as engine:
        refused: list[BaseException] = []

        def fetch() -> Any:
            try:
                engine.request("GET", "/organization")
            except BaseException as error:
                refused.append(error)
            return KEYS

        assert token_authenticator(fetch)(token(), NOW).subject == "user-1"
        assert refused


def signed(claims: dict[str, Any], headers: dict[str, Any] | None = None) -> str:
    """Returns a token that only a provider without any check would issue."""
    return jwt.PyJWS().encode(
        json.dumps({**CLAIMS, **claims}).encode(), RSA, "RS256", {"kid": "rsa", **(headers or {})}
    )


def each(claim: str, reason: str, *wrong: Any) -> list[tuple[dict[str, Any], str]]:
    return [({claim: one}, reason) for one in wrong]


REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"exp": NOW - 60}, "it has expired: the claim exp is 1799999940, the time is 1800000000"),
    ({"exp": None}, "the claim exp is missing"),
    *each(
        "exp",
        "the claim exp must be a number of seconds",
        "never",
        True,
        [],
        {},
        float("inf"),
        float("nan"),
        10**400,
        "1e400",
    ),
    ({"exp": -1}, "it has expired"),
    ({"nbf": NOW + 61}, "it is not valid yet: the claim nbf is 1800000061"),
    *each("nbf", "the claim nbf must be a number of seconds", "", None, [NOW], -float("inf")),
    ({"iat": NOW + 61}, "it is not valid yet: the claim iat is"),
    ({"iat": "soon"}, "the claim iat must be a number of seconds"),
    *each("iss", "the claim iss must be the issuer", "https://id.example.evil", "", 7, [ISSUER], {}),
    ({"iss": None}, "the claim iss is missing"),
    *each("aud", "the claim aud must name the audience", "other", 7, [7], {"orlop": 1}),
    *each("aud", "the claim aud is missing", None, "", {}),
    *each("sub", "the claim sub must be a text of 1 to 255 bytes", "", 7, [], {}, "x" * 256, "\u00e9" * 128, "\ud800"),
    ({"sub": None}, "the claim sub is missing"),
]


@pytest.mark.parametrize(("claims", "reason"), REFUSED)
def test_each_refused_claim_is_401_with_its_reason_in_the_log(
    claims: dict[str, Any], reason: str, caplog: pytest.LogCaptureFixture
) -> None:
    people = oidc.TokenAuthenticator(KEYS, issuer=ISSUER, audience="orlop")
    with orlop.Engine(authentication="required", external_systems=people, clock=lambda: NOW) as engine:
        reply = engine.request(
            "GET", "/organization", headers={"authorization": f"Bearer {signed(claims)}"}, trusted=False
        )
    assert reply.status == 401
    assert [(record.name, record.levelno) for record in caplog.records] == [("orlop.oidc", logging.WARNING)]
    assert caplog.messages[0].startswith(f"a token is refused: the token is invalid: {reason}")


@pytest.mark.parametrize(
    ("claims", "person"),
    [
        ({"name": "\ud800"}, ("user-1", "ada@example.com", "")),
        ({"name": "\u00e9" * 128, "email": "\u00e9" * 128}, ("user-1", "", "")),
        ({"name": 7, "email": ["ada@example.com"]}, ("user-1", "", "")),
        ({"sub": "\u00e9" * 127, "exp": 1e300}, ("\u00e9" * 127, "ada@example.com", "Ada")),
        ({"jti": "x", "nonce": [], "groups": {}}, ("user-1", "ada@example.com", "Ada")),
    ],
)
def test_a_claim_that_is_not_needed_refuses_nobody(claims: dict[str, Any], person: tuple[str, str, str]) -> None:
    people = oidc.TokenAuthenticator(KEYS, issuer=ISSUER, audience="orlop")
    assert people.identify(signed(claims), NOW) == person
    with orlop.Engine(authentication="required", external_systems=people, clock=lambda: NOW) as engine:
        assert (
            engine.request(
                "GET", "/organization", headers={"authorization": f"Bearer {signed(claims)}"}, trusted=False
            ).status
            == 200
        )


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        (
            lambda: token(RSA, "RS512"),
            "the signing algorithm 'RS512' is not accepted; accepted: ES256, EdDSA, PS256, RS256",
        ),
        (lambda: signed({}, {"kid": "new"}), "no key of the provider for RS256 has the kid 'new'"),
        (lambda: token(OTHER_RSA), "its signature does not match"),
        (lambda: signed({}, {"crit": ["b64"]}), ""),
        (lambda: "a.b.c", "it is not a JWT that can be read"),
        (lambda: "a" * 20_000, "it must be at most 16384 letters of ASCII"),
    ],
)
def test_a_token_that_is_refused_has_its_reason(wrong: Callable[[], str], reason: str) -> None:
    with pytest.raises(orlop.Unauthenticated) as refused:
        token_authenticator()(wrong(), NOW)
    assert str(refused.value).startswith(f"the token is invalid: {reason}")
