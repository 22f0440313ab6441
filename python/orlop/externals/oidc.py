"""External systems that authenticate the JWTs of an OpenID provider, against its published keys. Needs the extra
`orlop[oidc]`.

    people = orlop.oidc.TokenAuthenticator("https://id.example/keys", issuer="https://id.example", audience="orlop")
    engine = orlop.Engine("platform.db", authentication="required", external_systems=people)

The accepted algorithms are an argument and never taken from the token; all of them use public keys. Expiry is checked
against the engine's time.
"""

from __future__ import annotations

import contextlib
import http.client
import json
import logging
import math
import socket
import threading
import time
import urllib.request
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import jwt

from .. import _core
from ..base.live_objects import Live
from ..errors import Misuse, Unauthenticated, text_of
from ..generated.external_systems import ExternalSystems
from ..options.arguments import number, shown, text, texts

_FAMILIES = {
    "RSA": ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512"),
    "EC": ("ES256", "ES384", "ES512"),
    "OKP": ("EdDSA",),
}
_CURVES = {"P-256": "ES256", "P-384": "ES384", "P-521": "ES512"}
ALGORITHMS = ("RS256", "PS256", "ES256", "EdDSA")
"""Algorithms accepted by default."""

_TOKEN_SIZE_MAX = 16 * 1024
_DOCUMENT_SIZE_MAX = 1 << 20
_RSA_BITS_MIN = 2048
_ANSWERS_WITHIN = 10.0  # seconds that the provider has for its keys, from the connection to the last byte
_LOST_AFTER = 60.0  # seconds after which a reading that has not ended is abandoned
# Seconds that a token waits for the provider's keys. Both are less than `port_timeout` of an engine, 5 by default.
_PATIENCE = 4.0
_PATIENCE_WITH_KEY = 1.0  # if a known, but old key fits the token

_log = logging.getLogger("orlop.oidc")

Fetch = Callable[[], Mapping[str, Any]]


class Identity(NamedTuple):
    """The person that a token authenticates. `subject` is unique for each person, 1 to 255 bytes; `email` and `name`
    may be empty."""

    subject: str
    email: str = ""
    name: str = ""


