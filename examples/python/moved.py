"""Moves a store with its secrets: the snapshot carries them encrypted under another key."""

import secrets
import tempfile
from pathlib import Path

import orlop

with tempfile.TemporaryDirectory() as folder:
    move_key, key = secrets.token_bytes(32), secrets.token_bytes(32)

    with orlop.Engine(Path(folder) / "old.db") as engine:
        organization = engine.organizations.create(name="acme", plan="FREE")
        organization.git_tokens.create(name="github", type="GITHUB", token="ghp_example")
        snapshot = engine.snapshot(secrets_key=move_key)

    with orlop.Engine(Path(folder) / "new.db", snapshot=snapshot, secrets_key=move_key, secret_key=key) as engine:
        print("moved, and sealed from here on:", engine.organizations.find("acme").git_tokens.find("github").name)
