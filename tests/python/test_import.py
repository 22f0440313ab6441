"""Importing the package costs little: expensive modules are imported at their first use."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

DEAR = ("asyncio", "concurrent.futures", "dataclasses", "inspect", "json", "orjson", "re", "typing", "urllib.parse")


def modules_after(program: str) -> set[str]:
    command = [sys.executable, "-I", "-S", "-c", f"import sys; sys.path[:] = {sys.path!r}; {program}; print(*sys.modules)"]
    return set(subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout.split())


def test_nothing_dear_is_imported_before_it_is_used() -> None:
    bare = modules_after("pass")
    assert set(DEAR) & (modules_after("import orlop") - bare) == set()
    assert "json" in modules_after("import json") - bare


def test_the_engine_is_loaded_with_its_first_class() -> None:
    assert "orlop._core" not in modules_after("import orlop")
    assert "orlop._core" not in modules_after("from orlop import Error, Invalid, Reply")
    for program in ("from orlop import Engine", "import orlop; orlop.Simulation", "import orlop; orlop.__version__"):
        assert "orlop._core" in modules_after(program)
    assert {"asyncio", "contextlib", "threading", "typing"} & (modules_after("from orlop import Engine") - modules_after("pass")) == set()


def test_an_engine_needs_neither_asyncio_nor_typing() -> None:
    program = "import orlop; engine = orlop.Engine(); engine.tick(); engine.close()"
    assert {"asyncio", "concurrent.futures", "inspect", "typing"} & (modules_after(program) - modules_after("pass")) == set()


def test_each_module_can_be_imported_alone() -> None:
    import orlop

    package = Path(orlop.__path__[0])
    paths = (path.relative_to(package).with_suffix("") for path in package.rglob("*.py") if path.stem not in ("__init__", "__main__"))
    names = sorted(".".join(path.parts) for path in paths)
    assert len(names) > 30
    for name in names:
        assert f"orlop.{name}" in modules_after(f"import orlop.{name}")


def test_the_module_exports_its_init_function_alone() -> None:
    import orlop._core

    command = ["nm", "--dynamic", "--defined-only", "--format=posix", orlop._core.__file__]
    listing = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout
    assert [line.split()[0] for line in listing.splitlines()] == ["PyInit__core"]