class TokenAuthenticator(ExternalSystems, Live):
    """Answers the question `authenticate` for JWTs. May be called from any thread. Logs the reason for each refused
    token to the logger `orlop.oidc`.

    `keys` is the key set (JWKS), a function that returns it, or its URL. A URL or function is read on a separate
    thread: at the first token, again when a token names an unknown key, at most once in `pause` (30) seconds, and again
    after `age` (3600) seconds. While reading takes longer than a second or fails, the previous keys stay valid.
    `issuer` and `audience` must equal the token's. `leeway` (60) is the accepted difference between the clocks of
    provider and engine, in seconds. The token's email is used if the provider marks it as verified, or if
    `emails_are_verified` is True. Raises `Misuse` for an argument out of bounds.
    """

    def __init__(
        self,
        keys: str | Mapping[str, Any] | Fetch,
        *,
        issuer: str,
        audience: str | Iterable[str],
        algorithms: Iterable[str] = ALGORITHMS,
        leeway: float = 60,
        pause: float = 30,
        age: float = 3600,
        emails_are_verified: bool = False,
    ) -> None:
        self._algorithms = frozenset(texts("algorithms", algorithms))
        known = {name for names in _FAMILIES.values() for name in names}
        if not self._algorithms or not self._algorithms <= known:
            raise Misuse(
                f"algorithms must be some of {', '.join(sorted(known))}, which have a public key, "
                f"not {shown(', '.join(sorted(map(str, self._algorithms))))}"
            )
        audiences = [audience] if isinstance(audience, str) else texts("audience", audience)
        if not issuer or not audiences or "" in audiences:
            raise Misuse("issuer and audience must not be empty: without them any token of any application would do")
        self._issuer = text("issuer", issuer)
        self._audience = [text("audience", name) for name in audiences]
        self._leeway = number("leeway", leeway)
        self._emails_are_verified = emails_are_verified
        self._keys = _Keys(keys, number("pause", pause), number("age", age))

    @classmethod
    def discover(cls, issuer: str, **options: Any) -> TokenAuthenticator:
        """Makes a token authenticator from the provider's discovery document (OpenID Connect Discovery). `options` are
        those of the class. Raises `Misuse` if it cannot be read."""
        url = text("issuer", issuer).rstrip("/") + "/.well-known/openid-configuration"
        try:
            described = _read(url)
            keys = str(described["jwks_uri"])
        except Exception as error:  # the document may hold anything
            raise Misuse(
                f"issuer must describe itself at {shown(url)}: {type(error).__name__}: {shown(text_of(error))}"
            ) from error
        if described.get("issuer") != issuer:
            raise Misuse(f"issuer {shown(issuer)} says that it is {shown(described.get('issuer'))}")
        return cls(keys, issuer=issuer, **options)

    def authenticate(self, question: Mapping[str, Any]) -> dict[str, str] | None:
        """Returns the person that the token of the question authenticates; None if the token is invalid, with the
        reason in the log."""
        try:
            return self.identify(question["token"], _core.parse_time(question["at"], "at") / 1000)._asdict()
        except Unauthenticated as refused:
            _log.warning("a token is refused: %s", refused)
            return None

    def identify(self, token: str, now: float) -> Identity:
        """Returns the identity that the token proves at `now`, in Unix seconds. Raises `Unauthenticated` if the token
        is invalid."""
        try:
            claims = self._claims(token)
        except (jwt.PyJWTError, ValueError, TypeError, RecursionError) as error:
            raise _invalid(_reason(error)) from None
        self._check_times(claims, now)
        subject = _text(claims, "sub")
        if not subject:
            raise _invalid("the claim sub must be a text of 1 to 255 bytes")
        said = claims.get("email_verified")  # some providers write a text
        is_verified = self._emails_are_verified or said is True or said == "true"
        return Identity(subject, _text(claims, "email") if is_verified else "", _text(claims, "name"))

    def _claims(self, token: str) -> dict[str, Any]:
        if len(token) > _TOKEN_SIZE_MAX or not token.isascii():
            raise _invalid(f"it must be at most {_TOKEN_SIZE_MAX} letters of ASCII")
        header = jwt.get_unverified_header(token)
        algorithm, key_id = header.get("alg"), header.get("kid")
        if algorithm not in self._algorithms:
            raise _invalid(
                f"the signing algorithm {shown(algorithm)} is not accepted; accepted: "
                f"{', '.join(sorted(self._algorithms))}"
            )
        if "crit" in header:
            raise _invalid("the extensions that its header marks as critical are not known")
        key = self._keys.find(key_id if isinstance(key_id, str) else None, algorithm)
        # PyJWT would compare times with the machine's clock, not the engine's.
        options: Any = {
            "require": ["exp", "iss", "aud", "sub"],
            "verify_exp": False,
            "verify_nbf": False,
            "verify_iat": False,
            "verify_sub": False,
        }
        return jwt.decode(
            token, key, algorithms=[algorithm], audience=self._audience, issuer=self._issuer, options=options
        )

    def _check_times(self, claims: Mapping[str, Any], now: float) -> None:
        for claim in ("exp", "nbf", "iat"):
            if claim not in claims:
                continue
            at = _seconds(claims[claim])
            if at is None:
                raise _invalid(f"the claim {claim} must be a number of seconds")
            if claim == "exp" and now >= at + self._leeway:
                raise _invalid(f"it has expired: the claim exp is {at:.0f}, the time is {now:.0f}")
            if claim != "exp" and now < at - self._leeway:
                raise _invalid(f"it is not valid yet: the claim {claim} is {at:.0f}, the time is {now:.0f}")


def _invalid(reason: str) -> Unauthenticated:
    return Unauthenticated(f"the token is invalid: {reason}", 401)


