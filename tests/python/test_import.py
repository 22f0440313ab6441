"""Importing the package costs little: expensive modules are imported at their first use."""

from __future__ import annotations

import importlib.machinery
import shutil
import subprocess
import sys
from pathlib import Path

DEAR = ("asyncio", "concurrent.futures", "dataclasses", "inspect", "json", "orjson", "re", "typing", "urllib.parse")


def modules_after(program: str) -> set[str]:
    command = [
        sys.executable,
        "-I",
        "-S",
        "-c",
        f"import sys; sys.path[:] = {sys.path!r}; {program}; print(*sys.modules)",
    ]
    return set(subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout.split())


def test_nothing_dear_is_imported_before_it_is_used() -> None:
    bare = modules_after("pass")
    assert set(DEAR) & (modules_after("import orlop") - bare) == set()
    assert "json" in modules_after("import json") - bare


def test_the_engine_is_loaded_with_the_package() -> None:
    assert "orlop._core" in modules_after("import orlop")
    assert {"asyncio", "contextlib", "threading", "typing"} & (
        modules_after("from orlop import Engine") - modules_after("pass")
    ) == set()


def test_an_engine_needs_neither_asyncio_nor_typing() -> None:
    program = "import orlop; engine = orlop.Engine(); engine.tick(); engine.close()"
    assert {"asyncio", "concurrent.futures", "inspect", "typing"} & (
        modules_after(program) - modules_after("pass")
    ) == set()


def test_a_missing_library_is_named(tmp_path: Path) -> None:
    """Copies the package with a module that imports a library which does not exist."""
    import orlop

    package = tmp_path / "orlop"
    shutil.copytree(Path(orlop.__path__[0]), package, ignore=shutil.ignore_patterns("_core.*.so", "__pycache__"))
    suffix = importlib.machinery.EXTENSION_SUFFIXES[0]
    subprocess.run(
        ["cc", "-shared", "-Wl,-soname,libnowhere.so.1", "-o", tmp_path / "libnowhere.so", "-xc", "/dev/null"],
        check=True,
    )
    subprocess.run(
        [
            "cc",
            "-shared",
            "-Wl,--no-as-needed",
            "-o",
            package / f"_core{suffix}",
            "-xc",
            "/dev/null",
            "-xnone",
            tmp_path / "libnowhere.so",
        ],
        check=True,
    )
    found = subprocess.run(
        [sys.executable, "-I", "-S", "-c", f"import sys; sys.path.insert(0, {str(tmp_path)!r}); import orlop"],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert found.stderr.splitlines()[-1].startswith(
        "ImportError: orlop needs the library libnowhere.so.1, which this system's loader does not find; install it"
    )


def test_each_module_can_be_imported_alone() -> None:
    import orlop

    package = Path(orlop.__path__[0])
    paths = (
        path.relative_to(package).with_suffix("")
        for path in package.rglob("*.py")
        if path.stem not in ("__init__", "__main__")
    )
    names = sorted(".".join(path.parts) for path in paths)
    assert len(names) > 30
    for name in names:
        assert f"orlop.{name}" in modules_after(f"import orlop.{name}")


def test_the_module_exports_its_init_function_alone() -> None:
    import orlop._core

    command = ["nm", "--dynamic", "--defined-only", "--format=posix", orlop._core.__file__]
    listing = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout
    assert [line.split()[0] for line in listing.splitlines()] == ["PyInit__core"]
