"""Tokens of people: only tokens signed by a provider are accepted. The tests generate all keys."""

from __future__ import annotations

import base64
import hashlib
import hmac
import http.server
import json
import threading
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa

import orlop
from orlop import _core, oidc

NOW = 1_800_000_000.0
ISSUER = "https://id.example"
RSA = rsa.generate_private_key(public_exponent=65537, key_size=2048)
OTHER_RSA = rsa.generate_private_key(public_exponent=65537, key_size=2048)
SMALL_RSA = rsa.generate_private_key(public_exponent=65537, key_size=1024)
EC = ec.generate_private_key(ec.SECP256R1())
ED = ed25519.Ed25519PrivateKey.generate()


def public(key: Any, key_id: str | None, **more: Any) -> dict[str, Any]:
    algorithm: Any = {
        rsa.RSAPrivateKey: jwt.algorithms.RSAAlgorithm,
        ec.EllipticCurvePrivateKey: jwt.algorithms.ECAlgorithm,
    }.get(
        next((kind for kind in (rsa.RSAPrivateKey, ec.EllipticCurvePrivateKey) if isinstance(key, kind)), None),  # type: ignore[arg-type]
        jwt.algorithms.OKPAlgorithm,
    )
    described: dict[str, Any] = json.loads(algorithm.to_jwk(key.public_key()))
    return {**described, **({"kid": key_id} if key_id else {}), "use": "sig", **more}


KEYS = {"keys": [public(RSA, "rsa"), public(EC, "ec"), public(ED, "ed"), public(SMALL_RSA, "small")]}
CLAIMS = {
    "iss": ISSUER,
    "aud": "orlop",
    "sub": "user-1",
    "exp": NOW + 300,
    "nbf": NOW - 10,
    "iat": NOW - 10,
    "name": "Ada",
    "email": "ada@example.com",
    "email_verified": True,
}
warnings.simplefilter("ignore", jwt.warnings.InsecureKeyLengthWarning)  # one key is too short on purpose


def token(
    key: Any = RSA, algorithm: str = "RS256", key_id: str | None = "rsa", headers: Any = None, **changes: Any
) -> str:
    claims = {name: value for name, value in {**CLAIMS, **changes}.items() if value is not None}
    return jwt.encode(claims, key, algorithm, {**({"kid": key_id} if key_id else {}), **(headers or {})})


def token_authenticator(keys: Any = None, **options: Any) -> Callable[[str, float], oidc.Identity]:
    return oidc.TokenAuthenticator(
        KEYS if keys is None else keys, **{"issuer": ISSUER, "audience": "orlop", **options}
    ).identify


def test_the_question_is_answered() -> None:
    people = oidc.TokenAuthenticator(KEYS, issuer=ISSUER, audience="orlop")
    at = _core.format_time(int(NOW * 1000))
    assert people.authenticate({"token": token(), "at": at}) == {
        "subject": "user-1",
        "email": "ada@example.com",
        "name": "Ada",
    }
    assert people.authenticate({"token": "junk", "at": at}) is None
    assert people.authenticate({"token": token(exp=NOW - 3600), "at": at}) is None


@pytest.mark.parametrize(
    "good",
    [
        token(),
        token(EC, "ES256", "ec"),
        token(ED, "EdDSA", "ed"),
        token(RSA, "PS256"),
        token(aud=["other", "orlop"]),
        token(EC, "ES256", None),
        token(exp=NOW - 59),
        token(nbf=NOW + 59, iat=NOW + 59),
        token(nbf=None, iat=None),
    ],
)
def test_what_the_provider_signed_counts(good: str) -> None:
    assert token_authenticator()(good, NOW) == oidc.Identity("user-1", "ada@example.com", "Ada")


def unsigned(algorithm: str) -> str:
    parts = [{"alg": algorithm, "typ": "JWT", "kid": "rsa"}, CLAIMS]
    return ".".join(base64.urlsafe_b64encode(json.dumps(part).encode()).rstrip(b"=").decode() for part in parts) + "."


def signed_with_the_public_key() -> str:
    """Known attack: signs a token with the provider's public key as if it were a shared secret."""
    secret = RSA.public_key().public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
    text = unsigned("HS256").rstrip(".")
    return (
        text
        + "."
        + base64.urlsafe_b64encode(hmac.new(secret, text.encode(), hashlib.sha256).digest()).rstrip(b"=").decode()
    )


