"""The reader of Compose files is held to the reference library by the tables of tests/tables/compose."""

from __future__ import annotations

import contextlib
import json
import pathlib
import random
from collections.abc import Callable
from typing import Any

import compose_cases
import pytest

from orlop.compose import ComposeError, read_compose
from orlop.compose.source import Mark
from test_attack import BAD, own_words

pytest.importorskip("yaml")
pytest.importorskip("jsonschema")

TABLES = {table.stem: compose_cases.answers(table) for table in compose_cases.tables()}
CASES = [(table.stem, case) for table in compose_cases.tables() for case in compose_cases.cases(table)]
# Cases that the reader refuses and the library does not.
STRICTER = {
    "resources/memory_with_fraction",
    "scalars/colon_in_braces",
    *(f"commands/cut_{number}" for number in range(6)),
}


@pytest.mark.parametrize(("table", "case"), CASES, ids=lambda given: getattr(given, "name", given))
def test_a_case_is_read_as_by_the_reference(table: str, case: compose_cases.Case, tmp_path: pathlib.Path) -> None:
    request = case.write(tmp_path)
    expected: dict[str, Any] = TABLES[table][case.name]
    seen = compose_cases.comparable(compose_cases.read(request), request["directory"])
    name = f"{table}/{case.name}"
    if name in STRICTER:
        assert "refused" not in expected
        assert any(said in seen["refused"] for said in compose_cases.STRICTER)
    elif "refused" in expected:
        assert "refused" in seen, expected["refused"]
    else:
        assert seen == expected


def test_the_tables_hold_every_case() -> None:
    assert sum(map(len, TABLES.values())) == len(CASES) >= 120
    assert {table: list(found) for table, found in TABLES.items()} == {
        table: sorted(case.name for of, case in CASES if of == table) for table in TABLES
    }


# Faults that no line causes: a name that the caller gives, a file that the caller names, an empty folder.
WITHOUT_LINE = {
    "env_files/given_file_missing",
    "names/given_refused",
    "names/of_environment_refused",
}


@pytest.mark.parametrize(("table", "case"), CASES, ids=lambda given: getattr(given, "name", given))
def test_a_refusal_names_file_and_line(table: str, case: compose_cases.Case, tmp_path: pathlib.Path) -> None:
    answer = compose_cases.read(case.write(tmp_path))
    if "refused" not in answer or f"{table}/{case.name}" in WITHOUT_LINE:
        return
    file, line, said = answer["refused"].split(":", 2)
    assert 1 <= int(line) <= max(1, case.files[file].count("\n") + 1)
    assert said.startswith(" ")
    assert str(tmp_path) not in answer["refused"]


REFUSED = [
    ("    imagee: x", 3, "services.a.imagee: is not a key here; the nearest known one is image"),
    ("    ports: [\n      '80:80',\n      'x:1']", 5, 'services.a.ports[1]: "x:1" is no port'),
    (
        "    volumes:\n      - ok:/a\n      - data/x:/f",
        4,
        "services.a.volumes[0]: the volume ok is not defined below volumes",
    ),
    (
        "    environment:\n      A: 1\n      B: ${X?no}",
        5,
        "services.a.environment.B: the required variable X has no value: no",
    ),
    ("    environment:\n      A: 1\n      A: 2", 5, "the key A is defined twice, first in line 4"),
    ("    healthcheck:\n      test: x\n      interval: 10", 5, "it needs a unit, such as 10s"),
    ("    depends_on:\n      - a", 4, "services.a.depends_on.a: services depend on one another: a -> a"),
    (
        "    env_file:\n      - one.env",
        4,
        "the file of variables one.env is not there; its template one.env.example is",
    ),
    ("    env_file: .env.local", 3, "its template .env.local.example is: copy it and fill it in"),
    ("    extends: {file: other.yaml, service: b}", 3, "services.a.extends: there is no service b of other.yaml"),
    ("    deploy: {replicas: many}", 3, 'services.a.deploy.replicas: "many" must be a whole number'),
    ("    networks:\n      - n\n      - m", 4, "services.a.networks.n: the network n is not defined below networks"),
    ("    command: |\n      a && b", 3, "no shell runs: put it in quotes, or call sh -c"),
    ("    user: 5", 3, "services.a.user: must be a text, not a number (5); put it in quotes"),
]


