"""Registries in the box against Debian's docker-registry, and against a server that follows the OCI distribution
specification with tokens, pages and faults."""

from __future__ import annotations

import base64
import contextlib
import hashlib
import json
import os
import shutil
import socket
import subprocess
import urllib.request
from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qs, urlsplit

import orlop
import pytest
from fake_servers import LOOPBACK, METADATA, ORGANIZATION, Fake, Reply, Request, matches, reply, silent
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from orlop.externals import Registries
from orlop.externals.targets import Refused
from processes import wait_until

MANIFEST = {"schemaVersion": 2, "mediaType": "application/vnd.oci.image.manifest.v1+json", "layers": []}


def question(url: str, kind: str = "GENERIC_CR", config: Any = None, **more: Any) -> dict[str, Any]:
    registry = {"id": ORGANIZATION, "name": "mine", "kind": kind, "url": url, "config": config or {}}
    return {"organization_id": ORGANIZATION, "registry": registry, **more}


class Distribution:
    """A registry with images and tags, which gives `page` entries a page. With a `password`, of the user ada, it wants
    a token, which it gives at `/token`."""

    def __init__(self, images: dict[str, list[str]], page: int = 1000, password: str = "") -> None:
        self.images, self.page, self.password = images, page, password
        self.url = ""

    def __call__(self, request: Request) -> Reply:
        parts = urlsplit(request.path)
        query = {name: values[0] for name, values in parse_qs(parts.query).items()}
        given = request.headers.get("authorization", "")
        if parts.path == "/token":
            return self._token(query, given)
        scope = "registry:catalog:*"
        path = parts.path.removeprefix("/v2/")
        if path != "_catalog":
            name = path.split("/manifests/")[0].removesuffix("/tags/list")
            scope = f"repository:{name}:pull"
        if self.password and given != f"Bearer {scope}":
            challenge = f'Bearer realm="{self.url}/token",service="fake registry",scope="{scope}"'
            return reply({}, 401, www_authenticate=challenge)
        if path == "_catalog":
            return self._page(sorted(self.images), "repositories", query, parts.path)
        if path.endswith("/tags/list"):
            if name not in self.images:
                return reply({"errors": [{"code": "NAME_UNKNOWN"}]}, 404)
            return self._page(self.images[name], "tags", query, parts.path)
        tag = path.split("/manifests/")[1]
        return reply(MANIFEST) if tag in self.images.get(name, []) else reply({}, 404)

    def _token(self, query: dict[str, str], given: str) -> Reply:
        expected = "Basic " + base64.b64encode(f"ada:{self.password}".encode()).decode()
        if given != expected or query["service"] != "fake registry":
            return reply({}, 401)
        return reply({"token": query["scope"]})

    def _page(self, entries: list[str], member: str, query: dict[str, str], path: str) -> Reply:
        start = entries.index(query["last"]) + 1 if "last" in query else 0
        size = min(self.page, int(query.get("n", self.page)))
        found = entries[start : start + size]
        if start + size >= len(entries):
            return reply({member: found})
        return reply({member: found}, link=f'<{path}?last={found[-1]}&n={size}>; rel="next"')


@contextlib.contextmanager
def serving(distribution: Distribution) -> Iterator[Fake]:
    with Fake(distribution) as fake:
        distribution.url = fake.url
        yield fake


def test_images_and_tags() -> None:
    with serving(Distribution({"acme/shop": ["1", "2"], "acme/api": ["latest"], "tool": []})) as fake:
        registries = Registries(allow=LOOPBACK)
        found = matches("list_images", registries.list_images(question(fake.url)))
        assert found == [
            {"image_name": "acme/api", "versions": ["latest"]},
            {"image_name": "acme/shop", "versions": ["1", "2"]},
            {"image_name": "tool", "versions": []},
        ]
        assert [each["image_name"] for each in registries.list_images(question(fake.url, search="acme"))] == [
            "acme/api",
            "acme/shop",
        ]
        one = registries.list_images(question(fake.url, image_name="acme/shop"))
        assert one == [{"image_name": "acme/shop", "versions": ["1", "2"]}]
        assert registries.list_images(question(fake.url, image_name="acme/none")) == []
        assert matches("has_image", registries.has_image(question(fake.url, image_name="acme/shop", tag="2")))
        assert not registries.has_image(question(fake.url, image_name="acme/shop", tag="3"))


