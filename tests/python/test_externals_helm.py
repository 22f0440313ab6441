"""Helm repositories in the box: an index with charts, charts in an OCI registry, broken indexes and archives."""

from __future__ import annotations

import base64
import gzip
import hashlib
import io
import tarfile
from pathlib import Path
from typing import Any

import orlop
import pytest
from fake_servers import LOOPBACK, METADATA, ORGANIZATION, Fake, Reply, Request, matches, reply, silent
from hypothesis import given
from hypothesis import strategies as st
from orlop.externals import HelmRepositories
from orlop.externals.helm_repositories import newest_first
from orlop.externals.targets import Refused
from post_office import certificate

INDEX = """apiVersion: v1
entries:
  shop:
    - &one
      name: shop
      version: 1.2.0
      urls: [charts/shop-1.2.0.tgz]
      maintainers: [{name: ada, version: x, urls: [y]}]
      dependencies:
      - {name: redis, version: 9.9.9, urls: [no]}
    - version: 1.10.0
      urls:
      - charts/shop-1.10.0.tgz
    - version: 2.0.0-rc.1
      urls: [charts/shop-2.0.0-rc.1.tgz]
  "web":
  - {"version": "v3", "urls": ["/absolute/web-3.tgz"]}
  empty: []
  nothing:
  aliased:
  - *one
generated: 2024-01-01T00:00:00Z
"""


def packed(files: dict[str, bytes]) -> bytes:
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w:gz") as archive:
        for name, content in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    return made.getvalue()


def chart(name: str, values: str) -> bytes:
    return packed(
        {
            f"{name}/Chart.yaml": b"name: shop",
            f"{name}/charts/redis/values.yaml": b"inner: 1",
            f"{name}/values.yaml": values.encode(),
        }
    )


def question(url: str, kind: str = "HTTPS", config: Any = None, **more: Any) -> dict[str, Any]:
    repository = {"id": ORGANIZATION, "name": "mine", "kind": kind, "url": url, "config": config or {}}
    repository["skip_tls_verification"] = more.pop("skip_tls_verification", False)
    return {"organization_id": ORGANIZATION, "git_repository": None, "repository": repository, **more}


def static(files: dict[str, bytes], password: str = "") -> Any:
    def answer(request: Request) -> Reply:
        expected = "Basic " + base64.b64encode(f"ada:{password}".encode()).decode()
        if password and request.headers.get("authorization") != expected:
            return Reply(401)
        return Reply(200, files[request.path]) if request.path in files else Reply(404)

    return answer


CHARTS = {
    "/repo/index.yaml": INDEX.encode(),
    "/repo/charts/shop-1.2.0.tgz": chart("shop", "old: 1"),
    "/repo/charts/shop-1.10.0.tgz": chart("shop", "a: 1\n"),
    "/repo/charts/shop-2.0.0-rc.1.tgz": chart("shop", "next: 1"),
    "/absolute/web-3.tgz": packed({"web/Chart.yaml": b""}),
}


def test_charts_of_an_index() -> None:
    with Fake(static(CHARTS)) as fake:
        helm = HelmRepositories(allow=LOOPBACK)
        shop = {"chart_name": "shop", "versions": ["2.0.0-rc.1", "1.10.0", "1.2.0"]}
        assert matches("list_charts", helm.list_charts(question(f"{fake.url}/repo"))) == [
            shop,
            {"chart_name": "web", "versions": ["v3"]},
        ]
        assert helm.list_charts(question(f"{fake.url}/repo/", chart_name="shop")) == [shop]
        assert helm.list_charts(question(f"{fake.url}/repo/", chart_name="none")) == []


def test_values_of_charts() -> None:
    with Fake(static(CHARTS)) as fake:
        helm = HelmRepositories(allow=LOOPBACK)

        def values(name: str, version: str = "") -> str:
            asked = question(f"{fake.url}/repo", chart_name=name, chart_version=version)
            found: str = matches("read_chart_values", helm.read_chart_values(asked))
            return found

        assert values("shop") == "a: 1\n"  # the newest release, not the prerelease
        assert values("shop", "1.2.0") == "old: 1"
        assert values("web") == ""
        for name, version in (("none", ""), ("shop", "9"), ("empty", "")):
            with pytest.raises(orlop.ExternalFailed, match=f"the Helm repository has no chart {name}"):
                values(name, version)
        assert len([path for path in fake.paths() if path.endswith("index.yaml")]) == 1
        assert [age < 60 for age in helm.ages()] == [True]
        with pytest.raises(orlop.Unanswered):
            helm.read_chart_values({**question(fake.url), "repository": None})


