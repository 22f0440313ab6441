"""Rules about what a deployment makes."""

from __future__ import annotations

import base64
import hashlib
import json
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from ..driver import UNCHANGED
from .report import Broken, NotApplicable
from .rule import bench_of, need_view, rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .bench import Bench, Setup

_NAME_SIZE = 255
_VALUE_SIZE = 32768
_MANY = 16
_SECRET = "Zx81-canary-Qy7/&+pk"
_UNREACHABLE = ("0.0.0.0", "::", "[::]", "*")


@rule("A deployment succeeds, and one instance of the service runs afterwards.", needs="")
def deploy(setup: Setup) -> None:
    with bench_of(setup) as bench:
        service = bench.add()
        bench.do("deploy")
        if not bench.watch.of("deploy"):
            raise Broken("the driver has no method deploy: nothing is deployed, and the deployment succeeds")
        if bench.view.sees:
            expect_deployed(bench, service, "after the deployment")


@rule("A second deployment without a change touches nothing.")
def unchanged(setup: Setup) -> None:
    with bench_of(setup) as bench:
        need_view(bench)
        service = bench.add()
        bench.do("deploy")
        expect_deployed(bench, service, "after the first deployment")
        before = bench.view.traces(service)
        bench.do("deploy")
        if bench.view.traces(service) != before:
            raise Broken(f"the second deployment has touched {before}: there is now {bench.view.traces(service)}")


@rule("Outputs are JSON objects; addresses name hosts that can be reached and ports that the service has.")
def outputs(setup: Setup) -> None:
    with bench_of(setup) as bench:
        service = bench.add()
        bench.do("deploy")
        (call,) = bench.watch.of("deploy")
        given = call.outputs
        if given is None or given is UNCHANGED:
            raise NotApplicable("the driver's method deploy returns no outputs")
        try:
            json.dumps(given, allow_nan=False)
        except (TypeError, ValueError) as error:
            raise Broken(f"the outputs are no JSON: {error}") from None
        ports = {port.get("internal_port") for port in bench.service(service).to_dict().get("ports") or ()}
        for at, address in enumerate(given.get("addresses") or ()):
            _check_address(f"addresses[{at}]", address, ports)


def _check_address(path: str, address: dict[str, Any], ports: set[Any]) -> None:
    if address.get("host") in _UNREACHABLE:
        raise Broken(f"{path}.host is {address['host']}, an address to listen at, which no client reaches")
    if "internal_port" in address and address["internal_port"] not in ports:
        raise Broken(f"{path}.internal_port is {address['internal_port']}, and the service has the ports {ports}")
    if address.get("url") and address.get("host", "") not in address["url"]:
        raise Broken(f"{path}.url is {address['url']}, and leads to another host than {address.get('host')}")


@rule("Services whose names have 255 letters and differ only in the last one are two.")
def long_names(setup: Setup) -> None:
    with bench_of(setup) as bench:
        services = [bench.add("n" * (_NAME_SIZE - 1) + last) for last in "ab"]
        bench.do("deploy")
        if bench.view.sees:
            for service in services:
                expect_deployed(bench, service, "after the deployment of both")


@rule("A service with variables of 32 KiB and of letters that shells, JSON and URLs escape is deployed.")
def long_values(setup: Setup) -> None:
    with bench_of(setup) as bench:
        service = bench.add()
        bench.environment.variables.create(key="LONG", value="v" * _VALUE_SIZE)
        bench.environment.variables.create(key="ODD", value="$(exit 1) `x` \"'\\ %2F &;|<>\n\tä€𝄞 {}")
        bench.do("deploy")
        if bench.view.sees:
            expect_deployed(bench, service, "after the deployment")


@rule("No secret, and nothing that is computed from one, appears in reasons, logs, outputs, addresses or observations.")
def secrets(setup: Setup) -> None:
    for fields in ({}, setup.broken):
        if fields is None:
            continue
        with bench_of(setup) as bench:
            service = bench.add(**fields)
            bench.environment.variables.create(key="TOKEN", value=_SECRET, is_secret=True)
            bench.begin("deploy").wait(setup.patience)
            bench.begin("stop").wait(setup.patience)
            for what, text in _texts(bench, service):
                for form, spelled in _forms(_SECRET):
                    if spelled in text:
                        raise Broken(f"{what} {'hold' if what.endswith('s') else 'holds'} {form}")


def _texts(bench: Bench, service: str) -> Iterator[tuple[str, str]]:
    """Yields what users and operators can read."""
    for event in bench.engine.events():
        yield f"an event {event['kind']}", json.dumps(event, ensure_ascii=False, default=str)
    yield "the answer to a request for the service", json.dumps(bench.service(service).to_dict(), default=str)
    for text in bench.logged:
        yield "the log of the engine", text
    if bench.view.observes:
        try:
            yield "what observe returns", str(bench.view.observe(service))
        except Exception as error:  # the rule `observation` reports it
            yield "the error of observe", str(error)
    if bench.view.lists:
        yield "the list of workloads", str(bench.view.all())


def _forms(secret: str) -> Iterator[tuple[str, str]]:
    """Yields what a driver may have computed from the secret. The engine masks only the simple ones."""
    data = secret.encode()
    yield "the secret", secret
    yield "the secret, percent-encoded", quote(secret, safe="")
    yield "the secret in Base64", base64.b64encode(data).decode()
    yield "the secret in hexadecimal digits", data.hex()
    yield "the secret backwards", secret[::-1]
    yield "the beginning of the secret", secret[:11]
    for name in ("md5", "sha1", "sha256", "sha512"):
        yield f"the {name.upper()} of the secret", hashlib.new(name, data, usedforsecurity=False).hexdigest()


@rule("Sixteen services are deployed at the same time.")
def many(setup: Setup) -> None:
    with bench_of(setup) as bench:
        services = [bench.add(f"web{number}") for number in range(_MANY)]
        bench.do("deploy")
        if bench.view.sees:
            for service in services:
                expect_deployed(bench, service, "after the deployment of all")


def expect_deployed(bench: Bench, service: str, when: str) -> None:
    """Expects one running instance of a service, the number that each is created with."""
    bench.expect_running(service, 1, when)
