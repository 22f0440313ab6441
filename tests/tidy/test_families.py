"""A family is one file: the families of the tests work, and no file of the library names them. A family with a new
sub-resource is two files."""

import re
import unittest

import codebase

FOLDER = "tests/unit/relations/families"
DEFINED = re.compile(r'^constexpr Family family = \{.*?\.name = "(\w+)"', re.MULTILINE | re.DOTALL)
PARENT = re.compile(r'\.parents? = \{?"(\w+)"')
LIBRARY = ("core", "bindings", "stores", "include", "python", "cmake")


def families() -> dict[str, str]:
    found: dict[str, str] = {}
    for path in codebase.files(FOLDER, suffixes={".cpp"}):
        text = codebase.text_of(path)
        found |= {name: text for name in DEFINED.findall(text)}
    return found


def mentions(names: set[str], text: str) -> set[str]:
    return {name for name in names if name in text}


class Families(unittest.TestCase):
    def test_no_file_of_the_library_names_them(self) -> None:
        names = set(families())
        self.assertGreater(len(names), 5)
        found = [
            f"{codebase.shown(path)}: {name}"
            for path in codebase.files(*LIBRARY)
            for name in mentions(names, codebase.text_of(path))
        ]
        self.assertFalse(found, "\n" + "\n".join(found))

    def test_one_is_the_sub_resource_of_another(self) -> None:
        own = families()
        below = {name: parent[1] for name, text in own.items() if (parent := PARENT.search(text)) and parent[1] in own}
        self.assertIn("test_box", below)

    def test_a_planted_name_is_found(self) -> None:
        self.assertEqual(mentions({"test_box", "test_shelf"}, 'if (family.name == "test_box") return 1;'), {"test_box"})


if __name__ == "__main__":
    unittest.main()
