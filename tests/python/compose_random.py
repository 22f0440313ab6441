"""Compose projects at random, from fragments that the format allows and some that it refuses."""

from __future__ import annotations

import json
import pathlib
import random
from collections.abc import Callable, Sequence
from typing import Any

import compose_cases

NAMES = ("a", "web", "db", "job_1")
KEYS = ("A", "B_C", "D", "PATH_X", "e.f")
SCALARS = (
    "1 1.10 0755 0x1F 1e6 1_000 2001-12-14 true False null ~ on yes no 22:22 '' 'a b' \"q\\tr\" text $A ${B} ${U:-d} "
    "${A:+x} $$y ${E-z} ${U:-${A}} -1 .5 08 0o17 a:b -x"
).split(" ")
TEXTS = ("text", "'a b'", "$A", "${U:-d}", "'1'", "x-y", '"q"', "${E}", "a=b", "'$$'")
PORTS = (
    "80:80",
    "8080:80/udp",
    "9000-9002",
    "127.0.0.1:81:81",
    "'53'",
    "7000-7002:7000",
    ":83",
    "'[::1]:84:84'",
    "$N:85",
)
VOLUMES = (
    "./a:/a",
    "v:/v",
    "/anon",
    "../up:/up:ro",
    "~/h:/h",
    "v:/w:nocopy",
    "./z:/z:z,ro",
    "$D:/d",
    "${U:-v}:/y",
    "w:/u",
)
COMMANDS = (
    "run",
    "'a b'",
    "[a, b c]",
    "\"x 'y z' w\"",
    "[]",
    "''",
    "a $A ${U:-b c}",
    "'echo $$HOME'",
    ">-\n      a\n      b",
)
DURATIONS = ("5s", "1m30s", "1.5h", "500ms", "0s", "90m", "1d", "${U:-7s}")
SIZES = ("64m", "1.5g", "1024", "'2k'", "1gb", "0", "-1", "${U:-8m}", "3 b")
WORDS = ("always", "no", "'no'", "on-failure:3", "unless-stopped")
ENVIRONMENT = {"A": "set", "E": "", "N": "5", "D": "./data", "HOME": compose_cases.HOME}