def test_a_url_with_a_path_begins_the_names() -> None:
    with serving(Distribution({"acme/shop": ["1"], "other/x": ["2"]})) as fake:
        registries = Registries(allow=LOOPBACK)
        assert registries.list_images(question(f"{fake.url}/acme/")) == [{"image_name": "shop", "versions": ["1"]}]
        assert registries.has_image(question(f"{fake.url}/acme", image_name="shop", tag="1"))


def test_ten_thousand_tags_in_pages() -> None:
    tags = [f"v{number:05}" for number in range(10_000)]
    with serving(Distribution({"a": tags}, page=700)) as fake:
        found = Registries(allow=LOOPBACK).list_images(question(fake.url, image_name="a"))
        assert matches("list_images", found) == [{"image_name": "a", "versions": tags}]
        assert len(fake.requests) == 15
        few = Registries(allow=LOOPBACK, tags=1500).list_images(question(fake.url, image_name="a"))
        assert few[0]["versions"] == tags[:1500]


def test_a_hundred_images() -> None:
    with serving(Distribution({f"image{number:03}": ["1"] for number in range(120)}, page=50)) as fake:
        found = Registries(allow=LOOPBACK).list_images(question(fake.url))
        assert len(found) == 120
        assert len(Registries(allow=LOOPBACK, images=70).list_images(question(fake.url))) == 70


def test_tokens_by_user_and_password() -> None:
    with serving(Distribution({"a": ["1"]}, password="pw")) as fake:
        registries = Registries(allow=LOOPBACK, cache_age=0)
        config = {"username": "ada", "password": "pw"}
        assert registries.list_images(question(fake.url, config=config)) == [{"image_name": "a", "versions": ["1"]}]
        assert registries.has_image(question(fake.url, config=config, image_name="a", tag="1"))
        for wrong in ({}, {"username": "ada", "password": "wr0ng"}):
            with pytest.raises(
                orlop.ExternalFailed, match="/token gives no token for 127.0.0.1:.*status 401"
            ) as raised:
                registries.list_images(question(fake.url, config=wrong, image_name="a"))
            assert "wr0ng" not in str(raised.value)


def test_basic_authentication() -> None:
    def answer(request: Request) -> Reply:
        expected = "Basic " + base64.b64encode(b"nologin:key").decode()
        if request.headers.get("authorization") != expected:
            return reply({}, 401, www_authenticate='Basic realm="x"')
        return reply({"tags": ["1"]})

    with Fake(answer) as fake:
        registries = Registries(allow=LOOPBACK)
        config = {"scaleway_secret_key": "key"}
        asked = question(fake.url, "SCALEWAY_CR", config, image_name="a")
        assert registries.list_images(asked) == [{"image_name": "a", "versions": ["1"]}]
        with pytest.raises(orlop.ExternalFailed, match="refuses the credentials, status 401"):
            registries.list_images(question(fake.url, image_name="a"))


@pytest.mark.parametrize("kind", ["ECR", "AZURE_CR"])
def test_kinds_of_clouds_are_left_to_others(kind: str) -> None:
    with pytest.raises(orlop.Unanswered, match=kind):
        Registries().list_images(question("https://example.com", kind, {"region": "x"}))


def test_docker_hub_has_its_own_names() -> None:
    from orlop.externals.access import Access
    from orlop.externals.oci_registries import Credentials, Registry

    hub = Registry(Access((), 1).session(0), "https://docker.io", Credentials("", ""))
    assert (hub.full_name("nginx"), hub.full_name("acme/shop")) == ("library/nginx", "acme/shop")
    with pytest.raises(orlop.ExternalFailed, match="Docker Hub does not list its images"):
        Registries().list_images(question("https://docker.io", "DOCKER_HUB"))


def test_a_registry_that_does_not_list_its_images() -> None:
    for status in (401, 403, 404, 405, 500):
        with Fake(lambda _, status=status: reply({}, status)) as fake:  # type: ignore[misc]
            with pytest.raises(orlop.ExternalFailed, match=f"does not list its images: .*status {status}"):
                Registries(allow=LOOPBACK).list_images(question(fake.url))


