"""External systems that authenticate the JWTs of an OpenID provider, against its published keys. Needs the extra `orlop[oidc]`.

    people = orlop.oidc.TokenAuthenticator("https://id.example/keys", issuer="https://id.example", audience="orlop")
    engine = orlop.Engine("platform.db", authentication="required", external_systems=people)

The accepted algorithms are an argument and never taken from the token; all of them use public keys. Expiry is checked against the engine's time.
"""

from __future__ import annotations

import json
import math
import threading
import time
import urllib.request
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import jwt

from . import _core
from .checking.arguments import number, shown, text, texts
from .errors import Misuse, Unauthenticated
from .external_systems import ExternalSystems
from .live import Live

_FAMILIES = {
    "RSA": ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512"),
    "EC": ("ES256", "ES384", "ES512"),
    "OKP": ("EdDSA",),
}
_CURVES = {"P-256": "ES256", "P-384": "ES384", "P-521": "ES512"}
ALGORITHMS = ("RS256", "PS256", "ES256", "EdDSA")
"""Accepted algorithms by default."""

_TOKEN_SIZE_MAX = 16 * 1024
_DOCUMENT_SIZE_MAX = 1 << 20
_RSA_BITS_MIN = 2048
_ANSWERS_WITHIN = 10.0  # seconds that the provider has for its keys

Fetch = Callable[[], Mapping[str, Any]]


class Identity(NamedTuple):
    """The person that a token authenticates. `subject` is unique for each person, 1 to 255 bytes; `email` and `name` may be empty."""

    subject: str
    email: str = ""
    name: str = ""


class TokenAuthenticator(ExternalSystems, Live):
    """Answers the question `authenticate` for JWTs. May be called from any thread.

    `keys` is the key set (JWKS), a function that returns it, or its URL. A URL is read at the first token, again when a token names an unknown key, at most
    once in `pause` (30) seconds, and again after `age` (3600) seconds; if reading fails, the previous keys stay valid. `issuer` and `audience` must equal
    the token's. `leeway` (60) is the accepted difference between the clocks of provider and engine, in seconds. The token's email is used if the
    provider marks it as verified, or if `emails_are_verified` is True. Raises `Misuse` for an argument out of bounds.
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
            raise Misuse(f"algorithms must be some of {', '.join(sorted(known))}: those with a public key")
        if not issuer or not audience:
            raise Misuse("issuer and audience must not be empty: without them any token of any application would do")
        self._issuer = text("issuer", issuer)
        self._audience = [text("audience", name) for name in ([audience] if isinstance(audience, str) else texts("audience", audience))]
        self._leeway = number("leeway", leeway)
        self._emails_are_verified = emails_are_verified
        self._keys = _Keys(keys, number("pause", pause), number("age", age))

    @classmethod
    def discover(cls, issuer: str, **options: Any) -> TokenAuthenticator:
        """Makes a token authenticator from the provider's discovery document (OpenID Connect Discovery). `options` are those of the class. Raises `Misuse` if it cannot be read."""
        url = text("issuer", issuer).rstrip("/") + "/.well-known/openid-configuration"
        try:
            described = _read(url)
            keys = str(described["jwks_uri"])
        except (OSError, ValueError, KeyError, RecursionError) as error:
            raise Misuse(f"issuer must describe itself at {shown(url)}: {type(error).__name__}: {error}") from error
        if described.get("issuer") != issuer:
            raise Misuse(f"issuer {shown(issuer)} says that it is {shown(described.get('issuer'))}")
        return cls(keys, issuer=issuer, **options)

    def authenticate(self, question: Mapping[str, Any]) -> dict[str, str] | None:
        """The person that the token of the question authenticates; None if it is not valid."""
        try:
            return self.identify(question["token"], _core.parse_time(question["at"], "at") / 1000)._asdict()
        except Unauthenticated:
            return None

    def identify(self, token: str, now: float) -> Identity:
        """The identity that the token proves at `now`, in Unix seconds. Raises `Unauthenticated` if the token is not valid."""
        try:
            claims = self._claims(token)
        except (jwt.PyJWTError, ValueError, TypeError, RecursionError) as error:
            raise Unauthenticated(f"the token does not hold: {type(error).__name__}", 401) from None
        self._check_times(claims, now)
        subject = claims.get("sub")
        if not isinstance(subject, str) or not 0 < len(subject.encode()) <= 255:
            raise Unauthenticated("the token names no subject", 401)
        said = claims.get("email_verified")  # some providers write the word
        is_verified = self._emails_are_verified or said is True or said == "true"
        return Identity(subject, _text(claims, "email") if is_verified else "", _text(claims, "name"))

    def _claims(self, token: str) -> dict[str, Any]:
        if len(token) > _TOKEN_SIZE_MAX or not token.isascii():
            raise Unauthenticated("the token is too long, or no JWT", 401)
        header = jwt.get_unverified_header(token)
        algorithm, key_id = header.get("alg"), header.get("kid")
        if algorithm not in self._algorithms:
            raise Unauthenticated("the token is signed by an algorithm that does not count here", 401)
        if "crit" in header:
            raise Unauthenticated("the token wants something to be understood that is not understood here", 401)
        key = self._keys.find(key_id if isinstance(key_id, str) else None, algorithm)
        # Its own look at the time would be at that of the machine.
        options: Any = {
            "require": ["exp", "iss", "aud", "sub"], "verify_exp": False, "verify_nbf": False, "verify_iat": False, "verify_sub": False,
        }  # fmt: skip
        return jwt.decode(
            token, key, algorithms=[algorithm], audience=self._audience, issuer=self._issuer, options=options
        )

    def _check_times(self, claims: Mapping[str, Any], now: float) -> None:
        for claim in ("exp", "nbf", "iat"):
            if claim not in claims:
                continue
            at = claims[claim]
            if isinstance(at, bool) or not isinstance(at, (int, float)) or not math.isfinite(at):
                raise Unauthenticated(f"the token's {claim} is no time", 401)
            if claim == "exp" and now >= at + self._leeway:
                raise Unauthenticated("the token has expired", 401)
            if claim != "exp" and now < at - self._leeway:
                raise Unauthenticated("the token does not hold yet", 401)