def altered() -> str:
    head, _, signature = token().split(".")
    claims = base64.urlsafe_b64encode(json.dumps({**CLAIMS, "sub": "admin"}).encode()).rstrip(b"=").decode()
    return f"{head}.{claims}.{signature}"


REFUSED = {
    "no algorithm": unsigned("none"),
    "no algorithm, in capitals": unsigned("NONE"),
    "a shared secret": signed_with_the_public_key(),
    "an algorithm that is not pinned": token(RSA, "RS512"),
    "altered claims": altered(),
    "no signature": token().rpartition(".")[0] + ".",
    "another key under a known name": token(OTHER_RSA),
    "a key of another kind": token(EC, "ES256", "rsa"),
    "a key that is not known": token(OTHER_RSA, key_id="new"),
    "a key that is too short": token(SMALL_RSA, key_id="small"),
    "expired": token(exp=NOW - 60),
    "long expired": token(exp=NOW - 1e6),
    "not yet": token(nbf=NOW + 61),
    "from the future": token(iat=NOW + 61),
    "never ends": token(exp=None),
    "ends at a word": token(exp="never"),
    "ends at infinity": token(exp=float("inf")),
    "ends at true": token(exp=True),
    "another audience": token(aud="other"),
    "no audience": token(aud=None),
    "another issuer": token(iss="https://id.example.evil"),
    "no issuer": token(iss=None),
    "no subject": token(sub=None),
    "an empty subject": token(sub=""),
    "a number as subject": token(sub=7),
    "an endless subject": token(sub="x" * 256),
    "what must be understood": token(headers={"crit": ["b64"], "b64": False}),
    "nothing": "",
    "a word": "word",
    "dots": "..",
    "five parts": "a.b.c.d.e",
    "no base64": "!.!.!",
    "no text": "\udcff\u20ac.a.b",
    "too long": "a" * 20_000,
    "a pit": base64.urlsafe_b64encode(b'{"a":' * 2000).decode() + ".e30.",
    "a list": base64.urlsafe_b64encode(b"[]").decode() + ".e30.",
    "a key in the token": token(
        OTHER_RSA, key_id="new", headers={"jwk": public(OTHER_RSA, "new"), "jku": "http://127.0.0.1:1/keys"}
    ),
}


@pytest.mark.parametrize("why", REFUSED)
def test_nothing_else_counts(why: str) -> None:
    with pytest.raises(orlop.Unauthenticated) as refused:
        token_authenticator()(REFUSED[why], NOW)
    assert refused.value.status == 401
    assert not REFUSED[why] or len(REFUSED[why]) < 20 or REFUSED[why] not in str(refused.value)


def test_a_token_that_names_no_key_counts_if_only_one_fits() -> None:
    assert token_authenticator()(token(key_id=None), NOW).subject == "user-1"
    with pytest.raises(orlop.Unauthenticated):
        token_authenticator({"keys": [public(RSA, "rsa"), public(OTHER_RSA, "new")]})(token(key_id=None), NOW)


def test_time_is_the_engines() -> None:
    old = token(exp=1000.0, nbf=900.0, iat=900.0)
    assert token_authenticator(leeway=0)(old, 999.9).subject == "user-1"
    for now in (899.9, 1000.0):
        with pytest.raises(orlop.Unauthenticated):
            token_authenticator(leeway=0)(old, now)


def test_an_email_counts_if_it_is_verified() -> None:
    for unverified in (None, False, "false", 1):
        assert token_authenticator()(token(email_verified=unverified), NOW).email == ""
    assert token_authenticator()(token(email_verified="true"), NOW).email == "ada@example.com"
    assert token_authenticator(emails_are_verified=True)(token(email_verified=None), NOW).email == "ada@example.com"


@pytest.mark.parametrize(
    "wrong",
    [
        {"algorithms": ["HS256"]},
        {"algorithms": ["RS256", "none"]},
        {"algorithms": []},
        {"issuer": ""},
        {"audience": ""},
        {"audience": []},
        {"audience": [""]},
        {"audience": ["a", ""]},
        {"keys": ""},
        {"keys": "http://id.example/keys"},
        {"keys": "file:///etc/passwd"},
    ],
)
def test_an_authenticator_that_would_take_too_much_cannot_be_made(wrong: dict[str, Any]) -> None:
    with pytest.raises(orlop.Misuse):
        token_authenticator(**wrong)


