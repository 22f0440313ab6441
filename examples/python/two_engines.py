"""One process drives a store; another reads it. The second engine is opened on the same file and never ticks."""

import tempfile
from pathlib import Path

import orlop

with tempfile.TemporaryDirectory() as folder:
    path = Path(folder) / "platform.db"
    with orlop.Engine(path) as engine:
        acme = engine.organizations.create(name="acme", plan="FREE")
        acme.clusters.create(name="europe", region="eu-west-3", cloud_provider="AWS").deploy().wait()
        seen = engine.last_event

        with orlop.Engine(path) as reader:  # in practice: another process
            cluster = reader.organizations.find("acme").clusters.find("europe")
            print(cluster.name, cluster.state()["status"])

            acme.projects.create(name="shop")
            print([event["kind"] for event in reader.events(seen)])
