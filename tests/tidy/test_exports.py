"""The shared library exports orlop_* and nothing else, and has its soname."""

import os
import re
import shutil
import subprocess
import tempfile
import unittest

import codebase

PUBLIC = re.compile(r"orlop_[a-z0-9_]+$")
DECLARED = re.compile(r"\b(orlop_[a-z0-9_]+)\s*\(")


def exported(library: str) -> list[str]:
    command = ["nm", "--dynamic", "--defined-only", "--format=posix", library]
    listing = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    # A version node (ORLOP_0) is listed as an absolute symbol.
    return [line.split()[0].split("@")[0] for line in listing.splitlines() if line.split()[1] != "A"]


def violations(symbols: list[str]) -> list[str]:
    return [symbol for symbol in symbols if not PUBLIC.match(symbol)]


def declared() -> set[str]:
    names: set[str] = set()
    for path in codebase.files("include", suffixes={".h"}):
        if path.name == "postgresql.h":
            continue
        text = re.sub(
            r"^\s*#.*?(?<!\\)$", "", codebase.without_words(codebase.text_of(path)), flags=re.MULTILINE | re.DOTALL
        )
        text = re.sub(r"\{[^{}]*\}", "", text.replace('extern "C" {', ""))
        names |= {
            name
            for name in DECLARED.findall(text)
            if not re.search(rf"\(\s*\*\s*{name}\b|typedef[^;]*\b{name}\s*\(", text)
        }
    return names


@unittest.skipUnless("ORLOP_LIBRARY" in os.environ, "run by ctest, which names the library")
class Exports(unittest.TestCase):
    def test_only_the_interface_is_exported(self) -> None:
        symbols = exported(os.environ["ORLOP_LIBRARY"])
        self.assertEqual(violations(symbols), [])

    def test_every_declared_function_is_exported(self) -> None:
        self.assertEqual(sorted(declared() - set(exported(os.environ["ORLOP_LIBRARY"]))), [])

    def test_the_soname_holds_the_version_of_the_interface(self) -> None:
        headers = subprocess.run(
            ["readelf", "-d", os.environ["ORLOP_LIBRARY"]], check=True, capture_output=True, text=True
        ).stdout
        self.assertRegex(headers, r"SONAME.*\[liborlop\.so\.0\.1\]")


@unittest.skipUnless("ORLOP_POSTGRESQL_LIBRARY" in os.environ, "run by ctest, which names the library")
class PostgreSQL(unittest.TestCase):
    def test_it_shows_its_entry_points_and_needs_nothing_of_orlop(self) -> None:
        library = os.environ["ORLOP_POSTGRESQL_LIBRARY"]
        self.assertEqual(sorted(exported(library)), ["orlop_postgresql_open_with", "orlop_storage_entry"])
        listing = subprocess.run(
            ["nm", "--dynamic", "--undefined-only", "--format=posix", library],
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        self.assertEqual([line for line in listing.splitlines() if PUBLIC.match(line.split()[0])], [])


class Planted(unittest.TestCase):
    @unittest.skipUnless(shutil.which("c++"), "needs a compiler")
    def test_a_planted_symbol_is_found(self) -> None:
        planted = 'extern "C" void orlop_open() {}\nextern "C" void stray() {}\nint leaked(int a) { return a; }'
        with tempfile.TemporaryDirectory() as place:
            library = f"{place}/libplanted.so"
            subprocess.run(
                ["c++", "-shared", "-fPIC", "-x", "c++", "-", "-o", library], input=planted, text=True, check=True
            )
            self.assertEqual(sorted(violations(exported(library))), ["_Z6leakedi", "stray"])


if __name__ == "__main__":
    unittest.main()