def test_the_cache_has_an_age() -> None:
    distribution = Distribution({"a": ["1"]})
    with serving(distribution) as fake:
        old, fresh = Registries(allow=LOOPBACK, cache_age=3600), Registries(allow=LOOPBACK, cache_age=0)
        asked = question(fake.url, image_name="a")
        for registries in (old, fresh):
            registries.list_images(asked)
        distribution.images["a"].append("2")
        assert old.list_images(asked)[0]["versions"] == ["1"]
        assert fresh.list_images(asked)[0]["versions"] == ["1", "2"]
        assert [0 <= age < 3600 for age in old.ages()] == [True]
        other = question(fake.url, image_name="a", config={"username": "x", "password": "y"})
        assert old.list_images(other)[0]["versions"] == ["1", "2"]  # nothing is shared with other credentials


@pytest.mark.parametrize(
    "url",
    [
        "https://127.0.0.1/",
        "https://[::1]/",
        "https://169.254.169.254/",
        "https://10.1.2.3:5000",
        "http://example.com",
        "ftp://example.com",
        "https://a:b@example.com",
    ],
)
def test_targets_that_are_refused(url: str) -> None:
    with pytest.raises(Refused):
        resolver = lambda host, _: [host if host[0] in ":1" else "93.184.216.34"]  # noqa: E731
        Registries(timeout=5, resolver=resolver).has_image(question(url, image_name="a", tag="b"))


def test_a_redirect_to_an_inner_address_is_refused() -> None:
    with Fake(lambda _: Reply(307, b"", (("location", METADATA),))) as fake:
        with pytest.raises(Refused, match=r"requests go to 169\.254\.169\.254 by https alone"):
            Registries(allow=LOOPBACK).list_images(question(fake.url))
    with Fake(lambda _: Reply(302, b"", (("location", "https://169.254.169.254/"),))) as fake:
        with pytest.raises(Refused, match="not on the public internet"):
            Registries(allow=LOOPBACK).list_images(question(fake.url))


def test_a_token_service_at_an_inner_address_is_refused() -> None:
    challenge = f'Bearer realm="{METADATA}",service="x"'
    with Fake(lambda _: reply({}, 401, www_authenticate=challenge)) as fake:
        with pytest.raises(Refused, match=r"169\.254\.169\.254"):
            Registries(allow=LOOPBACK).list_images(question(fake.url))


def test_a_next_page_at_an_inner_address_is_refused() -> None:
    with Fake(lambda _: reply({"tags": ["1"]}, link=f'<{METADATA}>; rel="next"')) as fake:
        with pytest.raises(Refused, match=r"169\.254\.169\.254"):
            Registries(allow=LOOPBACK).list_images(question(fake.url, image_name="a"))


def test_a_redirect_to_another_host_gets_no_credentials() -> None:
    with Fake(lambda _: reply({"tags": ["1"]})) as other:

        def answer(request: Request) -> Reply:
            if "authorization" not in request.headers:
                return reply({}, 401, www_authenticate='Basic realm="x"')
            return Reply(307, b"", (("location", f"{other.url}/elsewhere"),))

        with Fake(answer) as fake:
            asked = question(fake.url, config={"username": "ada", "password": "pw"}, image_name="a")
            assert Registries(allow=LOOPBACK).list_images(asked)[0]["versions"] == ["1"]
        assert other.paths() == ["/elsewhere"]
        assert "authorization" not in other.requests[0].headers


def test_pages_without_end() -> None:
    with Fake(lambda _: reply({"tags": []}, link='<?last=x>; rel="next"')) as fake:
        assert Registries(allow=LOOPBACK).list_images(question(fake.url, image_name="a"))[0]["versions"] == []
    with Fake(lambda _: Reply(302, b"", (("location", "/again"),))) as fake:
        with pytest.raises(orlop.ExternalFailed, match="redirects more than 5 times"):
            Registries(allow=LOOPBACK).list_images(question(fake.url, image_name="a"))


def test_a_silent_server_meets_the_deadline() -> None:
    with silent() as fake:
        with pytest.raises(TimeoutError, match="did not answer in time"):
            Registries(allow=LOOPBACK, timeout=0.3).list_images(question(fake.url, image_name="a"))


@pytest.mark.parametrize(
    "body", [b"", b"{", b"[]", b"null", b'{"tags": 5}', b'{"tags": [1, null, "x"]}', b"\xff", b"[["]
)
def test_answers_that_are_no_lists(body: bytes) -> None:
    with Fake(lambda _: Reply(200, body)) as fake:
        try:
            found = Registries(allow=LOOPBACK).list_images(question(fake.url, image_name="a"))
        except orlop.ExternalFailed as error:
            assert "gives no JSON" in str(error)
        else:
            matches("list_images", found)


