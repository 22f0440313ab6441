"""A type of the core has one definition: two types of one name break the program without a message from the linker."""

import re
import unittest
from collections import defaultdict

import codebase

# A definition at namespace level: it begins its line, and a body or a base follows.
DEFINITION = re.compile(
    r"^(?:template <[^>]*>\s*)?(?:class|struct|enum class|union) (\w+)(?: final)?(?: : [^;{]*)? *\{", re.MULTILINE
)


def definitions(texts: dict[str, str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = defaultdict(list)
    for path, text in texts.items():
        for name in set(DEFINITION.findall(text)):
            found[name].append(path)
    return found


def twice(texts: dict[str, str]) -> list[str]:
    return [
        f"{name}: {', '.join(sorted(paths))}" for name, paths in sorted(definitions(texts).items()) if len(paths) > 1
    ]


class TypeNames(unittest.TestCase):
    def test_one_name_is_defined_once_in_the_headers_of_the_core(self) -> None:
        texts = {
            codebase.shown(path): codebase.without_words(codebase.text_of(path))
            for path in codebase.files("core", suffixes={".h"})
        }
        self.assertGreater(len(definitions(texts)), 200)
        self.assertEqual(twice(texts), [])

    def test_planted_names_are_found(self) -> None:
        texts = {
            "core/a.h": "struct Target {\n};\n",
            "core/b.h": "template <typename T>\nclass Target final : public Base {\n};\n",
            "core/c.h": "struct Other {\n",
        }
        self.assertEqual(twice(texts), ["Target: core/a.h, core/b.h"])


if __name__ == "__main__":
    unittest.main()
