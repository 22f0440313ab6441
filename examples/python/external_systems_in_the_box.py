"""External systems in the box: the engine reads a git repository of this machine, and a Helm repository is listed."""

import contextlib
import functools
import http.server
import os
import pathlib
import socket
import subprocess
import tempfile
import threading
from collections.abc import Iterator

import orlop
from orlop.externals import Combined, Git, HelmRepositories, Registries

INDEX = """
apiVersion: v1
entries:
  redis:
    - {version: 7.2.0, urls: [redis-7.2.0.tgz]}
    - {version: 7.10.1, urls: [redis-7.10.1.tgz]}
"""


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass


def make_repository(folder: pathlib.Path) -> None:
    """Makes the repository acme/shop with two branches."""
    work = folder / "acme" / "shop.git"
    (work / "infra").mkdir(parents=True)
    (work / "Dockerfile").write_text("ARG VERSION=3.20\nFROM alpine:${VERSION}\nARG TOKEN\n")
    (work / "infra" / "main.tf").write_text('variable "size" {\n  default = 3\n}\n')
    settings = {"user.name": "Ada", "user.email": "ada@example.com", "init.defaultBranch": "main"}
    git = ["git", "-C", str(work), *(part for name, value in settings.items() for part in ("-c", f"{name}={value}"))]
    for command in (["init"], ["add", "-A"], ["commit", "-m", "The first page"], ["branch", "next"]):
        subprocess.run([*git, *command], check=True, capture_output=True, env=os.environ)


@contextlib.contextmanager
def git_daemon(folder: pathlib.Path) -> Iterator[str]:
    """Serves the repositories of a folder and gives the URL."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    options = ["--verbose", "--export-all", "--listen=127.0.0.1", f"--port={port}", f"--base-path={folder}"]
    command = ["git", "daemon", "--log-destination=stderr", *options]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, start_new_session=True) as daemon:
        assert daemon.stderr is not None
        try:
            next(line for line in daemon.stderr if "Ready" in line)
            yield f"git://127.0.0.1:{port}"
        finally:
            os.killpg(daemon.pid, 15)


@contextlib.contextmanager
def static_files(folder: pathlib.Path) -> Iterator[str]:
    handler = functools.partial(Quiet, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()


with tempfile.TemporaryDirectory() as place:
    make_repository(pathlib.Path(place))
    pathlib.Path(place, "index.yaml").write_text(INDEX)
    with git_daemon(pathlib.Path(place)) as git_url, static_files(pathlib.Path(place)) as charts_url:
        allow = ["127.0.0.0/8"]  # this machine; without it only the public internet is reached, by https
        helm = HelmRepositories(allow=allow)
        systems = Combined(Git(allow=allow, servers={"GITHUB": git_url}), Registries(), helm)
        with orlop.Engine(external_systems=systems, port_timeout="30s") as engine:
            branches = engine.request("GET", "/account/github/repository/branch", query={"name": "acme/shop"})
            print("branches:", [branch["name"] for branch in branches.json()["results"]])

            acme = engine.organizations.create(name="acme", plan="FREE")
            europe = acme.clusters.create(name="europe", region="eu-west-3", cloud_provider="AWS")
            shop = acme.projects.create(name="shop").environments.create(name="main", cluster_id=europe.id)
            api = shop.applications.create(
                name="api",
                git_repository={"url": f"{git_url}/acme/shop.git", "branch": "main", "provider": "GITHUB"},
                healthchecks={},
            )
            commits = engine.request("GET", f"/application/{api.id}/commit").json()["results"]
            print("commits:", [(commit["message"], commit["author_name"]) for commit in commits])

            repository = {"name": "charts", "kind": "HTTPS", "url": charts_url}
            print("charts:", helm.list_charts({"repository": repository}))

            print(engine.request("GET", "/account/github/repository").json()["message"])