def test_an_answer_that_is_too_large_or_packed() -> None:
    with Fake(lambda _: Reply(200, b" " * (5 << 20))) as fake:
        with pytest.raises(orlop.ExternalFailed, match="gives more than 4194304 bytes"):
            Registries(allow=LOOPBACK).list_images(question(fake.url, image_name="a"))
    with Fake(lambda _: Reply(200, b"x", (("content-encoding", "gzip"),))) as fake:
        with pytest.raises(orlop.ExternalFailed, match="an encoding that was not asked for"):
            Registries(allow=LOOPBACK).list_images(question(fake.url, image_name="a"))


@settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
@given(name=st.text(max_size=30) | st.just("n" * 70_000), tag=st.text(max_size=20) | st.just("t" * 70_000))
def test_odd_names_are_never_sent(name: str, tag: str) -> None:
    with contextlib.ExitStack() as stack:
        fake = stack.enter_context(Fake(lambda _: reply({"tags": ["1"]})))
        registries = Registries(allow=LOOPBACK)
        registries.has_image(question(fake.url, image_name=name, tag=tag))
        if name:
            registries.list_images(question(fake.url, image_name=name))
        for path in fake.paths():
            assert path.isascii() and len(path) < 500 and ".." not in path.split("/")


@pytest.fixture(scope="module")
def debian(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The URL of Debian's docker-registry."""
    program = shutil.which("docker-registry")
    if program is None:
        pytest.skip("docker-registry is not installed: apt-get install docker-registry")
    folder = tmp_path_factory.mktemp("registry")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    config = folder / "config.yml"
    config.write_text(
        f"version: 0.1\nlog: {{level: error}}\nstorage: {{filesystem: {{rootdirectory: {folder}}}}}\n"
        f"http: {{addr: 127.0.0.1:{port}}}\n"
    )
    process = subprocess.Popen([program, "serve", str(config)], stderr=subprocess.DEVNULL, env=dict(os.environ))
    url = f"http://127.0.0.1:{port}"
    try:
        wait_until(lambda: answers(url), "docker-registry")
        yield url
    finally:
        process.terminate()
        process.wait()


def answers(url: str) -> bool:
    try:
        return bool(urllib.request.urlopen(f"{url}/v2/", timeout=5).status == 200)
    except OSError:
        return False


def push(url: str, name: str, tags: list[str]) -> None:
    """Pushes an image without layers under some tags."""
    config = b"{}"
    digest = f"sha256:{hashlib.sha256(config).hexdigest()}"
    started = urllib.request.urlopen(urllib.request.Request(f"{url}/v2/{name}/blobs/uploads/", b"", method="POST"))
    location = started.headers["location"]
    target = f"{location}{'&' if '?' in location else '?'}digest={digest}"
    put(target, config, "application/octet-stream")
    kind = "application/vnd.oci.image.manifest.v1+json"
    facts = {"mediaType": "application/vnd.oci.image.config.v1+json", "digest": digest, "size": len(config)}
    manifest = json.dumps({"schemaVersion": 2, "mediaType": kind, "config": facts, "layers": []}).encode()
    for tag in tags:
        put(f"{url}/v2/{name}/manifests/{tag}", manifest, kind)


def put(url: str, body: bytes, kind: str) -> None:
    with urllib.request.urlopen(urllib.request.Request(url, body, {"content-type": kind}, method="PUT")) as answer:
        assert answer.status == 201


def test_the_registry_of_debian(debian: str) -> None:
    push(debian, "acme/shop", ["1.0", "latest"])
    push(debian, "tool", ["x"])
    registries = Registries(allow=LOOPBACK)
    found = matches("list_images", registries.list_images(question(debian)))
    assert [(each["image_name"], sorted(each["versions"])) for each in found] == [
        ("acme/shop", ["1.0", "latest"]),
        ("tool", ["x"]),
    ]
    assert registries.list_images(question(debian, image_name="none")) == []
    assert registries.has_image(question(debian, image_name="acme/shop", tag="1.0"))
    assert not registries.has_image(question(debian, image_name="acme/shop", tag="2.0"))
    assert not registries.has_image(question(debian, image_name="acme/none", tag="2.0"))
