"""What becomes of a Compose project on the platform."""

from __future__ import annotations

import pathlib
import textwrap
from typing import Any

import compose_cases
import pytest

import orlop
from orlop.compose import ComposeError, Platform, Project, read_compose
from orlop.compose.images import Image, image_of
from orlop.compose.runtime import FIELDS

pytest.importorskip("yaml")
pytest.importorskip("jsonschema")

CASES = [case for table in compose_cases.tables() for case in compose_cases.cases(table)]
BARE = {
    "image_name": "library/nginx",
    "tag": "latest",
    "registry_id": "docker hub",
    "healthchecks": {},
    "runtime": {"restart": {"policy": "no"}, "unlimited": ["cpu", "memory"]},
}


def project_of(folder: pathlib.Path, text: str, **options: Any) -> Project:
    (folder / "compose.yaml").write_text(text)
    environment = {"HOME": "/home/user", **options.pop("environment", {})}
    return read_compose(str(folder / "compose.yaml"), environment=environment, name="shop", **options)


def service_of(folder: pathlib.Path, body: str, top: str = "") -> tuple[dict[str, Any], Platform]:
    """Returns the fields of a service with this body, and the whole."""
    indented = textwrap.indent(textwrap.dedent(body).strip(), "    ")
    platform = project_of(folder, f"services:\n  a:\n    image: nginx\n{indented}\n{top}").to_platform()
    fields: dict[str, Any] = platform.data["containers"]["a"]
    return fields, platform


def expected(**changes: Any) -> dict[str, Any]:
    """Returns the fields of a bare container with these changed. Those of `runtime` are added to its own."""
    runtime = {**BARE["runtime"], **changes.pop("runtime", {})}  # type: ignore[dict-item]
    return {**BARE, **changes, "runtime": {key: value for key, value in runtime.items() if value is not None}}


@pytest.mark.parametrize(
    ("text", "image"),
    [
        ("nginx", ("docker hub", "library/nginx", "latest")),
        ("acme/api:1.2", ("docker hub", "acme/api", "1.2")),
        ("docker.io/nginx:1", ("docker hub", "library/nginx", "1")),
        ("ghcr.io/a/b/c:v1", ("ghcr.io", "a/b/c", "v1")),
        ("localhost/a", ("localhost", "a", "latest")),
        ("localhost:5000/a:2", ("localhost:5000", "a", "2")),
        ("registry.example:5000/x/y:1@sha256:ab", ("registry.example:5000", "x/y", "1@sha256:ab")),
        ("nginx@sha256:ab", ("docker hub", "library/nginx", "sha256:ab")),
    ],
)
def test_the_name_of_an_image_is_split(text: str, image: tuple[str, str, str]) -> None:
    assert image_of(text) == Image(*image)


@pytest.mark.parametrize("image", ["-app", "Acme/api", "acme/api:-1", "acme/", "a/b_"])
def test_an_image_that_no_registry_has_is_refused_with_its_line(image: str, tmp_path: pathlib.Path) -> None:
    project = project_of(tmp_path, f"services:\n  a:\n    image: {image}\n")
    with pytest.raises(ComposeError, match=r"^compose\.yaml:3: services\.a\.image: .* is no name of an image"):
        project.to_platform()


def test_a_published_port_that_is_none_is_refused_with_its_line(tmp_path: pathlib.Path) -> None:
    text = "services:\n  a:\n    image: x\n    ports:\n      - target: 80\n        published: http\n"
    with pytest.raises(ComposeError, match=r'^compose\.yaml:6: services\.a\.ports\[0\]\.published: "http" is no port'):
        project_of(tmp_path, text).to_platform()