def test_credentials_are_for_the_host_of_the_repository() -> None:
    with Fake(static({"/a.tgz": chart("a", "x: 1")})) as other:
        index = f"entries: {{a: [{{version: 1.0.0, urls: ['{other.url}/a.tgz']}}]}}"
        with Fake(static({"/index.yaml": index.encode()}, "pw")) as fake:
            helm = HelmRepositories(allow=LOOPBACK)
            config = {"username": "ada", "password": "pw"}
            assert helm.read_chart_values(question(fake.url, config=config, chart_name="a")) == "x: 1"
            assert "authorization" not in other.requests[0].headers
            with pytest.raises(orlop.ExternalFailed, match="answers with the status 401"):
                helm.list_charts(question(fake.url))


def test_tls_is_verified_unless_it_is_skipped(tmp_path: Path) -> None:
    server, _ = certificate(tmp_path, "charts.example")
    with Fake(static(CHARTS), server) as fake:
        helm = HelmRepositories(allow=LOOPBACK)
        with pytest.raises(orlop.ExternalFailed, match="certificate"):
            helm.list_charts(question(f"{fake.url}/repo"))
        assert helm.list_charts(question(f"{fake.url}/repo", skip_tls_verification=True))
        with pytest.raises(orlop.ExternalFailed, match="certificate"):
            helm.list_charts(question(f"{fake.url}/repo"))


def oci(archive: bytes, digest: str = "") -> Any:
    found = digest or f"sha256:{hashlib.sha256(archive).hexdigest()}"
    layer = {"mediaType": "application/vnd.cncf.helm.chart.content.v1.tar+gzip", "digest": found, "size": len(archive)}
    other = {"mediaType": "application/vnd.cncf.helm.chart.provenance.v1.prov", "digest": "sha256:0"}

    def answer(request: Request) -> Reply:
        path = request.path.partition("?")[0]
        if path == "/v2/_catalog":
            return reply({"repositories": ["charts/shop", "elsewhere"]})
        if path == "/v2/charts/shop/tags/list":
            return reply({"tags": ["1.0.0", "1.2.0_build.5", "1.10.0-beta"]})
        if path == "/v2/charts/shop/manifests/1.2.0_build.5":
            return reply({"layers": [other, layer]})
        if path == "/v2/charts/shop/manifests/1.0.0":
            return reply({"layers": [other]})
        return Reply(200, archive) if path == f"/v2/charts/shop/blobs/{found}" else Reply(404)

    return answer


def test_charts_of_a_registry(tmp_path: Path) -> None:
    server, client = certificate(tmp_path, "charts.example")
    with Fake(oci(chart("shop", "a: 1")), server) as fake:
        helm = HelmRepositories(allow=["charts.example"], resolver=lambda host, port: ["127.0.0.1"], ssl_context=client)
        url = f"oci://charts.example:{fake.port}/charts"
        shop = {"chart_name": "shop", "versions": ["1.10.0-beta", "1.2.0+build.5", "1.0.0"]}
        assert matches("list_charts", helm.list_charts(question(url, "OCI_GENERIC_CR"))) == [shop]
        assert helm.list_charts(question(url, "OCI_GENERIC_CR", chart_name="shop")) == [shop]
        assert helm.list_charts(question(url, "OCI_GENERIC_CR", chart_name="../none")) == []
        for version in ("", "1.2.0+build.5"):
            asked = question(url, "OCI_GENERIC_CR", chart_name="shop", chart_version=version)
            assert helm.read_chart_values(asked) == "a: 1"
        with pytest.raises(orlop.ExternalFailed, match="shop:1.0.0 is no Helm chart"):
            helm.read_chart_values(question(url, "OCI_GENERIC_CR", chart_name="shop", chart_version="1.0.0"))
        with pytest.raises(orlop.ExternalFailed, match="has no chart"):
            helm.read_chart_values(question(url, "OCI_GENERIC_CR", chart_name="n" * 70_000, chart_version="1"))


def test_a_blob_that_is_another(tmp_path: Path) -> None:
    server, client = certificate(tmp_path, "charts.example")
    with Fake(oci(b"x", "sha256:" + "0" * 64), server) as fake:
        helm = HelmRepositories(allow=["charts.example"], resolver=lambda host, port: ["127.0.0.1"], ssl_context=client)
        url = f"oci://charts.example:{fake.port}/charts"
        with pytest.raises(orlop.ExternalFailed, match="gives another blob than sha256:000"):
            helm.read_chart_values(question(url, "OCI_GENERIC_CR", chart_name="shop"))


@pytest.mark.parametrize("index", [b"{", b"\0", b"entries: {a: [{version: [x", b"%YAML 9.9\n---\n!!x", b"\t"])
def test_an_index_that_is_no_yaml(index: bytes) -> None:
    with Fake(static({"/index.yaml": index})) as fake:
        with pytest.raises(orlop.ExternalFailed, match="the index of the Helm repository cannot be parsed"):
            HelmRepositories(allow=LOOPBACK).list_charts(question(fake.url))


