"""Digests by which a changed secret is noticed, since the platform never returns secrets.

They are four bytes of scrypt, with a salt for each resource: short, so that they do not confirm a guess of a secret
that is long enough, and slow, so that short ones cannot be tried by the million. They are kept in the metadata of the
resource that has the secrets.
"""

from __future__ import annotations

import functools
import hashlib
import json
import secrets
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

KEY = "orlop.secrets"
_COST = 1 << 10
_SIZE = 4  # bytes
_PART = 2000  # bytes of an entry of the metadata


def new_salt() -> str:
    """Returns a salt for a resource that has none."""
    return secrets.token_hex(8)


def digests_of(
    metadata: Mapping[str, str], given: Mapping[str, str], unused_salt: str
) -> tuple[dict[str, str], list[str]]:
    """Returns the entries of the metadata for these secrets, by path, and the paths of those that differ from the
    ones that `metadata` has. `unused_salt` is that of a resource without one."""
    salt, known = _read(metadata)
    if not given:
        return {}, []
    salt = salt or unused_salt
    found = {path: _digest(salt, path, value) for path, value in sorted(given.items())}
    text = json.dumps({"salt": salt, "digests": found}, ensure_ascii=True, separators=(",", ":"))
    parts = [text[start : start + _PART] for start in range(0, len(text), _PART)]
    entries = {KEY + (f".{index}" if index else ""): part for index, part in enumerate(parts)}
    return entries, [path for path, digest in found.items() if known.get(path) != digest]


def is_ours(key: str) -> bool:
    """Reports whether an entry of metadata holds digests."""
    return key == KEY or key.startswith(KEY + ".")


def _read(metadata: Mapping[str, str]) -> tuple[str, dict[str, str]]:
    text, index = "", 0
    while (part := metadata.get(KEY + (f".{index}" if index else ""))) is not None:
        text, index = text + part, index + 1
    try:
        found = json.loads(text)
        return str(found["salt"]), dict(found["digests"])
    except (ValueError, KeyError, TypeError):  # another program has changed it: every secret counts as changed
        return "", {}


@functools.lru_cache(maxsize=10_000)  # a file is passed over several times
def _digest(salt: str, path: str, value: str) -> str:
    message = f"{path}\0{value}".encode(errors="surrogatepass")
    return hashlib.scrypt(message, salt=salt.encode(), n=_COST, r=8, p=1, dklen=_SIZE).hex()
