"""Stored secrets: sealed under a key that is kept elsewhere, and moved to the next key."""

import secrets
import tempfile
from pathlib import Path

import orlop

with tempfile.TemporaryDirectory() as folder:
    path = Path(folder) / "platform.db"
    key, next_key = secrets.token_bytes(32), secrets.token_bytes(32)

    with orlop.Engine(path, secret_key=key) as engine:
        organization = engine.organizations.create(name="acme", plan="FREE")
        organization.git_tokens.create(name="github", type="GITHUB", token="ghp_example")

    with orlop.Engine(path, secret_key=next_key, previous_secret_keys=[key]):
        print("from here on the next key opens it")

    try:
        orlop.Engine(path, secret_key=key)
    except orlop.StorageSealed as refused:
        print(refused)