@pytest.mark.parametrize(
    "index",
    [b"", b"a", b"[]", b"entries: 5", b"entries: {a: 5, b: {c: d}, e: [f, [g]]}", b"a: &a {x: 1}\nb: {<<: [*a, *a]}"],
)
def test_an_index_without_charts(index: bytes) -> None:
    with Fake(static({"/index.yaml": index})) as fake:
        assert HelmRepositories(allow=LOOPBACK).list_charts(question(fake.url)) == []


def test_an_index_that_is_nested_deeply() -> None:
    nested = "entries: " + "[" * 200 + "]" * 200
    with Fake(static({"/index.yaml": nested.encode()})) as fake:
        with pytest.raises(orlop.ExternalFailed, match="nested too deeply"):
            HelmRepositories(allow=LOOPBACK).list_charts(question(fake.url))


def test_an_index_of_many_versions() -> None:
    entries = "".join(f"  - version: 1.0.{number}\n    urls: [a]\n" for number in range(10_000))
    with Fake(static({"/index.yaml": f"entries:\n  a:\n{entries}".encode()})) as fake:
        (found,) = HelmRepositories(allow=LOOPBACK).list_charts(question(fake.url))
        assert found["versions"] == [f"1.0.{number}" for number in reversed(range(10_000))]
        with pytest.raises(orlop.ExternalFailed, match="gives more than 1000 bytes"):
            HelmRepositories(allow=LOOPBACK, index_size=1000).list_charts(question(fake.url))


@pytest.mark.parametrize(
    ("archive", "fault"),
    [
        (b"", "cannot be unpacked"),
        (b"not packed", "cannot be unpacked"),
        (gzip.compress(b"no archive"), "cannot be unpacked"),
        (chart("a", "x" * 5000)[:-30], "cannot be unpacked"),
        (packed({"a/other": b""}), "is no Helm chart"),
        (packed({"values.yaml": b"x", "Chart.yaml": b""}), "is no Helm chart"),
        (packed({"a/Chart.yaml": b"", "a/values.yaml": b"x" * (5 << 20)}), "have more than 4194304 bytes"),
        (gzip.compress(b"\0" * (300 << 20), 1), "unpacks to too many bytes|no Helm chart"),
        (packed({"a/big": b"\0" * (200 << 20), "a/values.yaml": b""}), "unpacks to too many bytes"),
    ],
    ids=["empty", "text", "no tar", "cut", "other", "top", "values", "bomb", "large"],
)
def test_archives_that_are_no_charts(archive: bytes, fault: str) -> None:
    files = {"/index.yaml": b"entries: {a: [{version: 1.0.0, urls: [a.tgz]}]}", "/a.tgz": archive}
    with Fake(static(files)) as fake:
        with pytest.raises(orlop.ExternalFailed, match=fault):
            HelmRepositories(allow=LOOPBACK).read_chart_values(question(fake.url, chart_name="a"))


@pytest.mark.parametrize("target", [METADATA, "https://169.254.169.254/a", "file:///etc/passwd", "https://a:b@c/d"])
def test_urls_of_charts_that_are_refused(target: str) -> None:
    index = f"entries: {{a: [{{version: 1.0.0, urls: ['{target}']}}]}}"
    with Fake(static({"/index.yaml": index.encode()})) as fake:
        with pytest.raises(Refused):
            HelmRepositories(allow=LOOPBACK).read_chart_values(question(fake.url, chart_name="a"))


def test_a_silent_server_meets_the_deadline() -> None:
    with silent() as fake:
        with pytest.raises(TimeoutError, match="did not answer in time"):
            HelmRepositories(allow=LOOPBACK, timeout=0.3).list_charts(question(fake.url))


def test_versions_in_their_order() -> None:
    versions = ["1.2", "v1.10.0", "junk", "1.10.0-rc.2", "1.10.0-rc.10", "2", "", "1.2"]
    assert newest_first(versions) == ["2", "v1.10.0", "1.10.0-rc.10", "1.10.0-rc.2", "1.2", "junk", ""]
    assert newest_first(["2.0.0-rc.1", "1.0.0"], stable=True) == ["1.0.0", "2.0.0-rc.1"]


@given(st.lists(st.text(max_size=12) | st.from_regex(r"v?[0-9]{1,3}(\.[0-9]{1,2}){0,3}(-[a-z0-9.]*)?", fullmatch=True)))
def test_any_versions_are_ordered(versions: list[str]) -> None:
    assert sorted(newest_first(versions)) == sorted(set(versions))