PROBE = {"initial_delay_seconds": 0, "success_threshold": 1}
TCP = {"protocol": "TCP", "publicly_accessible": True}
SERVICES: list[tuple[str, str, dict[str, Any]]] = [
    ("a bare service", "", {}),
    ("variables", "environment: {A: 1, DB_PASSWORD: x, NONE: , PASSWORD_FILE: /x}", {
        "variables": {
            "A": {"value": "1", "is_secret": False},
            "DB_PASSWORD": {"value": "x", "is_secret": True},
            "PASSWORD_FILE": {"value": "/x", "is_secret": False},
        }
    }),
    ("a command", "command: run 'a b'", {"arguments": ["run", "a b"]}),
    ("an entrypoint and a command", "entrypoint: [sh, -c]\ncommand: [x]", {
        "entrypoint": "sh", "arguments": ["-c", "x"]
    }),
    ("an entrypoint alone", "entrypoint: /run", {"entrypoint": "/run", "runtime": {"entrypoint": ["/run"]}}),
    ("no entrypoint", "entrypoint: []", {"runtime": {"entrypoint": []}}),
    ("ports", "ports: ['80:8080', '53:53/udp', 9000]\nexpose: [7000, 8080]", {
        "ports": [
            {"internal_port": 8080, "external_port": 80, **TCP},
            {"internal_port": 53, "external_port": 53, **TCP, "protocol": "UDP"},
            {"internal_port": 9000, **TCP},
            {"internal_port": 7000, **TCP, "publicly_accessible": False},
        ]
    }),
    ("a port of one host address", "ports: ['127.0.0.1:80:8080']", {
        "ports": [{"internal_port": 8080, **TCP, "publicly_accessible": False}],
        "runtime": {
            "ports": [{"internal_port": 8080, "protocol": "TCP", "external_port": 80, "host_address": "127.0.0.1"}]
        },
    }),
    ("all addresses", "ports: ['0.0.0.0:80:80']", {"ports": [{"internal_port": 80, "external_port": 80, **TCP}]}),
    ("a port that is published twice", "ports: ['8080:80', '8081:80']", {
        "ports": [{"internal_port": 80, "external_port": 8080, **TCP}],
        "runtime": {"ports": [{"internal_port": 80, "protocol": "TCP", "external_port": 8081}]},
    }),
    ("one of a range", "ports: ['8000-8005:80']", {
        "ports": [{"internal_port": 80, **TCP, "publicly_accessible": False}],
        "runtime": {"ports": [{"internal_port": 80, "protocol": "TCP", "external_port": "8000-8005"}]},
    }),
    ("a healthcheck of a shell", "healthcheck: {test: 'curl x || exit 1', interval: 5s, timeout: 2s, retries: 4}", {
        "healthchecks": {
            "readiness_probe": {
                "type": {"exec": {"command": ["/bin/sh", "-c", "curl x || exit 1"]}},
                "period_seconds": 5,
                "timeout_seconds": 2,
                "failure_threshold": 4,
                **PROBE,
            }
        }
    }),
    ("a start period forgives failures", "healthcheck: {test: [CMD, a, b], start_period: 65s}", {
        "healthchecks": {
            "readiness_probe": {
                "type": {"exec": {"command": ["a", "b"]}},
                "period_seconds": 30,
                "timeout_seconds": 30,
                "failure_threshold": 6,
                **PROBE,
            }
        }
    }),
    ("no healthcheck", "healthcheck: {disable: true}", {}),
    ("limits", "mem_limit: 100m\ncpus: 0.5", {"memory": 100, "cpu": 500, "runtime": {"unlimited": None}}),
    ("limits of deploy", "deploy: {replicas: 2, resources: {limits: {memory: 1.5g}}}", {
        "memory": 1536,
        "min_running_instances": 2,
        "max_running_instances": 2,
        "runtime": {"unlimited": ["cpu"]},
    }),
    ("a GPU", "gpus: [{driver: nvidia, count: 2}]", {"gpu": 2}),
    ("a platform", "platform: linux/arm64", {"cpu_architecture": "ARM64"}),
    ("an anonymous volume", "volumes: [/data]", {
        "storage": [{"type": "FAST_SSD", "size": 10, "mount_point": "/data"}]
    }),
    ("settings", "read_only: true\nstop_grace_period: 1m30s", {
        "advanced_settings": {
            "deployment.termination_grace_period_seconds": 90,
            "security.read_only_root_filesystem": True,
        }
    }),
    ("a host path", "volumes: ['/srv/data:/data:ro,rslave']", {
        "runtime": {
            "mounts": [{
                "type": "HOST_PATH",
                "source": "/srv/data",
                "mount_point": "/data",
                "read_only": True,
                "propagation": "rslave",
                "create_host_path": True,
            }]
        }
    }),
    ("memory mounts", "tmpfs: '/run:size=64m,noexec'\nvolumes: [{type: tmpfs, target: /t, tmpfs: {size: 1m}}]", {
        "runtime": {
            "tmpfs": [
                {"mount_point": "/run", "size": 64 << 20, "options": ["noexec"]},
                {"mount_point": "/t", "size": 1 << 20},
            ]
        }
    }),
    ("restart", "restart: on-failure:3", {"runtime": {"restart": {"policy": "on-failure", "max_attempts": 3}}}),
    ("process settings", "user: '1000'\nworking_dir: /w\ninit: true\ntty: true\nstop_signal: SIGINT\nhostname: h", {
        "runtime": {
            "user": "1000",
            "working_dir": "/w",
            "init": True,
            "tty": True,
            "stop_signal": "SIGINT",
            "hostname": "h",
            "aliases": ["h"],
        }
    }),
    ("rights", "privileged: true\ncap_add: [NET_ADMIN]\ncap_drop: [ALL]\ndevices: [/dev/dri]\nsysctls: {a.b: 1}", {
        "runtime": {
            "privileged": True,
            "cap_add": ["NET_ADMIN"],
            "cap_drop": ["ALL"],
            "devices": [{"source": "/dev/dri", "target": "/dev/dri", "permissions": "rwm"}],
            "sysctls": {"a.b": "1"},
        }
    }),
    ("limits of the process", "ulimits: {nofile: 5, core: {soft: 1, hard: 2}}\nshm_size: 1m\npids_limit: 9", {
        "runtime": {
            "ulimits": {"nofile": {"soft": 5, "hard": 5}, "core": {"soft": 1, "hard": 2}},
            "shm_size": 1 << 20,
            "pids_limit": 9,
        }
    }),
    ("hosts", "extra_hosts: ['h:1.1.1.1', 'i=::1']\ndns: 9.9.9.9\nnetwork_mode: host", {
        "runtime": {"extra_hosts": {"h": ["1.1.1.1"], "i": ["::1"]}, "dns": ["9.9.9.9"], "network_mode": "host"}
    }),
    ("labels", "labels: ['traefik.enable=true']", {"runtime": {"labels": {"traefik.enable": "true"}}}),
]  # fmt: skip