@pytest.mark.parametrize(("body", "line", "said"), REFUSED, ids=[row[0].strip().split("\n")[-1] for row in REFUSED])
def test_a_refusal_names_the_line_and_what_is_allowed(body: str, line: int, said: str, tmp_path: pathlib.Path) -> None:
    (tmp_path / "compose.yaml").write_text(f"services:\n  a:\n{body}\n    image: x\n")
    (tmp_path / "other.yaml").write_text("services: {c: {image: x}}\n")
    for template in ("one.env.example", ".env.local.example"):
        (tmp_path / template).write_text("A=\n")
    with pytest.raises(ComposeError) as refused:
        read_compose(str(tmp_path / "compose.yaml"), environment={})
    assert str(refused.value).startswith(f"compose.yaml:{line}: ")
    assert said in str(refused.value)
    assert refused.value.mark == Mark("compose.yaml", line)


def test_a_fault_of_a_later_file_has_its_line(tmp_path: pathlib.Path) -> None:
    (tmp_path / "compose.yaml").write_text("services:\n  a: {image: x}\n")
    (tmp_path / "more.yaml").write_text("\n\nservices:\n  a:\n    scale: -1\n")
    with pytest.raises(ComposeError, match=r"^more\.yaml:5: services\.a\.scale: must be at least 0, not -1"):
        read_compose([str(tmp_path / "compose.yaml"), str(tmp_path / "more.yaml")], environment={})


def test_raw_files_of_variables_are_taken_as_they_are(tmp_path: pathlib.Path) -> None:
    (tmp_path / "compose.yaml").write_text("services: {a: {image: x, env_file: [{path: v.env, format: raw}]}}\n")
    (tmp_path / "v.env").write_text("# comment\nA='$X' # y\nB\nC\n  D=a=b\n")
    project = read_compose(str(tmp_path / "compose.yaml"), environment={"C": "caller"})
    assert project.services["a"]["environment"] == {"A": "'$X' # y", "C": "caller", "D": "a=b"}


def test_a_bare_name_in_the_last_line_is_passed_without_a_line_feed_too(tmp_path: pathlib.Path) -> None:
    (tmp_path / "compose.yaml").write_text("services: {a: {image: x, env_file: v.env}}\n")
    (tmp_path / "v.env").write_text("A=1\nB")
    project = read_compose(str(tmp_path / "compose.yaml"), environment={"B": "caller"})
    assert project.services["a"]["environment"] == {"A": "1", "B": "caller"}


def test_files_are_found_in_the_folder_and_above(tmp_path: pathlib.Path) -> None:
    below = tmp_path / "one" / "two"
    below.mkdir(parents=True)
    (tmp_path / "docker-compose.yml").write_text("services: {no: {image: x}}\n")
    (tmp_path / "compose.yaml").write_text("services: {a: {image: x}}\n")
    (tmp_path / "compose.override.yaml").write_text("services: {a: {image: y}}\n")
    for folder in (tmp_path, below):
        project = read_compose(project_directory=str(folder), environment={})
        assert {name: service["image"] for name, service in project.services.items()} == {"a": "y"}
    named = {"COMPOSE_FILE": f"{tmp_path}/docker-compose.yml:{tmp_path}/compose.override.yaml"}
    assert list(read_compose(environment=named).services) == ["no", "a"]


def test_a_folder_without_a_file_is_refused(tmp_path: pathlib.Path) -> None:
    with pytest.raises(ComposeError, match="there is no Compose file in"):
        read_compose(project_directory=str(tmp_path), environment={})


def test_variables_without_a_value_are_warned_of_with_their_line(tmp_path: pathlib.Path) -> None:
    (tmp_path / "compose.yaml").write_text("services:\n  a:\n    image: x\n    user: '$U'\n    env_file: v.env\n")
    (tmp_path / "v.env").write_text("A=1\nP=pa$ss\n")
    project = read_compose(str(tmp_path / "compose.yaml"), environment={})
    assert [str(note) for note in project.warnings] == [
        "compose.yaml:4: the variable U has no value; it is taken as empty",
        "v.env:2: the variable ss has no value; it is taken as empty",
    ]


