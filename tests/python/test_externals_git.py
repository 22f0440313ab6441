"""Git in the box against git http-backend and git daemon: answers, caches, limits, tokens, targets."""

from __future__ import annotations

import os
import pathlib
import subprocess
import sys
import threading
from collections.abc import Iterator
from typing import Any

import orlop
import pytest
from fake_servers import LOOPBACK, METADATA, ORGANIZATION, Fake, Reply, matches, silent
from git_servers import HttpBackend, Repository, git_daemon
from hypothesis import given, settings
from hypothesis import strategies as st
from orlop.externals import Git
from orlop.externals.targets import Refused
from processes import wait_until

TOKEN = "tok-5ecret/+="


class Served(Repository):
    def __init__(self, root: pathlib.Path) -> None:
        super().__init__(root)
        self.root = root
        self.backend = HttpBackend(root / "served")

    def question(self, **more: Any) -> dict[str, Any]:
        return {
            "organization_id": ORGANIZATION,
            "service_id": ORGANIZATION,
            "provider": "GITHUB",
            "url": f"{self.backend.url}/acme/shop.git",
            "branch": "main",
            "root_path": "/",
            "token": self.backend.token,
            **more,
        }


@pytest.fixture()
def served(tmp_path: pathlib.Path) -> Iterator[Served]:
    found = Served(tmp_path)
    with found.backend:
        yield found


@pytest.fixture()
def git(tmp_path: pathlib.Path) -> Iterator[Git]:
    found = Git(allow=LOOPBACK, folder=tmp_path / "cache", cache_age=0)
    yield found
    found.close()


def test_branches_of_a_repository_by_its_name(served: Served, tmp_path: pathlib.Path) -> None:
    served.commit({"a": "1"})
    for branch in ("next", "feature/a+b", "ünïcode-枝", "-dash", "a'\"$(x)", "@", "v" * 200):
        served.git("push", "-q", "origin", f"HEAD:refs/heads/{branch}")
    git = Git(allow=LOOPBACK, servers={"GITLAB": served.backend.url})
    question = {"organization_id": None, "caller": "ada", "provider": "GITLAB", "repository": "acme/shop"}
    names = [each["name"] for each in matches("list_branches", git.list_branches(question))]
    assert sorted(names) == sorted(["main", "next", "feature/a+b", "ünïcode-枝", "-dash", "a'\"$(x)", "@", "v" * 200])
    with pytest.raises(orlop.ExternalFailed, match="the name of the repository is missing"):
        git.list_branches({**question, "repository": ""})
    for branch in ("-dash", "a'\"$(x)", "@", "ünïcode-枝"):
        assert git.list_commits(served.question(branch=branch))[0]["message"] == "change"