@pytest.mark.parametrize(("body", "changes"), [row[1:] for row in SERVICES], ids=[row[0] for row in SERVICES])
def test_a_service_becomes_a_container(body: str, changes: dict[str, Any], tmp_path: pathlib.Path) -> None:
    fields, platform = service_of(tmp_path, body)
    assert fields == expected(**changes)
    assert [note for note in platform.notes if "is not honoured" in note.text] == []


def test_dependencies_become_stages(tmp_path: pathlib.Path) -> None:
    data = project_of(
        tmp_path,
        """
services:
  web: {image: w, depends_on: [api, cache]}
  api: {image: a, depends_on: {db: {condition: service_healthy}}}
  cache: {image: c}
  db: {image: d, healthcheck: {test: x}}
""",
    ).to_platform()
    stages = {name: fields["deployment_stage"] for name, fields in data.data["containers"].items()}
    assert stages == {"web": "shop 3", "api": "shop 2", "cache": "shop 1", "db": "shop 1"}
    assert list(data.data["stages"]) == ["shop 1", "shop 2", "shop 3"]


def test_a_service_that_ends_becomes_a_job(tmp_path: pathlib.Path) -> None:
    platform = project_of(
        tmp_path,
        """
services:
  web: {image: w, depends_on: {migrate: {condition: service_completed_successfully}}}
  migrate: {image: 'm:1', command: [up], restart: 'on-failure:2', ports: ['80:80']}
""",
    ).to_platform()
    job = platform.data["jobs"]["migrate"]
    assert job["source"] == {"image": {"image_name": "library/m", "tag": "1", "registry_id": "docker hub"}}
    assert job["schedule"] == {"on_start": {"arguments": ["up"]}}
    assert (job["max_nb_restart"], job["deployment_stage"]) == (2, "shop 1")
    assert platform.data["containers"]["web"]["deployment_stage"] == "shop 2"
    assert [(note.line, note.key) for note in platform.notes] == [(4, "ports")]


