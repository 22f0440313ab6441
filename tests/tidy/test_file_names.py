"""The name of a file is unique in the core: it says what the file does, whatever folder it is in."""

import pathlib
import unittest
from collections import defaultdict

import codebase

# Variants of one file: a build takes one of the folders.
VARIANTS = {"openssl", "without_openssl", "sqlite", "without_sqlite"}


def violations(paths: list[str]) -> list[str]:
    folders: dict[str, set[str]] = defaultdict(set)
    for path in map(pathlib.PurePosixPath, paths):
        folder = path.parent.parent if path.parent.name in VARIANTS else path.parent
        folders[path.name.split(".")[0]].add(folder.as_posix())
    return [
        f"{name}: files of this name are in {', '.join(sorted(found))}; name each after what it does"
        for name, found in sorted(folders.items())
        if len(found) > 1
    ]


class FileNames(unittest.TestCase):
    def test_each_name_is_in_one_folder(self) -> None:
        found = violations([codebase.shown(path) for path in codebase.files("core", suffixes={".h", ".cpp"})])
        self.assertFalse(found, "\n" + "\n".join(found))

    def test_a_planted_name_is_found(self) -> None:
        self.assertTrue(violations(["core/records/create.cpp", "core/endpoints/clusters/create.h"]))
        self.assertEqual(violations(["core/records/create.cpp", "core/records/create.h"]), [])
        self.assertEqual(
            violations(["core/a/openssl/aead.cpp", "core/a/without_openssl/aead.cpp", "core/a/aead.h"]), []
        )


if __name__ == "__main__":
    unittest.main()