class _Keys:
    """The provider's keys, read again when that may help."""

    def __init__(self, given: str | Mapping[str, Any] | Fetch, pause: float, age: float) -> None:
        self._lock = threading.Lock()
        self._pause = pause
        self._age = age
        self._read_at = self._tried_at = -math.inf
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
                raise Misuse("keys must be a set of keys (JWKS)") from error
        else:
            raise Misuse(f"keys must be a URL, a set of keys (JWKS) or a callable, not {shown(given)}")

    def find(self, key_id: str | None, algorithm: str) -> Any:
        """The key of this id for this algorithm; without an id, the only one that there is."""
        if self._fetch is not None and time.monotonic() - self._read_at > self._age:
            self._refresh()
        found = self._suitable(key_id, algorithm)
        if not found and self._fetch is not None:
            self._refresh()
            found = self._suitable(key_id, algorithm)
        if len(found) != 1:
            raise Unauthenticated("the token is signed by a key that is not known", 401)
        return found[0]

    def _suitable(self, key_id: str | None, algorithm: str) -> list[Any]:
        return [key for known, algorithms, key in self._known if algorithm in algorithms and key_id in (None, known)]

    def _refresh(self) -> None:
        """Reads the keys, unless another request has tried just now."""
        with self._lock:
            if self._fetch is None or time.monotonic() - self._tried_at < self._pause:
                return
            self._tried_at = time.monotonic()
            try:
                self._known = _parse(self._fetch())
            except (OSError, ValueError, TypeError, AttributeError) as error:
                if not self._known:
                    raise Unauthenticated("the provider's keys cannot be read", 401) from error
                return
            self._read_at = time.monotonic()


def _parse(document: Mapping[str, Any]) -> list[tuple[str | None, tuple[str, ...], Any]]:
    """Id, algorithms and key of every public key that may check a signature. Others are passed over: a provider may have any."""
    found: list[tuple[str | None, tuple[str, ...], Any]] = []
    for described in document["keys"] if "keys" in document else ():
        family = described.get("kty")
        if family not in _FAMILIES or described.get("use", "sig") != "sig":
            continue
        algorithms = _FAMILIES[family]
        if family == "EC":
            algorithms = tuple(name for curve, name in _CURVES.items() if curve == described.get("crv"))
        if "alg" in described:
            algorithms = tuple(name for name in algorithms if name == described["alg"])
        if not algorithms:
            continue
        try:
            key = jwt.PyJWK({name: value for name, value in described.items() if name != "d"}, algorithm=algorithms[0]).key
        except (jwt.PyJWTError, ValueError):
            continue
        if family == "RSA" and key.key_size < _RSA_BITS_MIN:
            continue
        found.append((described.get("kid"), algorithms, key))
    return found


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *given: Any) -> None:
        """Keys come from where the host said, or not at all."""


def _check_url(url: str) -> None:
    parts = urlsplit(url)
    is_near = parts.scheme == "http" and parts.hostname in ("127.0.0.1", "::1", "localhost")
    if parts.scheme != "https" and not is_near:
        raise ValueError(f"keys are read over https only, not from {shown(url)}")


def _read(url: str) -> Mapping[str, Any]:
    _check_url(url)
    opener = urllib.request.build_opener(_NoRedirects)
    with opener.open(urllib.request.Request(url, headers={"Accept": "application/json"}), timeout=_ANSWERS_WITHIN) as answer:
        text = answer.read(_DOCUMENT_SIZE_MAX + 1)
    if len(text) > _DOCUMENT_SIZE_MAX:
        raise ValueError(f"{url} gives more than {_DOCUMENT_SIZE_MAX} bytes")
    document = json.loads(text)
    if not isinstance(document, dict):
        raise ValueError(f"{url} gives no JSON object")
    return document


def _text(claims: Mapping[str, Any], name: str) -> str:
    value = claims.get(name)
    return value if isinstance(value, str) and len(value) <= 255 else ""