def test_aliases_that_grow_without_bound_are_refused(tmp_path: pathlib.Path) -> None:
    lines = ["x-0: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]"]
    lines += [f"x-{number + 1}: &a{number + 1} [{', '.join([f'*a{number}'] * 10)}]" for number in range(6)]
    (tmp_path / "compose.yaml").write_text("\n".join([*lines, "services: {a: {image: x}}", ""]))
    with pytest.raises(ComposeError, match="has more than 100000 values"):
        read_compose(str(tmp_path / "compose.yaml"), environment={})


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"a: \xff\n", "compose.yaml:1: the file must be text in UTF-8"),
        (b"services: " + b"[" * 250, "is nested deeper than 200 levels"),
        (b"a: &x [*x]\n", "an alias refers to a value that holds the alias itself"),
        (b"#" * (5 << 20), "must have at most 4194304 bytes"),
    ],
    ids=["no text", "deep", "circle", "large"],
)
def test_a_file_that_is_no_compose_file_is_refused(content: bytes, said: str, tmp_path: pathlib.Path) -> None:
    (tmp_path / "compose.yaml").write_bytes(content)
    with pytest.raises(ComposeError) as refused:
        read_compose(str(tmp_path / "compose.yaml"), environment={})
    assert said in str(refused.value)


def test_secrets_of_the_environment_are_not_in_the_project_as_json(tmp_path: pathlib.Path) -> None:
    (tmp_path / "compose.yaml").write_text("services: {a: {image: x, secrets: [s]}}\nsecrets: {s: {environment: S}}\n")
    project = read_compose(str(tmp_path / "compose.yaml"), environment={"S": "hush"})
    assert project.secret("s") == "hush"
    assert "hush" not in str(project.as_json())


@pytest.mark.parametrize("value", BAD.values(), ids=BAD.keys())
def test_wrong_arguments_raise_errors_of_the_package(value: Any, tmp_path: pathlib.Path) -> None:
    (tmp_path / "compose.yaml").write_text("services: {a: {image: x}}\n")
    file = str(tmp_path / "compose.yaml")
    calls: list[Callable[[], Any]] = [
        lambda: read_compose(value),
        lambda: read_compose([file, value]),
        *(
            lambda name=name: read_compose(file, **{"environment": {}, name: value})
            for name in ("env_files", "environment", "profiles", "project_directory", "name")
        ),
        *(
            lambda name=name: read_compose(file, environment={}).to_platform(**{name: value})
            for name in ("volumes", "storage_size")
        ),
    ]
    for call in calls:
        try:
            call()
        except BaseException as error:
            assert own_words(error), f"{type(error).__name__}: {str(error)[:300]}"


WRONG: list[Any] = [
    None,
    True,
    5,
    1.5,
    "text",
    "",
    [],
    {},
    ["a"],
    [None],
    [{"a": 1}],
    {"a": None},
    {"x": {"y": 1}},
    "$A:1",
]


def damaged(value: Any, source: random.Random) -> Any:
    """Returns the value with some of its parts replaced by values of other types."""
    if source.random() < 0.08:
        return source.choice(WRONG)
    if isinstance(value, dict):
        return {key: damaged(inner, source) for key, inner in value.items()}
    return [damaged(item, source) for item in value] if isinstance(value, list) else value


@pytest.mark.parametrize("seed", range(10))
def test_values_of_wrong_types_are_refused_as_faults_of_the_file(seed: int, tmp_path: pathlib.Path) -> None:
    import yaml

    source = random.Random(seed)
    for number, (_, case) in enumerate(source.sample(CASES, 60)):
        files = dict(case.files)
        for path, text in case.files.items():
            try:
                if path.endswith(".yaml"):
                    files[path] = json.dumps(damaged(yaml.safe_load(text), source), default=str)
            except (yaml.YAMLError, ValueError):
                continue
        request = case._replace(files=files).write(tmp_path / str(number))
        paths = [f"{request['directory']}/{file}" for file in request["files"]]
        with contextlib.suppress(ComposeError):
            read_compose(paths, environment=request["environment"], profiles=["*"]).to_platform()