def test_keys_that_check_no_signatures_are_passed_over() -> None:
    others = [
        {"kty": "oct", "k": "c2VjcmV0", "kid": "rsa"},
        public(OTHER_RSA, "rsa", use="enc"),
        {"kty": "RSA", "kid": "rsa", "n": "!", "e": "AQAB"},
        public(OTHER_RSA, "rsa", alg="RS512"),
        {"kty": "new", "kid": "rsa"},
    ]
    assert token_authenticator({"keys": [*others, public(RSA, "rsa")]})(token(), NOW).subject == "user-1"
    for document in ({"keys": others}, {}):
        with pytest.raises(orlop.Unauthenticated):
            token_authenticator(document)(token(), NOW)


class Provider:
    """Published keys, and the number of reads."""

    def __init__(self, *keys: dict[str, Any]) -> None:
        self.keys = list(keys)
        self.reads = 0
        self.is_down = False

    def __call__(self) -> dict[str, Any]:
        self.reads += 1
        if self.is_down:
            raise OSError("down")
        return {"keys": self.keys}


def test_rotated_keys_are_found_and_old_ones_forgotten() -> None:
    provider = Provider(public(RSA, "rsa"))
    check = token_authenticator(provider, pause=0)
    assert provider.reads == 0
    for _ in range(3):
        check(token(), NOW)
    assert provider.reads == 1
    provider.keys = [public(OTHER_RSA, "new")]
    check(token(OTHER_RSA, key_id="new"), NOW)
    assert provider.reads == 2
    with pytest.raises(orlop.Unauthenticated):
        check(token(), NOW)


def test_unknown_keys_do_not_make_it_read_again_and_again() -> None:
    provider = Provider(public(RSA, "rsa"))
    check = token_authenticator(provider, pause=3600)
    for number in range(20):
        with pytest.raises(orlop.Unauthenticated):
            check(token(OTHER_RSA, key_id=f"made up {number}"), NOW)
    assert provider.reads == 1
    check(token(), NOW)


def test_a_provider_that_is_down() -> None:
    provider = Provider(public(RSA, "rsa"))
    provider.is_down = True
    check = token_authenticator(provider, pause=0, age=0)
    with pytest.raises(orlop.Unauthenticated, match="cannot be read"):
        check(token(), NOW)
    provider.is_down = False
    check(token(), NOW)
    provider.is_down = True
    assert check(token(), NOW).subject == "user-1", "the keys that were read hold on"
    nonsenses: tuple[Any, ...] = ({"keys": 7}, [], {"keys": [7]}, None)
    for nonsense in nonsenses:
        with pytest.raises(orlop.Unauthenticated):
            token_authenticator(lambda made=nonsense: made, pause=0)(token(), NOW)


@pytest.fixture
def site() -> Iterator[tuple[str, dict[str, tuple[int, bytes, str]]]]:
    """Runs a web site; yields its URL, and the answer at each path."""
    pages: dict[str, tuple[int, bytes, str]] = {}

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            status, body, location = pages.get(self.path, (404, b"", ""))
            self.send_response(status)
            if location:
                self.send_header("Location", location)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *given: Any) -> None:
            """Logs nothing."""

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}", pages
        server.shutdown()


def test_keys_are_read_from_where_they_are_published(site: tuple[str, dict[str, tuple[int, bytes, str]]]) -> None:
    url, pages = site
    pages["/keys"] = (200, json.dumps(KEYS).encode(), "")
    pages["/moved"] = (302, b"", f"{url}/keys")
    pages["/huge"] = (200, b" " * (2 << 20), "")
    pages["/.well-known/openid-configuration"] = (
        200,
        json.dumps({"issuer": url, "jwks_uri": f"{url}/keys"}).encode(),
        "",
    )
    assert token_authenticator(f"{url}/keys")(token(), NOW).subject == "user-1"
    for path in ("/moved", "/huge", "/nothing"):
        with pytest.raises(orlop.Unauthenticated):
            token_authenticator(url + path)(token(), NOW)
    found = oidc.TokenAuthenticator.discover(url, audience="orlop")
    assert found.identify(token(iss=url), NOW).subject == "user-1"
    pages["/.well-known/openid-configuration"] = (
        200,
        json.dumps({"issuer": ISSUER, "jwks_uri": f"{url}/keys"}).encode(),
        "",
    )
    with pytest.raises(orlop.Misuse, match="says that it is"):
        oidc.TokenAuthenticator.discover(url, audience="orlop")