def test_secrets_configs_and_files_become_variables(tmp_path: pathlib.Path) -> None:
    (tmp_path / "secret.txt").write_text("hush")
    (tmp_path / "site.conf").write_text("listen 80;\n")
    (tmp_path / "run.sh").write_text("#!/bin/sh\n")
    (tmp_path / "run.sh").chmod(0o755)
    fields, platform = service_of(
        tmp_path,
        """
        secrets: [db, {source: env, target: token, mode: 0400}, gone]
        configs: [{source: inline, target: /etc/inline}]
        volumes: ['./site.conf:/etc/site.conf:ro', './run.sh:/run.sh', './site.conf:/etc/rw.conf']
        """,
        """
secrets:
  db: {file: secret.txt}
  env: {environment: NONE}
  gone: {external: true}
configs: {inline: {content: text}}
""",
    )
    assert fields["variables"] == {
        "SECRET_DB": {"value": "hush", "is_secret": True, "mount_path": "/run/secrets/db"},
        "CONFIG_INLINE": {"value": "text", "is_secret": False, "mount_path": "/etc/inline"},
        "FILE_SITE_CONF": {"value": "listen 80;\n", "is_secret": False, "mount_path": "/etc/site.conf"},
        "FILE_SITE_CONF_2": {"value": "listen 80;\n", "is_secret": False, "mount_path": "/etc/rw.conf"},
    }
    assert [mount["mount_point"] for mount in fields["runtime"]["mounts"]] == ["/run.sh"]
    assert [note.key for note in platform.notes] == ["secrets.1.mode", "secrets.1", "secrets.2", "volumes.2"]


def test_a_shared_volume_is_one_of_the_environment(tmp_path: pathlib.Path) -> None:
    text = """
services:
  a: {image: x, volumes: ['own:/own', 'both:/both']}
  b: {image: y, volumes: ['both:/b:ro', 'out:/out']}
volumes:
  own:
  both: {driver: local}
  out: {external: true}
"""
    platform = project_of(tmp_path, text).to_platform(storage_size=3)
    containers = platform.data["containers"]
    assert containers["a"]["storage"] == [{"type": "FAST_SSD", "size": 3, "mount_point": "/own"}]
    assert containers["a"]["runtime"]["mounts"] == [{"type": "VOLUME", "source": "both", "mount_point": "/both"}]
    assert containers["b"]["runtime"]["mounts"] == [
        {"type": "VOLUME", "source": "both", "mount_point": "/b", "read_only": True},
        {"type": "VOLUME", "source": "out", "mount_point": "/out"},
    ]
    assert platform.data["volumes"] == {
        "both": {"name": "shop_both", "driver": "local"},
        "out": {"name": "out", "external": True},
    }
    outliving = project_of(tmp_path, text).to_platform(volumes="runtime").data
    assert list(outliving["volumes"]) == ["own", "both", "out"]
    assert "storage" not in outliving["containers"]["a"]


def test_names_that_others_use_become_aliases(tmp_path: pathlib.Path) -> None:
    platform = project_of(
        tmp_path,
        """
services:
  a: {image: x, container_name: shop-a, networks: {n: {aliases: [other]}}}
  b: {image: y, links: ['a:linked'], networks: [n]}
networks: {n: }
""",
    ).to_platform()
    assert platform.data["containers"]["a"]["runtime"]["aliases"] == ["shop-a", "other", "linked"]


