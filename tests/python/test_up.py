"""`orlop up` and the commands on a platform file, with a driver that deploys nothing."""

from __future__ import annotations

import json
import pathlib
import re
from typing import Any

import pytest

import orlop
from orlop.platform_files import document, reconciliation, schema
from orlop.platform_files.interface import Interface, interface, is_reference
from platform_folder import DRIVER, SMALL, Folder

pytest.importorskip("yaml")

ROOT = pathlib.Path(__file__).resolve().parents[2]
TABLES = ROOT / "tests" / "tables" / "platform_files"
TRANSCRIPTS = ROOT / "tests" / "transcripts" / "platform_files"


@pytest.fixture(scope="module")
def known() -> Interface:
    with orlop.Engine() as engine:
        return interface(engine)


@pytest.fixture
def folder(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Folder:
    return Folder(tmp_path, monkeypatch, capsys)


def cases(path: pathlib.Path) -> list[tuple[str, str, str]]:
    """Returns name, file and expected text of each case of a table."""
    found = []
    for block in re.split(r"^== ", path.read_text(), flags=re.MULTILINE)[1:]:
        name, _, rest = block.partition("\n")
        text, _, expected = rest.partition("\n-- ")
        found.append((name, text + "\n", expected.strip()))
    return found


REFUSED = cases(TABLES / "refused.txt")


@pytest.mark.parametrize(("name", "text", "expected"), REFUSED, ids=[case[0] for case in REFUSED])
def test_a_wrong_file_is_refused_with_its_line(
    name: str, text: str, expected: str, tmp_path: pathlib.Path, known: Interface
) -> None:
    path = tmp_path / "orlop.yaml"
    path.write_text(text)
    with orlop.Engine(require_cluster=False) as engine, pytest.raises(orlop.Misuse) as refused:
        reconciliation.plan(engine, document.read(path, known))
    assert str(refused.value).removeprefix(f"{path}:") == expected
    assert engine is not None


def test_a_second_up_changes_and_deploys_nothing(folder: Folder) -> None:
    folder.write(SMALL)
    status, out, _ = folder.up()
    assert status == 0
    assert out.splitlines()[-1] == "web  http://127.0.0.1:41080"
    assert folder.done() == ["deploy web"]
    status, out, _ = folder.up()
    assert (status, out.splitlines()[0]) == (0, "nothing to change")
    assert folder.done() == []
    assert folder.run("plan")[:2] == (0, "plan for local/shop/local\nnothing to change\n")


def test_a_change_deploys_only_what_it_changes(folder: Folder) -> None:
    folder.write(SMALL + "  api: {image_name: acme/api, tag: 1}\n")
    folder.up()
    assert sorted(folder.done()) == ["deploy api", "deploy web"]
    folder.write(SMALL + "  api: {image_name: acme/api, tag: 2}\n")
    assert folder.run("plan")[1].splitlines()[1:3] == ["~ container api", "    tag: 1 -> 2"]
    folder.up()
    assert folder.done() == ["deploy api"]


def test_a_field_that_goes_has_its_default_again(folder: Folder) -> None:
    folder.write(SMALL + "    cpu: 100\n")
    folder.up()
    folder.write(SMALL)
    assert "    cpu: 100 -> 500" in folder.run("plan")[1]


def test_plan_stores_nothing(folder: Folder) -> None:
    folder.write(SMALL)
    status, out, _ = folder.run("plan", "--json")
    assert status == 1
    assert {change["action"] for change in json.loads(out)["changes"]} == {"create"}
    assert not (folder.path / ".orlop").exists()


def test_without_a_terminal_yes_is_needed(folder: Folder) -> None:
    folder.write(SMALL)
    status, _, err = folder.run("up", *DRIVER)
    assert (status, err) == (2, "orlop: --yes is required where the input is no terminal\n")
    assert folder.done() == []


def test_a_container_engine_that_is_away_is_noticed_before_anything_is_stored(
    folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("docker")
    monkeypatch.setenv("DOCKER_HOST", f"unix://{folder.path}/none.sock")
    folder.write(SMALL)
    status, out, err = folder.run("up", "--yes")
    assert (status, out) == (2, "")
    assert err.startswith(f"orlop: the container engine at unix://{folder.path}/none.sock does not answer: ")
    assert err.endswith("; start Docker or Podman, set DOCKER_HOST, or give another --driver\n")
    assert folder.run("status", "--driver", "none")[0] == 2


def test_a_driver_has_options(folder: Folder) -> None:
    folder.write(SMALL)
    assert folder.up("--driver-option", "port=5000")[1].splitlines()[-1] == "web  http://127.0.0.1:5080"
    for option, hint in (("prot=1", "; the nearest known one is port"), ("x", "; NAME is one of port")):
        status, _, err = folder.up("--driver-option", option)
        said = f"orlop: --driver-option must be NAME=VALUE of the driver's arguments, not {option}{hint}\n"
        assert (status, err) == (2, said)


def test_a_failed_deployment_is_1_and_is_tried_again(folder: Folder) -> None:
    folder.write("containers: {broken: {image_name: acme/api, tag: 1}}")
    status, out, _ = folder.up()
    assert status == 1
    assert "broken: DEPLOYMENT_ERROR: the image cannot be pulled" in out.splitlines()
    assert folder.up()[0] == 1
    folder.write("containers: {broken: {image_name: acme/api, tag: mended}}")
    assert folder.up()[0] == 0


def test_services_that_no_file_made_are_left(folder: Folder) -> None:
    folder.write(SMALL)
    folder.up()
    with orlop.Engine(str(folder.path / ".orlop" / "platform.db"), role="serve") as engine:
        shop = engine.organizations.find("local").projects.find("shop").environments.find("local")
        shop.databases.create(name="manual", type="REDIS", version="7", mode="CONTAINER")
        shop.variables.create(key="MANUAL", value="1")
    status, out, _ = folder.run("plan")
    assert (status, out.splitlines()[1:]) == (
        1,
        [
            "~ environment local",
            "    variables.MANUAL: 1 -> none",
            "  database manual is not in the file and was not made by one: it is left as it is",
            "1 to change",
        ],
    )
    folder.done()
    assert folder.up()[0] == 0
    assert folder.done() == ["deploy web"]  # its variables have changed; the other service is not deployed
    folder.write(SMALL + "databases: {manual: {type: REDIS, version: 7}}\n")
    assert "~ database manual (managed by the file from now on)" in folder.run("plan")[1].splitlines()
    folder.up()
    assert folder.done() == ["deploy manual"]
    folder.write(SMALL)
    assert "- database manual (with its data)" in folder.run("plan")[1].splitlines()


def test_stages_are_deployed_in_order_and_skipped_services_are_left_out(folder: Folder) -> None:
    services = "  {0}: {{image_name: acme/{0}, tag: 1, deployment_stage: {1}{2}}}\n"
    entries = [("last", "end", ""), ("first", "begin", ""), ("none", "begin", ", is_skipped: true")]
    text = "stages: {begin: {}, end: {}}\ncontainers:\n" + "".join(services.format(*entry) for entry in entries)
    folder.write(text)
    assert folder.up()[0] == 0
    assert folder.done() == ["deploy first", "deploy last"]
    folder.write(text.replace("{begin: {}, end: {}}", "{end: {}, begin: {}}").replace("tag: 1", "tag: 2"))
    assert folder.up()[0] == 0
    assert folder.done() == ["deploy last", "deploy first"]


def test_a_service_may_come_back_while_it_is_deleted(folder: Folder) -> None:
    folder.write(SMALL + "  page: {image_name: acme/page, tag: 1}\n")
    folder.up()
    folder.write(SMALL)
    with orlop.Engine(str(folder.path / ".orlop" / "platform.db"), role="serve") as engine:
        shop = engine.organizations.find("local").projects.find("shop").environments.find("local")
        shop.containers.find("page").delete()
    folder.done()
    folder.write(SMALL + "  page: {image_name: acme/page, tag: 2}\n")
    assert folder.up()[0] == 0
    assert folder.done() == ["delete page", "deploy page"]


def applied(engine: orlop.Engine, path: pathlib.Path, known: Interface, text: str) -> str:
    """Writes the file, applies it, and returns the plan."""
    path.write_text(text)
    file = document.read(path, known)
    plan = reconciliation.plan(engine, file)
    reconciliation.apply(engine, file, plan)
    assert not reconciliation.plan(engine, file).changes
    return plan.text()


SEQUENCES = sorted(TRANSCRIPTS.glob("*.txt"))


@pytest.mark.parametrize("transcript", SEQUENCES, ids=[path.stem for path in SEQUENCES])
def test_plans_are_those_of_the_transcripts(
    transcript: pathlib.Path, tmp_path: pathlib.Path, known: Interface, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each transcript is a sequence of files for one store: the file, and behind `--` its plan."""
    monkeypatch.setenv("ORLOP_TEST_SECRET", "from the environment")
    folder = tmp_path / "shop"
    folder.mkdir()
    (folder / "page.html").write_text("<h1>shop</h1>\n")
    with orlop.Engine(require_cluster=False) as engine:
        found = "".join(
            f"== {name}\n{text}-- {applied(engine, folder / 'orlop.yaml', known, text)}\n\n"
            for name, text, _ in cases(transcript)
        )
    head = transcript.read_text().partition("== ")[0]
    assert head + found.rstrip() + "\n" == transcript.read_text()


def test_a_changed_secret_is_noticed_and_never_shown(tmp_path: pathlib.Path, known: Interface) -> None:
    text = SMALL + "    variables: {KEY: {value: VALUE, is_secret: true}}\ncontainer_registries:\n  own: REGISTRY\n"
    registry = "{kind: GITHUB_CR, config: {username: me, password: VALUE}}"
    path = tmp_path / "orlop.yaml"
    texts = []
    with orlop.Engine(require_cluster=False) as engine:
        for secret in ("first-secret", "second-secret"):
            texts.append(applied(engine, path, known, text.replace("REGISTRY", registry).replace("VALUE", secret)))
        shown: Any = engine.request("GET", f"/organization/{engine.organizations.list()[0].id}/containerRegistry").body
        snapshot = engine.snapshot()
    assert texts[1].splitlines()[1:-1] == [
        "~ container registry own",
        "    config.password: *** (another secret)",
        "~ container web",
        "    variables.KEY: *** (another secret)",
    ]
    for found in (*texts, shown.decode(), snapshot.decode()):
        assert "first-secret" not in found
        assert "second-secret" not in found


def test_the_examples_print_what_the_guide_shows(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    for path in (ROOT / "examples" / "platform_files").iterdir():
        folder.write(path.read_text(), path.name)
    for name, value in (("GHCR_TOKEN", "ghp_secret"), ("STRIPE_KEY", "sk_secret"), ("VERSION", "1.4.0")):
        monkeypatch.setenv(name, value)
    expected = ROOT / "examples" / "expected" / "platform_files"
    assert folder.run("plan", "shop.yaml")[1] == (expected / "plan.txt").read_text()
    assert folder.up()[1] == (expected / "up.txt").read_text()
    assert folder.up("shop.yaml")[0] == 0


def test_the_schema_is_published_and_knows_every_file_of_the_tests(folder: Folder) -> None:
    import jsonschema
    import yaml

    status, out, _ = folder.run("up", "--schema")
    assert status == 0
    assert (ROOT / "docs" / "platform.schema.json").read_text() == out, "run `orlop up --schema` into this file"
    published: Any = json.loads(out)
    jsonschema.Draft202012Validator.check_schema(published)
    validator = jsonschema.Draft202012Validator(published)
    for path in SEQUENCES:
        for name, text, _ in cases(path):
            validator.validate(yaml.safe_load(text)), name
    for name, text, expected in REFUSED:
        if "is not a member here" in expected or "is set by the platform" in expected:
            assert not validator.is_valid(yaml.safe_load(text)), name


def test_a_new_field_of_the_interface_needs_no_code(tmp_path: pathlib.Path) -> None:
    with orlop.Engine() as engine:
        description = engine.request("GET", "/openapi.json").json()
    fields = {"init": {"type": "boolean"}, "key": {"type": "string", "writeOnly": True}, "version": {"type": "string"}}
    description["components"]["schemas"]["NewGroup"] = {"type": "object", "properties": fields}
    container = description["components"]["schemas"]["ContainerRequest"]
    container["properties"]["new_group"] = {"allOf": [{"$ref": "#/components/schemas/NewGroup"}]}
    changed = Interface(description)
    path = tmp_path / "orlop.yaml"
    path.write_text(SMALL + "    new_group: {init: true, key: hush, version: 1.10}\n")
    body = document.read(path, changed).services[0].body
    assert body.fields["new_group"] == {"init": True, "key": "hush", "version": "1.10"}
    assert body.secrets == {"new_group.key": "hush"}
    path.write_text(SMALL + "    new_group: {int: true}\n")
    with pytest.raises(orlop.Misuse, match="new_group.int is not a member here; the nearest known one is init"):
        document.read(path, changed)
    assert "new_group" in schema.schema(changed)["$defs"]["container"]["properties"]


def test_every_field_with_an_id_is_named_by_a_resource(known: Interface) -> None:
    """The targets follow from the names of fields. A field of a new name has to be listed here, or to be named so that
    its target is found."""
    found: dict[str, set[str]] = {}

    def walk(given: Any, parent: str, depth: int) -> None:
        for name, field in given.get("properties", {}).items():
            resolved = known.resolve(field)
            if is_reference(resolved):
                targets = [kind.family for kind in known.targets(name, parent)]
                found.setdefault(f"{parent}.{name}" if name == "id" else name, set()).update(targets)
            if depth < 8:
                walk(resolved, name, depth + 1)
                walk(known.resolve(resolved.get("items", {})), name, depth + 1)

    for kind in known.every_kind():
        walk(kind.schema, "", 0)
    for kind in (known.environment, known.project, known.organization):
        walk(kind.schema, "", 0)
    credentials = {f"{cloud}_credentials" for cloud in ("aws", "azure", "gcp", "on_premise", "scaleway")}
    assert {name: targets for name, targets in found.items() if targets} == {
        "annotations_groups.id": {"annotations_group"},
        "labels_groups.id": {"labels_group"},
        "repository": {"helm_repository"},
        "repository.id": {"helm_repository"},
        "credentials.id": credentials,
        "registry_id": {"container_registry"},
        "git_token_id": {"git_token"},
        "cluster": {"cluster"},
        "cluster_id": {"cluster"},
        "project_id": {"project"},
    }
    # Ids of entries of the resource itself, and of what a file cannot hold.
    assert {name for name, targets in found.items() if not targets} == {
        "ports.id",
        "storage.id",
        "secret_manager_accesses.id",
        "blueprint_id",
    }