class _Writer:
    """Writes projects from one source of randomness."""

    def __init__(self, source: random.Random) -> None:
        self.random = source
        self.is_wild = source.random() < 0.15

    def one(self, values: Sequence[str], *wrong: str) -> str:
        """Returns one of the values. In a wild project it may be one that is refused."""
        return self.random.choice([*values, *wrong] if self.is_wild else values)

    def some(self, values: Sequence[str], most: int = 3) -> list[str]:
        return [self.one(values) for _ in range(self.random.randint(0, most))]

    def items(self, values: Sequence[str], most: int = 3) -> str:
        return "[" + ", ".join(_quoted(value) for value in self.some(values, most)) + "]"

    def pairs(self, values: Sequence[str] = SCALARS) -> str:
        """Returns variables, labels or the like, as a mapping or as a list."""
        keys = self.random.sample(KEYS, self.random.randint(0, 3))
        if self.random.random() < 0.5:
            return "{" + ", ".join(f"{key}: {_flow(self.one(values))}" for key in keys) + "}"
        items = [f"{key}={self.one(TEXTS)}" if self.random.random() < 0.8 else key for key in keys]
        return json.dumps(items)

    def service(self, names: Sequence[str]) -> list[str]:
        lines = [f"image: {self.one(('nginx', 'ghcr.io/a/b:1', '${U:-x}:${N}', 'r:5000/a@sha256:' + 64 * 'a'))}"]
        for key, value in self.random.sample(self.members(names), self.random.randint(1, 7)):
            lines.append(f"{key}: {value()}")
        return lines

    def extra(self, names: Sequence[str]) -> str:
        """Returns one member of a service."""
        key, value = self.random.choice(self.members(names))
        return f"{key}: {value()}"

    def members(self, names: Sequence[str]) -> list[tuple[str, Callable[[], str]]]:
        one, some = self.one, self.items
        return [
            ("environment", self.pairs),
            ("labels", self.pairs),
            ("annotations", self.pairs),
            ("sysctls", self.pairs),
            ("ports", lambda: some(PORTS)),
            ("volumes", lambda: some(VOLUMES)),
            ("command", lambda: one(COMMANDS)),
            ("entrypoint", lambda: one(COMMANDS)),
            ("restart", lambda: one(WORDS)),
            ("user", lambda: one(TEXTS)),
            ("working_dir", lambda: one(TEXTS)),
            ("hostname", lambda: one(TEXTS)),
            ("mem_limit", lambda: one(SIZES)),
            ("shm_size", lambda: one(SIZES)),
            ("stop_grace_period", lambda: one(DURATIONS, "'10'")),
            ("read_only", lambda: one(("true", "'yes'", "${U:-on}", "false"), "$A")),
            ("init", lambda: one(("true", "false", "'off'"))),
            ("dns", lambda: one(("1.1.1.1", "[1.1.1.1, 8.8.8.8]", "''"))),
            ("tmpfs", lambda: one(("/t", "[/t, '/r:size=1m']"))),
            ("cap_add", lambda: some(("NET_ADMIN", "ALL", "$A"), 2)),
            ("expose", lambda: some(("80", "'81'", "82-83"))),
            ("extra_hosts", lambda: one(("['h:1.1.1.1']", "{h: 1.1.1.1, i: '::1'}", "['h=$A']"), "[h]")),
            *([("depends_on", lambda: self.dependencies(names))] if names else []),
            ("healthcheck", self.health),
            ("ulimits", lambda: one(("{nofile: 5}", "{core: {soft: 1, hard: 2}}", "{nofile: '$N'}"))),
            ("deploy", self.deploy),
            ("networks", lambda: one(("[n]", "{n: {aliases: [x]}}", "[default, n]", "{n: , default: }"), "[m]")),
            ("profiles", lambda: one(("[p]", "[q]", "[]"))),
            ("env_file", lambda: one(("v.env", "[v.env, w.env]", "[{path: none.env, required: false}]"), "none.env")),
            ("secrets", lambda: one(("[s]", "[{source: s, target: /x, mode: 0400}]"), "[t]")),
            ("build", lambda: one((".", "{context: ./app, args: [A, B=1]}", "{dockerfile: D, args: {A: , B: 2}}"))),
            ("devices", lambda: one(("[/dev/a]", "['/dev/a:/dev/b:r']"))),
            ("scale", lambda: one(("2", "$N", "0"))),
            ("logging", lambda: one(("{driver: d, options: {a: 1}}", "{options: {b: x}}"))),
            ("x-own", lambda: one(SCALARS[:9])),
            *(
                [("network_mode", lambda: one(("host", "'service:web'"))), ("unknown", lambda: "1")]
                if self.is_wild
                else []
            ),
        ]

    def dependencies(self, names: Sequence[str]) -> str:
        chosen = self.random.sample(names, self.random.randint(1, len(names)))
        if self.random.random() < 0.5:
            return "[" + ", ".join(chosen) + "]"
        conditions = ("service_started", "service_healthy", "service_completed_successfully")
        required = self.one(("", ", required: false", ", restart: true"))
        return "{" + ", ".join(f"{name}: {{condition: {self.one(conditions)}{required}}}" for name in chosen) + "}"

    def health(self) -> str:
        test = self.one(("curl x || exit 1", "[CMD, a, b]", "[CMD-SHELL, 'a | b']", "[NONE]"), "[a]")
        interval, retries = self.one(DURATIONS, "'10'"), self.one(("3", "$N"))
        return f"{{test: {_flow(test)}, interval: {interval}, retries: {retries}}}"

    def deploy(self) -> str:
        limits = f"{{cpus: {self.one(('0.5', '1', QUOTED))}, memory: {self.one(SIZES[:2], SIZES[2])}}}"
        return f"{{replicas: {self.one(('1', '2'))}, resources: {{limits: {limits}}}}}"

    def file(self, is_override: bool) -> str:
        names = self.random.sample(NAMES, self.random.randint(1, 3))
        lines = ["services:"]
        for name in names:
            members = self.service(NAMES if self.is_wild else names[: names.index(name)])
            if is_override and self.random.random() < 0.3:
                members = members[1:]
            tag = self.one(("",) * 12 + ("!override ", "!reset ")) if is_override else ""
            if members and tag:
                key, _, value = members[-1].partition(": ")
                members[-1] = f"{key}: {tag}{value}"
            if not is_override and self.random.random() < 0.2 and (names[0] != name or self.is_wild):
                members.append(f"extends: {self.one(names[: names.index(name)] or ['web'])}")
            lines += [f"  {name}:", *(f"    {member}" for member in members or ["user: '1'"])]
        lines += ["volumes: {v: , w: {driver: local}}", "networks: {n: {driver: bridge}}", "secrets: {s: {file: ./s}}"]
        if self.random.random() < 0.1:
            lines.append("name: ${U:-My App}")
        return "\n".join(lines) + "\n"

    def env_file(self) -> str:
        values = (
            "1",
            "a # c",
            "a#b",
            '"x\\n$A"',
            "'$A'",
            "$A",
            "",
            "${U:-d}",
            "pa$$ss",
            "'it\\'s'",
            '"two\nlines"',
            " y ",
        )
        lines = [f"{self.one(KEYS[:4])}{self.one(('=', ' = ', ': '))}{self.one(values)}" for _ in range(4)]
        return "\n".join([*lines, self.one(("export A=5", "A", "# c", "E"), "'x", "F G=1")]) + "\n"