def test_a_local_build_is_a_runtime_and_one_of_git_is_an_application(tmp_path: pathlib.Path) -> None:
    platform = project_of(
        tmp_path,
        """
services:
  local: {build: {context: ./app, args: {A: 1}}, image: 'own:2'}
  git: {build: {context: 'https://github.com/acme/x.git#dev:web', target: t, args: {B: 2}}}
""",
    ).to_platform()
    local, git = platform.data["containers"]["local"], platform.data["applications"]["git"]
    assert local["runtime"]["build"] == {
        "context": str(tmp_path / "app"),
        "dockerfile": "Dockerfile",
        "args": {"A": "1"},
    }
    assert (local["image_name"], local["tag"]) == ("library/own", "2")
    assert git["git_repository"] == {
        "url": "https://github.com/acme/x.git",
        "provider": "GITHUB",
        "branch": "dev",
        "root_path": "/web",
    }
    assert git["variables"] == {"B": {"value": "2", "is_secret": False}}
    assert (git["dockerfile_path"], git["docker_target_build_stage"]) == ("Dockerfile", "t")
    assert platform.notes == []


def test_each_key_that_is_not_honoured_has_a_note_with_its_line(tmp_path: pathlib.Path) -> None:
    _, platform = service_of(
        tmp_path,
        """
        logging: {driver: none}
        develop: {watch: [{path: ., action: rebuild}]}
        deploy:
          placement: {constraints: [a==b]}
          update_config: {parallelism: 1}
        networks: {n: {ipv4_address: 10.0.0.5}}
        annotations: {a: b}
        healthcheck: {test: x, start_interval: 1s}
        """,
        "networks: {n: {ipam: {config: [{subnet: 10.0.0.0/24}]}}}\n",
    )
    found = {(note.line, note.service, note.key) for note in platform.notes}
    assert found == {
        (4, "a", "logging"),
        (5, "a", "develop"),
        (7, "a", "deploy.placement"),
        (8, "a", "deploy.update_config"),
        (9, "a", "networks.n.ipv4_address"),
        (10, "a", "annotations"),
        (11, "a", "healthcheck.start_interval"),
        (12, "", "networks.n"),
    }
    assert {note.file for note in platform.notes} == {"compose.yaml"}


def test_the_lines_are_those_of_the_file_that_has_the_key(tmp_path: pathlib.Path) -> None:
    (tmp_path / "more.yaml").write_text("services:\n  a:\n    user: '1'\n    logging: {driver: none}\n")
    (tmp_path / "compose.yaml").write_text("services:\n  a:\n    image: x\n    privileged: true\n")
    files = [str(tmp_path / "compose.yaml"), str(tmp_path / "more.yaml")]
    platform = read_compose(files, environment={}).to_platform()
    assert [str(note) for note in platform.notes] == ["more.yaml:4: services.a.logging is not honoured"]
    assert [str(note) for note in platform.host_access] == [
        "compose.yaml:4: services.a.privileged reaches the machine: it needs --allow-host-access"
    ]


def test_what_reaches_the_machine_is_listed(tmp_path: pathlib.Path) -> None:
    _, platform = service_of(
        tmp_path,
        """
        network_mode: none
        ipc: shareable
        security_opt: ['no-new-privileges:true']
        pid: host
        volumes: ['v:/v', '/var/run/docker.sock:/var/run/docker.sock']
        """,
        "volumes: {v: }\n",
    )
    assert [(note.line, note.key) for note in platform.host_access] == [(7, "pid"), (8, "volumes.1")]


def test_services_without_an_active_profile_are_noted(tmp_path: pathlib.Path) -> None:
    text = "services:\n  a: {image: x}\n  b: {image: y, profiles: [debug]}\n"
    platform = project_of(tmp_path, text).to_platform()
    assert list(platform.data["containers"]) == ["a"]
    assert [str(note) for note in platform.notes] == [
        "compose.yaml:3: services.b is not created: it needs a profile of debug"
    ]
    assert list(project_of(tmp_path, text, profiles=["debug"]).to_platform().data["containers"]) == ["a", "b"]


def test_two_services_with_one_host_port_are_noted(tmp_path: pathlib.Path) -> None:
    text = "services:\n  a: {image: x, ports: ['80:80']}\n  b: {image: y, ports: ['80:81', '80:82/udp']}\n"
    (note,) = project_of(tmp_path, text).to_platform().notes
    assert (note.line, note.service, note.key) == (3, "b", "ports.0")