def _reason(error: Exception) -> str:
    """Returns the reason why PyJWT refuses a token, without parts of the token."""
    if isinstance(error, jwt.MissingRequiredClaimError):
        return f"the claim {error.claim} is missing"
    reasons: dict[type[Exception], str] = {
        jwt.InvalidSignatureError: "its signature does not match",
        jwt.InvalidAudienceError: "the claim aud must name the audience that is accepted here",
        jwt.InvalidIssuerError: "the claim iss must be the issuer that is accepted here",
    }
    return reasons.get(type(error), f"it is not a JWT that can be read ({type(error).__name__})")


def _seconds(claim: object) -> float | None:
    if isinstance(claim, bool) or not isinstance(claim, (int, float)):
        return None
    try:
        at = float(claim)
    except OverflowError:
        return None
    return at if math.isfinite(at) else None


class _Keys:
    """The provider's keys, read again when a key is unknown or the keys are old."""

    def __init__(self, given: str | Mapping[str, Any] | Fetch, pause: float, age: float) -> None:
        self._lock = threading.Lock()
        self._pause = pause
        self._age = age
        self._read_at = self._began_at = -math.inf
        self._reading: threading.Event | None = None  # set when the reading has ended
        self._fetch: Fetch | None = None
        self._known: list[tuple[str | None, tuple[str, ...], Any]] = []
        if isinstance(given, str):
            try:
                _check_url(given)
            except ValueError as error:
                raise Misuse(f"keys: {error}") from None
            self._fetch = lambda: _read(given)
        elif callable(given):
            self._fetch = given
        elif isinstance(given, Mapping):
            try:
                self._known = _parse(given)
            except (TypeError, AttributeError) as error:
                raise Misuse("keys must be a set of keys (JWKS), an object with the list `keys`") from error
        else:
            raise Misuse(f"keys must be a URL, a set of keys (JWKS) or a callable, not {shown(given)}")

    def find(self, key_id: str | None, algorithm: str) -> Any:
        """Returns the key with this id for this algorithm; without an id, the only one for it."""
        found = self._suitable(key_id, algorithm)
        if self._fetch is not None and (not found or time.monotonic() - self._read_at > self._age):
            self._refresh(self._fetch, _PATIENCE_WITH_KEY if found else _PATIENCE)
            found = self._suitable(key_id, algorithm)
        if len(found) == 1:
            return found[0]
        if self._fetch is not None and not self._known:
            raise Unauthenticated("the provider's keys cannot be read", 401)
        if found:
            raise _invalid(f"its header must have a kid: {len(found)} keys of the provider are for {algorithm}")
        raise _invalid(f"no key of the provider for {algorithm} has the kid {shown(key_id)}")

    def _suitable(self, key_id: str | None, algorithm: str) -> list[Any]:
        return [key for known, algorithms, key in self._known if algorithm in algorithms and key_id in (None, known)]

    def _refresh(self, fetch: Fetch, patience: float) -> None:
        """Starts a reading of the keys, unless the last one is recent, and waits for its end until `patience` seconds
        after its begin."""
        with self._lock:
            now = time.monotonic()
            if now - self._began_at >= (self._pause if self._reading is None else max(self._pause, _LOST_AFTER)):
                self._began_at = now
                self._reading = threading.Event()
                threading.Thread(
                    target=self._run, args=(fetch, self._reading), name="orlop-oidc-keys", daemon=True
                ).start()
            reading, left = self._reading, self._began_at + patience - now
        if reading is not None:
            reading.wait(max(0.0, left))

    def _run(self, fetch: Fetch, reading: threading.Event) -> None:
        """Reads the keys once. If that fails, the known keys stay."""
        _core.refuse_calls()
        known: list[tuple[str | None, tuple[str, ...], Any]] = []
        try:
            known = _parse(fetch())
            if not known:
                _log.warning(
                    "the keys of the identity provider cannot be read: there is none that can check signatures"
                )
        except BaseException as error:  # a document or the host's function may cause any exception
            _log.warning(
                "the keys of the identity provider cannot be read: %s: %s", type(error).__name__, shown(text_of(error))
            )
        with self._lock:
            if reading is self._reading:
                self._reading = None
                if known:
                    self._known, self._read_at = known, time.monotonic()
        reading.set()