def test_the_repository_that_the_host_runs_in_has_no_say(
    served: Served, git: Git, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    served.commit({"Dockerfile": "FROM scratch\n"})
    around = tmp_path / "around"
    subprocess.run(["git", "init", "-q", str(around)], check=True)
    for name, value in (("remote.origin.url", str(tmp_path / "absent")), (f"url.{tmp_path}.insteadOf", "http://")):
        subprocess.run(["git", "-C", str(around), "config", name, value], check=True)
    monkeypatch.chdir(around)
    assert git.list_commits(served.question())[0]["message"] == "change"


def test_commits_the_newest_first(served: Served, git: Git) -> None:
    first = served.commit({"a": "1"}, "first")
    second = served.commit({"a": "2"}, "second\n\nwith a body\n\0"[:-1])
    served.git("tag", "v1.0")
    served.git("tag", "-a", "-m", "annotated", "v0.9", first)
    served.git("push", "-q", "--tags", "origin")
    found = matches("list_commits", git.list_commits(served.question()))
    assert [each["git_commit_id"] for each in found] == [second, first]
    assert [each["tag"] for each in found] == ["v1.0", "v0.9"]
    assert found[0]["message"] == "second\n\nwith a body"
    assert found[0]["created_at"] == "2023-11-14T22:13:20Z"
    assert found[0]["author_name"] == "Ada King Lovelace"
    begun = git.list_commits(served.question(start_id=first))
    assert [each["git_commit_id"] for each in begun] == [first]
    only = git.list_commits(served.question(git_commit_id=second))
    assert [each["git_commit_id"] for each in only] == [second]
    assert git.list_commits(served.question(git_commit_id="0" * 40)) == []
    with pytest.raises(orlop.ExternalFailed, match="do not have the commit 0000"):
        git.list_commits(served.question(start_id="0" * 40))


def test_history_is_limited(served: Served, tmp_path: pathlib.Path) -> None:
    commits = [served.commit({"a": str(number)}) for number in range(7)]
    few = Git(allow=LOOPBACK, history=5, commits=3)
    assert [each["git_commit_id"] for each in few.list_commits(served.question())] == commits[:3:-1]
    assert few.list_commits(served.question(start_id=commits[2]))
    with pytest.raises(orlop.ExternalFailed, match="the last 5 generations"):
        few.list_commits(served.question(start_id=commits[1]))


def test_contributors_are_there_once(served: Served, git: Git) -> None:
    served.commit({"a": "1"})
    served.commit({"a": "2"})
    served.git("-c", "user.name=x", "commit", "-q", "--allow-empty", "--author", "Bob <bob@example.com>", "-m", "bob")
    served.git("push", "-q", "origin", "HEAD:main")
    assert matches("list_contributors", git.list_contributors(served.question())) == [
        {"first_name": "Bob", "last_name": "", "email": "bob@example.com"},
        {"first_name": "Ada King", "last_name": "Lovelace", "email": "ada@example.com"},
    ]


def test_directories_and_files_below_a_root_path(served: Served, git: Git) -> None:
    served.commit({"api/src/a.py": "1", "api/Dockerfile": "FROM a", "web/b": "2", "übung/c d/e": "3", "top": "4"})
    served.git("submodule", "--quiet", "status")
    assert matches("list_directories", git.list_directories(served.question())) == [
        "api",
        "api/src",
        "web",
        "übung",
        "übung/c d",
    ]
    assert git.list_directories(served.question(root_path="/api/")) == ["src"]
    files = [
        "Dockerfile",
        "/src/a.py",
        "src",
        "top",
        "../top",
        "../../etc/passwd",
        "",
        "src/../Dockerfile",
        "n" * 70_000,
    ]
    missing = git.find_missing_files(served.question(root_path="api", files=files))
    assert matches("find_missing_files", missing[:-1]) == ["src", "top", "../../etc/passwd", ""]
    assert missing[-1] == "n" * 70_000
    with pytest.raises(orlop.ExternalFailed, match="the repository has no folder /nowhere"):
        git.list_directories(served.question(root_path="/nowhere"))
    for outside in ("..", "/../..", "a\0b", "top"):
        with pytest.raises(orlop.ExternalFailed, match="the repository has no folder"):
            git.list_directories(served.question(root_path=outside))


def test_a_dockerfile(served: Served, git: Git) -> None:
    served.commit({"api/Dockerfile": "ARG V=3\nFROM alpine:$V\nARG TOKEN\n"})
    os.symlink("../api/Dockerfile", served.work / "api" / "link")
    os.symlink("/etc/passwd", served.work / "api" / "outside")
    os.symlink("loop", served.work / "api" / "loop")
    served.commit({})
    for path in ("Dockerfile", "/Dockerfile", "link"):
        question = served.question(root_path="/api", dockerfile_path=path)
        found = matches("read_dockerfile", git.read_dockerfile(question))
        assert found == {"arg": ["V", "TOKEN"], "repositories": ["alpine:3"]}
    for path in ("none", "outside", "loop", ".", "../api"):
        assert git.read_dockerfile(served.question(root_path="/api", dockerfile_path=path)) is None


def test_large_files_are_refused_and_not_fetched(served: Served, git: Git) -> None:
    served.commit({"Dockerfile": b"FROM a\n" + b"# x\n" * 400_000, "small": "1"})
    with pytest.raises(orlop.ExternalFailed, match="Dockerfile is larger than 1048576 bytes"):
        git.read_dockerfile(served.question(dockerfile_path="Dockerfile"))
    assert git.find_missing_files(served.question(files=["Dockerfile", "small"])) == []


def test_terraform_variables(served: Served, git: Git) -> None:
    served.commit(
        {
            "infra/main.tf": 'variable "size" {\n  default = 3\n}\nresource "a" "b" {}\n',
            "infra/more.tf.json": '{"variable": {"zone": {"default": ["a"], "nullable": false}}}',
            "infra/secret.tf": 'variable "key" {\n  sensitive = true\n  description = "a \\"key\\""\n}\n',
            "infra/module/other.tf": 'variable "inner" {}\n',
        }
    )
    found = git.list_terraform_variables(served.question(root_path="infra"))
    none = {"nullable": True, "sensitive": False, "default": None, "description": None}
    assert matches("list_terraform_variables", found) == [
        {**none, "key": "size", "default": "3", "source": "main.tf"},
        {**none, "key": "zone", "default": '["a"]', "nullable": False, "source": "more.tf.json"},
        {**none, "key": "key", "sensitive": True, "description": 'a "key"', "source": "secret.tf"},
    ]
    assert git.list_terraform_variables(served.question()) == []


def test_tfvars_files(served: Served, git: Git) -> None:
    served.commit(
        {
            "prod.tfvars": 'name = "é${x}"\ncount = 2\nlist = ["a", true]\nnone = null\ntext = <<EOT\nline\nEOT\n',
            "deep/dev.tfvars.json": '{"a": "b"}',
            ".terraform/hidden.tfvars": "x = 1",
        }
    )
    prod = {"name": "é${x}", "count": "2", "list": '["a", true]', "none": "null", "text": "line\n"}
    assert matches("list_tfvars_files", git.list_tfvars_files(served.question(paths=None))) == [
        {"source": "deep/dev.tfvars.json", "variables": {"a": "b"}},
        {"source": "prod.tfvars", "variables": prod},
    ]
    assert git.list_tfvars_files(served.question(paths=["prod.tfvars"])) == [
        {"source": "prod.tfvars", "variables": prod}
    ]
    with pytest.raises(orlop.ExternalFailed, match="the repository has no file x.tfvars"):
        git.list_tfvars_files(served.question(paths=["x.tfvars"]))


@pytest.mark.parametrize("text", ["variable {", "x = [[[", "}", "\0", 'a = "${'])
def test_files_that_are_no_terraform(served: Served, git: Git, text: str) -> None:
    served.commit({"main.tf": text})
    with pytest.raises(orlop.ExternalFailed, match=r"the Terraform files cannot be parsed: main\.tf is not HCL"):
        git.list_terraform_variables(served.question())


def test_values_of_a_chart(served: Served, git: Git) -> None:
    served.commit({"chart/Chart.yaml": "name: shop", "chart/values.yaml": "a: 1\n", "bare/Chart.yaml": "name: bare"})
    source = {name: served.question()[name] for name in ("provider", "url", "branch", "token")}
    question = {"organization_id": ORGANIZATION, "git_repository": {**source, "root_path": "chart"}, "repository": None}
    assert matches("read_chart_values", git.read_chart_values(question)) == "a: 1\n"
    assert git.read_chart_values({**question, "git_repository": {**source, "root_path": "/bare"}}) == ""
    with pytest.raises(orlop.ExternalFailed, match=r"the folder / has no chart: no Chart\.yaml"):
        git.read_chart_values({**question, "git_repository": source})
    with pytest.raises(orlop.Unanswered):
        git.read_chart_values({**question, "git_repository": None})


def test_an_empty_repository_and_a_missing_branch(served: Served, git: Git) -> None:
    with pytest.raises(orlop.ExternalFailed, match=r"the repository http://127\S+ is empty"):
        git.list_commits(served.question())
    served.commit({"a": "1"}, branch="trunk")
    with pytest.raises(orlop.ExternalFailed, match="has no branch main"):
        git.list_commits(served.question())
    with pytest.raises(orlop.ExternalFailed, match="has no default branch"):
        git.list_commits(served.question(branch=""))
    served.commit({"a": "1"})
    assert len(git.list_commits(served.question(branch=""))) == 2
    with pytest.raises(orlop.ExternalFailed, match="has no branch b+"):
        git.list_commits(served.question(branch="b" * 70_000))


def everything_below(folder: pathlib.Path) -> bytes:
    return b"".join(path.read_bytes() for path in folder.rglob("*") if path.is_file())


def test_the_token_goes_to_git_alone(served: Served, git: Git, tmp_path: pathlib.Path) -> None:
    served.commit({"a": "1"})
    served.backend.token = TOKEN
    arguments: list[bytes] = []

    def look() -> None:
        for process in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
            try:
                arguments.append(process.read_bytes())
            except OSError:
                continue

    served.backend.before = look
    assert git.list_directories(served.question()) == []
    assert served.backend.credentials[-1] == f"x-access-token:{TOKEN}"
    assert any(b"git" in line for line in arguments)
    assert not any(TOKEN.encode() in line for line in arguments)
    assert TOKEN.encode() not in everything_below(tmp_path / "cache")
    with pytest.raises(orlop.ExternalFailed) as refused:
        git.list_directories(served.question(token="wr0ng"))
    assert "wr0ng" not in str(refused.value)


def test_an_error_does_not_repeat_the_token(tmp_path: pathlib.Path) -> None:
    """A server may send credentials back, as they are or in another form."""
    git = Git(allow=LOOPBACK)
    with Fake(lambda asked: echo(asked.headers.get("authorization", ""))) as fake:
        question = {"provider": "GITHUB", "url": f"{fake.url}/a/b.git", "token": TOKEN}
        with pytest.raises(orlop.ExternalFailed, match=r"\*\*\*") as raised:
            git.list_directories(question)
    assert TOKEN not in str(raised.value) and "eC1hY2Nlc3M" not in str(raised.value)


def echo(authorization: str) -> Reply:
    if not authorization:
        return Reply(401, b"", (("www-authenticate", 'Basic realm="x"'),))
    said = f"you sent {authorization} which is {TOKEN}"
    return Reply(500, said.encode(), (("content-type", "text/plain"),))


def test_two_tokens_share_no_cache(served: Served, tmp_path: pathlib.Path) -> None:
    served.commit({"a": "1"})
    served.backend.token = TOKEN
    git = Git(allow=LOOPBACK, cache_age=3600)
    assert git.find_missing_files(served.question(files=["a"])) == []
    for token in ("", "other"):
        with pytest.raises(orlop.ExternalFailed, match="Authentication failed|could not read"):
            git.find_missing_files(served.question(files=["a"], token=token))


def test_the_cache_has_an_age(served: Served) -> None:
    served.commit({"a/x": "1"})
    old = Git(allow=LOOPBACK, cache_age=3600)
    fresh = Git(allow=LOOPBACK, cache_age=0)
    for git in (old, fresh):
        assert git.list_directories(served.question()) == ["a"]
    asked = len(served.backend.requests)
    assert old.list_directories(served.question()) == ["a"]
    assert len(served.backend.requests) == asked
    served.commit({"b/x": "1"})
    assert old.list_directories(served.question()) == ["a"]
    assert fresh.list_directories(served.question()) == ["a", "b"]
    (age,) = old.ages()
    assert 0 < age < 3600


def test_the_cache_has_a_size_and_ends(served: Served, tmp_path: pathlib.Path) -> None:
    git = Git(allow=LOOPBACK, cache_age=0, cache_size=1, folder=tmp_path / "small")
    for number in range(3):
        served.commit({f"{number}/x": "1"})
        assert len(git.list_directories(served.question())) == number + 1
    (folder,) = (tmp_path / "small").iterdir()
    assert {path.name for path in folder.iterdir()} == {"lock", "askpass"}
    git.close()
    assert not folder.exists()


def test_folders_of_ended_processes_are_removed(tmp_path: pathlib.Path) -> None:
    program = "import os, sys; from orlop.externals import Git; git = Git(folder=sys.argv[1]); os._exit(0)"
    subprocess.run([sys.executable, "-c", program, str(tmp_path)], check=True)
    assert len(list(tmp_path.iterdir())) == 1
    git, other = Git(folder=tmp_path), Git(folder=tmp_path)
    assert len(list(tmp_path.iterdir())) == 2
    git.close()
    other.close()
    assert not list(tmp_path.iterdir())


def test_a_repository_that_is_too_large(served: Served) -> None:
    served.commit({f"{number}": os.urandom(100_000) for number in range(5)})
    git = Git(allow=LOOPBACK, repository_size=200_000)
    with pytest.raises(orlop.ExternalFailed, match="cannot be read: .*; it may have more than 200000 bytes"):
        git.list_directories(served.question())


def running(word: str) -> list[str]:
    """Returns the processes whose arguments contain a text."""
    found = []
    for process in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if word.encode() in (process / "cmdline").read_bytes() and process.name != str(os.getpid()):
                found.append(process.name)
        except OSError:
            continue
    return found


def test_a_silent_server_meets_the_deadline_and_no_process_stays() -> None:
    with silent() as fake:
        git = Git(allow=LOOPBACK, timeout=0.5)
        with pytest.raises(TimeoutError, match="git ls-remote of http://127"):
            git.list_directories({"provider": "GITHUB", "url": f"{fake.url}/a/b.git"})
        wait_until(lambda: not running(f"127.0.0.1:{fake.port}"), "the processes of git end")


def test_questions_at_once_fetch_once(served: Served) -> None:
    served.commit({"a/x": "1"})
    git = Git(allow=LOOPBACK)
    found: list[list[str]] = []
    threads = [
        threading.Thread(target=lambda: found.append(git.list_directories(served.question()))) for _ in range(12)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [["a"]] * 12
    assert len([each for each in served.backend.requests if each.startswith("POST")]) == 3  # refs twice, objects


def test_git_daemon(served: Served, git: Git) -> None:
    served.commit({"a/x": "1"})
    with git_daemon(served.root / "served") as url:
        question = served.question(url=f"{url}/acme/shop.git")
        assert git.list_directories(question) == ["a"]
        assert len(git.list_commits(question)) == 1
        with pytest.raises(Refused, match="requests go to 127.0.0.1 by https alone"):
            Git().list_directories(question)


@pytest.mark.parametrize(
    "url",
    [
        "file:///etc/a/b",
        "/etc/a/b",
        "ssh://git@127.0.0.1/a/b",
        "ext::sh -c id",
        "http://127.0.0.1/a/b",
        "https://127.0.0.1/a/b",
        "https://2130706433/a/b",
        "https://0x7f.1/a/b",
        "https://[::1]/a/b",
        "https://[::ffff:127.0.0.1]/a/b",
        "https://169.254.169.254/a/b",
        "https://10.0.0.1:22/a/b",
        "https://user:password@example.com/a/b",
        "https://example.com\\@127.0.0.1/a/b",
        "https://example.com/a/b?x",
        "https://example.com/a b",
        "https://example.com:99999/a/b",
        "https://exa mple.com/a/b",
        "https://-o.example/a\nb",
        "--upload-pack=id",
        "https:///a/b",
        "",
    ],
)
def test_targets_that_are_refused(url: str) -> None:
    git = Git(timeout=5)
    with pytest.raises(Refused):
        git.list_directories({"provider": "GITHUB", "url": url})


def test_a_name_that_leads_inside_is_refused() -> None:
    git = Git(resolver=lambda host, port: ["93.184.216.34", "169.254.169.254"])
    with pytest.raises(Refused, match=r"example\.com leads to 169\.254\.169\.254"):
        git.list_directories({"provider": "GITHUB", "url": "https://example.com/a/b.git"})


def test_git_connects_to_the_checked_address(served: Served) -> None:
    """The name is resolved once: another answer of the resolver later leads git nowhere else."""
    served.commit({"a/x": "1"})
    port = served.backend.url.rpartition(":")[2]
    git = Git(allow=["git.example"], resolver=lambda host, port: ["127.0.0.1"])
    question = served.question(url=f"http://git.example:{port}/acme/shop.git")
    assert git.list_directories(question) == ["a"]


def test_a_renamed_repository_is_followed(served: Served, git: Git) -> None:
    served.commit({"a/x": "1"})
    served.backend.redirects["/old/name.git"] = f"{served.backend.url}/acme/shop.git"
    assert git.list_directories(served.question(url=f"{served.backend.url}/old/name.git")) == ["a"]


def test_a_redirect_to_an_inner_address_is_refused(served: Served, git: Git) -> None:
    served.backend.redirects["/old/name.git"] = METADATA
    with pytest.raises(Refused, match=r"requests go to 169\.254\.169\.254 by https alone"):
        git.list_directories(served.question(url=f"{served.backend.url}/old/name.git"))


def test_a_redirect_to_another_host_gets_no_token(served: Served, git: Git, tmp_path: pathlib.Path) -> None:
    served.commit({"a/x": "1"})
    with HttpBackend(served.root / "served") as other:
        served.backend.redirects["/acme/shop.git"] = f"{other.url}/acme/shop.git"
        assert git.list_directories(served.question(token=TOKEN)) == ["a"]
        assert not other.credentials


NAMES = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0/\n"), min_size=1, max_size=60).filter(
    lambda name: name not in (".", "..", ".git") and len(name.encode()) < 250 and not name.lower().startswith("git~")
)


@settings(max_examples=8, deadline=None)
@given(names=st.lists(NAMES, min_size=1, max_size=4, unique_by=str.lower))
def test_odd_names_of_files(tmp_path_factory: pytest.TempPathFactory, names: list[str]) -> None:
    served = Served(tmp_path_factory.mktemp("odd"))
    served.git("config", "core.protectNTFS", "false")
    served.git("config", "core.protectHFS", "false")
    for name in names:
        blob = served.git("hash-object", "-w", "--stdin", given="FROM x")
        served.git("update-index", "--add", "-z", "--index-info", given=f"100644 {blob}\tfolder/{name}\0")
    served.git("commit", "-q", "-m", "odd")
    served.git("push", "-q", "origin", "HEAD:main")
    with served.backend:
        git = Git(allow=LOOPBACK)
        files = [f"folder/{name}" for name in names]
        assert git.find_missing_files(served.question(files=files)) == []
        for path in files:
            assert git.read_dockerfile(served.question(dockerfile_path=path)) == {"arg": [], "repositories": ["x"]}
        git.close()


def test_arguments_out_of_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    for wrong, reason in (
        ({"timeout": 0}, "timeout must be more than 0, not 0"),
        ({"timeout": "5"}, "timeout must be a finite number"),
        ({"cache_age": -1}, "cache_age must be 0 or more seconds, not -1"),
        ({"file_size": 0}, "file_size must be a whole number of 1 to"),
        ({"allow": "localhost"}, "allow must be a list, not"),
        ({"allow": ["a b"]}, "allow must hold names of hosts"),
        ({"resolver": None}, "resolver must be callable, not None"),
    ):
        with pytest.raises(orlop.Misuse, match=reason):
            Git(**wrong)
    monkeypatch.setenv("PATH", "")
    with pytest.raises(orlop.Misuse, match="git is not installed"):
        Git()