QUOTED = "'0.25'"
SOUPS = {
    "env_file": (
        "A",
        "B",
        "C",
        "=",
        ":",
        '"',
        "'",
        "\\",
        "#",
        "$",
        "{",
        "}",
        " ",
        "\n",
        "$A",
        "export ",
        "${A:-",
        "\t",
        "-",
        "n",
    ),
    "label": ("$", "{", "}", ":", "-", "+", "?", "A", "U", "N", "b", " ", "${A", "${U:-", "$$", "_", "1"),
    "ports": ("0", "8", "80", ":", "-", "/", "[", "]", ".", "udp", "tcp", "1", "::1", "127.0.0.1", " ", "65535"),
    "volumes": (".", "/", ":", "a", "v", "d", "~", "ro", ",", "C", "z", "./", "nocopy", "rw", " "),
    "command": ("a", "b", "'", '"', "\\", " ", ";", "&", "|", ">", "(", ")", "$", "$$", "`", "#", "\n", "2"),
    "mem_limit": ("1", "5", ".", "k", "m", "g", "b", "i", " ", "-", "+", "e", "0"),
    "stop_grace_period": ("1", "5", ".", "h", "m", "s", "d", "w", "ms", "us", " ", "-", "+", "0"),
    "devices": ("/dev/a", ":", "r", "w", "a"),
    "extra_hosts": ("h", ":", "=", "1", ".", "[", "]", ",", "::1"),
    "scalar": (
        "0",
        "1",
        "7",
        "8",
        "9",
        "x",
        "o",
        "b",
        "e",
        "+",
        "-",
        ".",
        "_",
        ":",
        "~",
        "y",
        "no",
        "2001-1-",
        "T",
        "Z",
    ),
}


def _quoted(value: str) -> str:
    return value if value[:1] in "'\"" else f"'{value}'"


def _flow(value: str) -> str:
    """Returns a scalar that may stand in braces."""
    return f'"{value}"' if "{" in value or ": " in value else value


def _soup(source: random.Random) -> dict[str, str]:
    """Returns the files of a project with one value that is made of pieces in any order."""
    kind = source.choice(list(SOUPS))
    text = "".join(source.choice(SOUPS[kind]) for _ in range(source.randint(1, 9)))
    files = {"v.env": text + "\n"} if kind == "env_file" else {}
    member = {
        "env_file": "env_file: v.env",
        "label": f"labels: {{v: {json.dumps(text)}}}",
        "scalar": f"environment:\n      V: {text}",
    }.get(kind)
    if member is None:
        quoted = json.dumps(text)
        member = (
            f"{kind}: [{quoted}]" if kind in ("ports", "volumes", "devices", "extra_hosts") else f"{kind}: {quoted}"
        )
    files["compose.yaml"] = f"services:\n  a:\n    image: x\n    {member}\nvolumes: {{v: , a: , d: , va: , vv: }}\n"
    return files


def requests(folder: pathlib.Path, number: int, seed: int) -> list[dict[str, Any]]:
    """Writes the projects below the folder. The same seed writes the same ones."""
    made = []
    options: dict[str, Any]
    for index in range(number):
        source = random.Random(f"{seed}.{index}")
        if source.random() < 0.5:
            options = {"environment": ENVIRONMENT}
            made.append(compose_cases.Case(f"{index}", _soup(source), options).write(folder / str(index)))
            continue
        writer = _Writer(source)
        files = {"compose.yaml": writer.file(False), "v.env": writer.env_file(), "w.env": writer.env_file()}
        options = {"environment": ENVIRONMENT, "profiles": writer.some(("p", "q"), 1)}
        if writer.random.random() < 0.2:
            files["sub/base.yaml"] = writer.file(False)
            files["sub/v.env"] = files["sub/w.env"] = "S=1\n"
            name = files["sub/base.yaml"].split("\n")[1].strip(" :")
            extending = f"  zz:\n    extends: {{file: sub/base.yaml, service: {name}}}\n    {writer.extra(names=())}\n"
            files["compose.yaml"] = files["compose.yaml"].replace("services:\n", "services:\n" + extending, 1)
        if writer.random.random() < 0.2:
            files["inc/c.yaml"] = writer.file(False)
            files["inc/v.env"] = files["inc/w.env"] = "I=1\n"
            files["inc/.env"] = writer.env_file()
            files["compose.yaml"] = "include: [inc/c.yaml]\n" + files["compose.yaml"]
        if writer.random.random() < 0.4:
            files["more.yaml"] = writer.file(True)
            options["files"] = ["compose.yaml", "more.yaml"]
        if writer.random.random() < 0.3:
            files[".env"] = writer.env_file()
        request = compose_cases.Case(f"{index}", files, options).write(folder / str(index))
        made.append(request)
    return made