def _parse(document: Mapping[str, Any]) -> list[tuple[str | None, tuple[str, ...], Any]]:
    """Returns id, algorithms and key of every public key that may check a signature. Skips all others that a provider
    publishes."""
    found: list[tuple[str | None, tuple[str, ...], Any]] = []
    for described in document["keys"] if "keys" in document else ():
        try:
            found.extend(_key_of(described))
        except Exception:
            continue
    return found


def _key_of(described: Mapping[str, Any]) -> Iterable[tuple[str | None, tuple[str, ...], Any]]:
    """Yields nothing for a key that may not check a signature. Raises any exception for one that cannot be read."""
    family = described.get("kty")
    if family not in _FAMILIES or described.get("use", "sig") != "sig":
        return
    algorithms = _FAMILIES[family]
    if family == "EC":
        algorithms = tuple(name for curve, name in _CURVES.items() if curve == described.get("crv"))
    if "alg" in described:
        algorithms = tuple(name for name in algorithms if name == described["alg"])
    if not algorithms:
        return
    key = jwt.PyJWK({name: value for name, value in described.items() if name != "d"}, algorithm=algorithms[0]).key
    if family != "RSA" or key.key_size >= _RSA_BITS_MIN:
        yield described.get("kid"), algorithms, key


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *given: Any) -> None:
        """Refuses every redirect: keys come only from the host's URL."""


def _check_url(url: str) -> None:
    parts = urlsplit(url)
    is_near = parts.scheme == "http" and parts.hostname in ("127.0.0.1", "::1", "localhost")
    if parts.scheme != "https" and not is_near:
        raise ValueError(f"keys are read over https only, not from {shown(url)}")


class _Recording(urllib.request.AbstractHTTPHandler):
    """Records its sockets, which are shut down at the deadline: the timeout of urllib starts again with each byte."""

    def __init__(self, sockets: list[socket.socket]) -> None:
        super().__init__()
        self._sockets = sockets

    def do_open(
        self, http_class: Callable[..., Any], req: urllib.request.Request, **http_conn_args: Any
    ) -> http.client.HTTPResponse:
        def recording(*given: Any, **named: Any) -> Any:
            connection = http_class(*given, **named)
            connect = connection.connect

            def connecting() -> None:
                connect()
                self._sockets.append(connection.sock)

            connection.connect = connecting
            return connection

        return super().do_open(recording, req, **http_conn_args)


class _Http(_Recording, urllib.request.HTTPHandler):
    pass


class _Https(_Recording, urllib.request.HTTPSHandler):
    pass


def _cut(sockets: list[socket.socket]) -> None:
    for one in sockets:
        with contextlib.suppress(OSError):  # already closed
            one.shutdown(socket.SHUT_RDWR)


def _read(url: str) -> Mapping[str, Any]:
    _check_url(url)
    sockets: list[socket.socket] = []
    opener = urllib.request.build_opener(_NoRedirects, _Http(sockets), _Https(sockets))
    cut = threading.Timer(_ANSWERS_WITHIN, _cut, [sockets])
    cut.daemon = True
    cut.start()
    try:
        with opener.open(
            urllib.request.Request(url, headers={"Accept": "application/json"}), timeout=_ANSWERS_WITHIN
        ) as answer:
            text = answer.read(_DOCUMENT_SIZE_MAX + 1)
    finally:
        cut.cancel()
    if len(text) > _DOCUMENT_SIZE_MAX:
        raise ValueError(f"{url} gives more than {_DOCUMENT_SIZE_MAX} bytes")
    document = json.loads(text)
    if not isinstance(document, dict):
        raise ValueError(f"{url} gives no JSON object")
    return document


def _text(claims: Mapping[str, Any], name: str) -> str:
    """Returns the claim if it is a text of at most 255 bytes; else ""."""
    value = claims.get(name)
    try:
        return value if isinstance(value, str) and len(value.encode()) <= 255 else ""
    except UnicodeEncodeError:  # a lone surrogate
        return ""