def test_the_fields_of_runtime_are_all_defined(tmp_path: pathlib.Path) -> None:
    known = {field.name for field in FIELDS}
    for _, _, changes in SERVICES:
        assert changes.get("runtime", {}).keys() <= known


def created(environment: Any, organization: Any, platform: Platform) -> int:
    """Creates the services of a platform file in an environment. Returns their number."""
    registries = {each.name: each for each in organization.container_registries.list()}
    for name, fields in platform.data.get("container_registries", {}).items():
        if name not in registries:
            registries[name] = organization.container_registries.create(name=name, **fields)
    number = 0
    for kind in ("containers", "jobs", "applications"):
        for name, given in platform.data.get(kind, {}).items():
            own = ("variables", "deployment_stage", "advanced_settings", "runtime")
            fields = {key: value for key, value in given.items() if key not in own}
            image = fields["source"]["image"] if kind == "jobs" else fields
            if kind != "applications":
                image["registry_id"] = registries[image["registry_id"]].id
            service = getattr(environment, kind).create(name=name, **fields)
            if "advanced_settings" in given:
                service.advanced_settings.edit(**given["advanced_settings"])
            for key, variable in given.get("variables", {}).items():
                service.variables.create(key=key, **variable)
            number += 1
    return number


def test_the_engine_accepts_each_project_of_the_tables(tmp_path: pathlib.Path) -> None:
    number = 0
    with orlop.Engine() as engine:
        organization = engine.organizations.create(name="o", plan="FREE")
        organization.clusters.create(name="c", cloud_provider="ON_PREMISE", region="r")
        project = organization.projects.create(name="p")
        for index, case in enumerate(CASES):
            request = case.write(tmp_path / str(index))
            try:
                read = read_compose(
                    [f"{request['directory']}/{file}" for file in request["files"]],
                    env_files=[f"{request['directory']}/{file}" for file in request.get("env_files", ())],
                    environment=request["environment"],
                    profiles=request.get("profiles", ()),
                    name=request.get("name"),
                )
            except ComposeError:
                continue
            environment = project.environments.create(name=f"e{index}")
            number += created(environment, organization, read.to_platform())
    assert number > 200


def test_a_volume_of_one_letter_is_noted(tmp_path: pathlib.Path) -> None:
    fields, platform = service_of(tmp_path, "volumes: ['d:/data', 'd:/more:ro']", "volumes: {d: }\n")
    assert fields == expected()
    assert [note.key for note in platform.notes] == ["volumes.0", "volumes.1"]
    assert all("drive of Windows" in note.text for note in platform.notes)


def test_a_mount_whose_source_is_missing_is_noted(tmp_path: pathlib.Path) -> None:
    fields, platform = service_of(tmp_path, "volumes: ['./none.conf:/etc/none.conf', '/srv/none:/none']")
    assert [mount["source"] for mount in fields["runtime"]["mounts"]] == [str(tmp_path / "none.conf"), "/srv/none"]
    assert [(note.key, note.text.endswith("which is not there: a folder is made")) for note in platform.notes] == [
        ("volumes.0", True)
    ]


def test_volumes_of_another_service_are_mounted(tmp_path: pathlib.Path) -> None:
    platform = project_of(
        tmp_path,
        """
services:
  a: {image: x, volumes_from: ['b:ro']}
  b: {image: y, volumes: ['vol:/v', '/srv/w:/w']}
volumes: {vol: }
""",
    ).to_platform()
    containers = platform.data["containers"]
    assert containers["a"]["runtime"]["mounts"] == [
        {"type": "VOLUME", "source": "vol", "mount_point": "/v", "read_only": True},
        {"type": "HOST_PATH", "source": "/srv/w", "mount_point": "/w", "read_only": True, "create_host_path": True},
    ]
    assert containers["b"]["runtime"]["mounts"][0] == {"type": "VOLUME", "source": "vol", "mount_point": "/v"}
    assert [note.service for note in platform.host_access] == ["a", "b"]
