"""A shop of two services that runs: a page, built from a git repository, that reads a database.

Deploys both as containers of a Podman with a storage of its own, asks the page with curl, deploys a version that does
not start and one that sells in the wrong currency, rolls that one back, and kills the program in the middle of a
deployment. Images are made of the busybox and the redis-server of this machine: no registry is asked.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import orlop
from orlop.drivers import Containers

WEB = Path(__file__).parent / "web"
URL = "https://git.example.com/acme/shop.git"
sys.path.insert(0, str(Path(__file__).parents[2] / "tests" / "python"))

import podman_service  # noqa: E402 - a Podman that leaves that of the machine alone


def say(text: str) -> None:
    print(f"  {text}", flush=True)


class Repository:
    """A git repository with the files of the page. git reads it in place of URL."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        shutil.copytree(WEB, folder / "web")
        self.git("init", "--quiet", "--initial-branch", "main")
        self.commit("The page")
        os.environ.update(GIT_CONFIG_COUNT="1", GIT_CONFIG_KEY_0=f"url.{folder}.insteadOf", GIT_CONFIG_VALUE_0=URL)

    def git(self, *command: str) -> None:
        subprocess.run(["git", "-C", str(self.folder), *command], check=True)

    def commit(self, text: str) -> None:
        self.git("add", ".")
        self.git("-c", "user.name=Ada", "-c", "user.email=ada@example.com", "commit", "--quiet", "-m", text)

    def replace(self, old: str, new: str, text: str) -> None:
        path = self.folder / "web" / "Dockerfile"
        path.write_text(path.read_text().replace(old, new))
        self.commit(text)


def make_images(podman: podman_service.Podman) -> None:
    program = os.path.realpath(shutil.which("redis-server") or "")
    podman.build("localhost/shop/busybox:1")
    podman.build("docker.io/acme/busybox:1")
    link = "" if program == "/usr/bin/redis-server" else f"RUN ln -s {program} /usr/bin/redis-server\n"
    podman.build_program("localhost/shop/redis:7", program, f"RUN mkdir -p /data\n{link}ENV PATH=/bin:/usr/bin\n")


def engine_of(address: str, store: str) -> orlop.Engine:
    driver = Containers(address, options={"images": {"REDIS": "localhost/shop/redis:{version}"}})
    return orlop.Engine(store, driver=driver, require_cluster=False)


def shop_of(engine: orlop.Engine) -> Any:
    return engine.organizations.find("acme").projects.find("shop").environments.find("production")


def create(engine: orlop.Engine) -> Any:
    acme = engine.organizations.create(name="acme", plan="FREE")
    acme.clusters.create(name="this machine", region="eu-west-3", cloud_provider="AWS")
    shop = acme.projects.create(name="shop").environments.create(name="production")
    shop.databases.create(name="orders", type="REDIS", version="7", mode="CONTAINER")
    page = shop.applications.create(
        name="page",
        git_repository={"url": URL, "provider": "GITHUB", "branch": "main", "root_path": "/web"},
        memory=64,
        ports=[{"internal_port": 8080, "publicly_accessible": True, "protocol": "HTTP"}],
        healthchecks={
            "readiness_probe": {
                "type": {"http": {"port": 8080, "path": "/cgi-bin/page"}},
                "initial_delay_seconds": 1,
                "period_seconds": 1,
                "failure_threshold": 5,
            }
        },
    )
    names = {"_HOST_INTERNAL": "DATABASE_HOST", "_PASSWORD": "DATABASE_PASSWORD"}
    for variable in page.variables.list():
        for end, key in names.items():
            if "REDIS" in variable.key and variable.key.endswith(end):
                variable.alias(key)
    return shop


def ask(shop: Any) -> None:
    address = shop.applications.find("page").refresh().addresses[0]["url"]
    text = subprocess.run(["curl", "-sS", f"{address}/cgi-bin/page"], capture_output=True, text=True, check=True).stdout
    say(f"curl of the page: {text.strip()}")


def deploy(shop: Any) -> None:
    run = shop.deploy().wait()
    say(f"deployment: {run.state}")
    for line in [] if run.ok else str(run.reason).splitlines()[:3]:
        say(f"  {line}")


def play(address: str, folder: Path) -> None:
    repository = Repository(folder / "repository")
    store = str(folder / "shop.db")
    with engine_of(address, store) as engine:
        shop = create(engine)
        deploy(shop)
        ask(shop)

        say("version 2 does not start:")
        repository.replace("httpd -f", "cat /www/prices; exit 3; httpd -f", "A version that does not start")
        deploy(shop)
        ask(shop)

        say("version 3 starts, and sells in the wrong currency:")
        repository.replace("cat /www/prices; exit 3; ", "", "It starts")
        repository.replace("CURRENCY=EUR", "CURRENCY=HUF", "Another currency")
        deploy(shop)
        ask(shop)
        say("it is rolled back:")
        say(f"deployment: {shop.applications.find('page').rollback().wait().state}")
        ask(shop)

    say("version 4 is deployed by a program that is killed (SIGKILL) in the middle:")
    repository.replace("CURRENCY=HUF", "CURRENCY=USD", "US dollars")
    # A killed program leaves its temporary folders behind: here they are in that of the shop.
    environment = {**os.environ, "TMPDIR": str(folder)}
    killed = subprocess.run([sys.executable, __file__, "--killed", address, store], env=environment)
    assert killed.returncode == -signal.SIGKILL, killed
    with engine_of(address, store) as engine:
        shop = shop_of(engine)
        run = shop.current_deployment
        assert run is not None
        say(f"the next program ends that deployment: {run.wait().state}")
        ask(shop)
        shop.delete()
        while engine.organizations.find("acme").projects.find("shop").environments.list():
            engine.tick()
            time.sleep(0.05)
        say("the shop is deleted")


def die_in_a_deployment(address: str, store: str) -> None:
    with engine_of(address, store) as engine:
        before = engine.last_event
        shop_of(engine).deploy()
        while not engine.events(before, kinds=["step.progress"]):
            engine.tick()
        os.kill(os.getpid(), signal.SIGKILL)


def run() -> None:
    reason = podman_service.reason_to_skip()
    if reason:
        print(f"Containers cannot run here ({reason}): the act that deploys a shop is left out.")
        return
    print("The last act. A shop of two services runs on this machine", flush=True)
    with tempfile.TemporaryDirectory(prefix="orlop-shop-") as folder:
        podman = podman_service.Podman(Path(folder) / "podman")
        try:
            make_images(podman)
            play(podman.address, Path(folder))
        finally:
            podman.close()


def main() -> None:
    if sys.argv[1:2] == ["--killed"]:
        die_in_a_deployment(*sys.argv[2:4])
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    try:
        run()
    except KeyboardInterrupt:
        print("  interrupted: the containers and the folder of the shop are removed")
        sys.exit(128 + signal.SIGINT)


if __name__ == "__main__":
    main()
