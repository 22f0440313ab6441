"""The types match the package: mypy in strict mode, and the stubs against the modules."""

from __future__ import annotations

import inspect
import subprocess
import sys
from pathlib import Path

import orlop
from orlop import models
from orlop.resources import resource as resources

ROOT = Path(__file__).parents[2]


def run(*command: str) -> str:
    ended = subprocess.run(
        [sys.executable, "-m", *command], capture_output=True, text=True, cwd=ROOT, timeout=600, check=False
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return ended.stdout


def test_package_examples_and_tests_are_typed() -> None:
    assert "Success" in run("mypy", "--strict", "python/orlop", "examples", "tests/python", "tests/browser")


def test_stubs_and_modules_hold_together(tmp_path: Path) -> None:
    allowed = tmp_path / "allowed.txt"
    allowed.write_text(
        r"orlop\.models\..*\.__(mutable|readonly)_keys__" + "\n"
    )  # Python 3.13 adds these to each TypedDict
    assert "Success" in run(
        "mypy.stubtest",
        "orlop.models",
        "orlop._core",
        "--mypy-config-file",
        "pyproject.toml",
        "--allowlist",
        str(allowed),
        "--ignore-unused-allowlist",
    )


def test_every_word_of_the_package_is_there() -> None:
    for name in orlop.__all__:
        assert getattr(orlop, name) is not None
    for name in models.__all__:
        assert getattr(models, name) is not None
    assert (Path(orlop.__file__).parent / "py.typed").exists()


def test_every_family_has_its_collection_and_parent() -> None:
    classes = [item for item in vars(models).values() if inspect.isclass(item) and issubclass(item, resources.Resource)]
    families = {item.__name__: item._family for item in classes if "_family" in vars(item)}
    children = {collection for family in families.values() for collection in family.children.values()}
    for name, family in families.items():
        collection = getattr(models, f"{name}Collection")
        assert collection._item._family is family
        assert collection.__name__ in children or family.name == "organization"
        for field in (*family.fields, *family.children):
            assert isinstance(inspect.getattr_static(getattr(models, name), field), property), (name, field)
