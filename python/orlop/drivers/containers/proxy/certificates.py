"""A certificate authority of this machine, and certificates of hosts that it signs. Keys are files of mode 0600."""

from __future__ import annotations

import datetime
import os
import pathlib
from typing import Any

from ....errors import Misuse

_AUTHORITY_DAYS = 3650
_DAYS = 397  # the longest that browsers accept
_RENEWED_BEFORE = datetime.timedelta(days=30)
_BACKDATED = datetime.timedelta(hours=1)  # for clocks of containers and virtual machines that are slow


def write_private(path: pathlib.Path, content: bytes) -> None:
    """Writes a file that only its owner reads, or nothing at all."""
    partial = path.with_name(f"{path.name}.{os.getpid()}.partial")
    descriptor = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(content)
    os.replace(partial, path)


class Authority:
    """The authority in a folder. Makes its key and certificate at the first use."""

    def __init__(self, folder: pathlib.Path) -> None:
        try:
            import cryptography.x509
        except ImportError:
            raise Misuse("TLS of the proxy needs the package cryptography: pip install orlop[containers]") from None
        self._x509 = cryptography.x509
        self.path = folder / "ca.pem"
        self._key_path = folder / "ca.key"

    def ensure(self, host: str, path: pathlib.Path) -> bool:
        """Makes the file with key and certificate of a host, unless one is there that stays valid. Returns whether it
        has."""
        if self._is_current(path):
            return False
        path.parent.mkdir(mode=0o700, exist_ok=True)
        key, issuer = self._load()
        leaf = self._new_key()
        built = (
            self._builder(host, issuer.subject, leaf.public_key(), _DAYS)
            .add_extension(self._x509.SubjectAlternativeName([self._x509.DNSName(host)]), critical=False)
            .add_extension(self._x509.BasicConstraints(ca=False, path_length=None), critical=True)
            .add_extension(
                self._x509.ExtendedKeyUsage([self._x509.oid.ExtendedKeyUsageOID.SERVER_AUTH]), critical=False
            )
            .add_extension(
                self._x509.AuthorityKeyIdentifier.from_issuer_public_key(key.public_key()),
                critical=False,
            )
            .sign(key, self._sha256())
        )
        write_private(path, self._pem(leaf) + built.public_bytes(self._encoding().PEM))
        return True

    def _is_current(self, path: pathlib.Path) -> bool:
        try:
            found = self._x509.load_pem_x509_certificate(path.read_bytes())
            _, issuer = self._load()
        except (OSError, ValueError):
            return False
        left = found.not_valid_after_utc - datetime.datetime.now(datetime.timezone.utc)
        if left < _RENEWED_BEFORE:
            return False
        try:
            found.verify_directly_issued_by(issuer)
        except Exception:  # InvalidSignature is no ValueError
            return False
        return True

    def _load(self) -> tuple[Any, Any]:
        """Returns key and certificate of the authority."""
        from cryptography.hazmat.primitives.serialization import load_pem_private_key

        if not (self.path.exists() and self._key_path.exists()):
            self._make()
        key = load_pem_private_key(self._key_path.read_bytes(), password=None)
        return key, self._x509.load_pem_x509_certificate(self.path.read_bytes())

    def _make(self) -> None:
        key = self._new_key()
        name = f"orlop on {os.uname().nodename}"[:64]
        built = (
            self._builder(name, None, key.public_key(), _AUTHORITY_DAYS)
            .add_extension(self._x509.BasicConstraints(ca=True, path_length=0), critical=True)
            .add_extension(
                self._x509.KeyUsage(False, False, False, False, False, True, True, False, False), critical=True
            )
            .add_extension(self._x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
            .sign(key, self._sha256())
        )
        write_private(self._key_path, self._pem(key))
        write_private(self.path, built.public_bytes(self._encoding().PEM))
        self.path.chmod(0o644)

    def _builder(self, name: str, issuer: Any, public_key: Any, days: int) -> Any:
        now = datetime.datetime.now(datetime.timezone.utc)
        oid = self._x509.oid.NameOID.COMMON_NAME
        subject = self._x509.Name([self._x509.NameAttribute(oid, name[:64])])
        return (
            self._x509.CertificateBuilder()
            .subject_name(subject)
            .issuer_name(subject if issuer is None else issuer)
            .public_key(public_key)
            .serial_number(self._x509.random_serial_number())
            .not_valid_before(now - _BACKDATED)
            .not_valid_after(now + datetime.timedelta(days=days))
        )

    @staticmethod
    def _new_key() -> Any:
        from cryptography.hazmat.primitives.asymmetric import ec

        return ec.generate_private_key(ec.SECP256R1())

    @staticmethod
    def _sha256() -> Any:
        from cryptography.hazmat.primitives.hashes import SHA256

        return SHA256()

    @staticmethod
    def _encoding() -> Any:
        from cryptography.hazmat.primitives.serialization import Encoding

        return Encoding

    def _pem(self, key: Any) -> bytes:
        from cryptography.hazmat.primitives import serialization

        plain = serialization.NoEncryption()
        pem: bytes = key.private_bytes(self._encoding().PEM, serialization.PrivateFormat.PKCS8, plain)
        return pem
