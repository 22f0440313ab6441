"""The files of a folder are compiled together, so a function that one of them defines for itself must not catch the
calls of another. The compiler reports two equal definitions; this test finds functions between which it would choose
silently: those whose first argument is a number or a text."""

import re
import unittest
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

import codebase

FOLDERS = ("core", "bindings/c", "stores/postgresql", "tests/unit", "tests/whole", "tests/contract", "tests/postgresql")
FUNCTION = re.compile(
    r"^(?!namespace|using|return|extern|TEST|INSTANTIATE|ORLOP)[A-Za-z_][\w:<>,&* ]*?[\s&*](\w+)\(([^,){;]*)",
    re.MULTILINE,
)
HIDDEN = re.compile(r"^namespace \{\n(.*?)^\}  // namespace$", re.MULTILINE | re.DOTALL)
IN_NAMESPACE_OF_ITS_FILE = re.compile(r"^namespace (?:orlop::)?(?:families|operation_sets::\w+)::\w+ \{", re.MULTILINE)
INCLUDE = re.compile(r'^#include "([^"]+)"', re.MULTILINE)
TAKES_MUCH = re.compile(r"\b(?:bool|char|int|unsigned|double|float|u?int\d+_t|size_t|string|string_view)\b")


def group_of(path: Path) -> str:
    """Returns the folder whose files are compiled with this one, as in cmake/unity.cmake."""
    return "/".join(Path(codebase.shown(path)).parts[:-1][:3])


def functions(text: str) -> dict[str, bool]:
    """Returns the functions that begin a line, and whether their first argument takes numbers or texts."""
    found: dict[str, bool] = {}
    for name, first in FUNCTION.findall(text):
        found[name] = found.get(name, False) or TAKES_MUCH.search(first.split("<")[0]) is not None
    return found


def own_functions(text: str) -> dict[str, bool]:
    return {} if IN_NAMESPACE_OF_ITS_FILE.search(text) else functions("".join(HIDDEN.findall(text)))


def taken(group: dict[str, str], headers: dict[str, str]) -> Iterable[str]:
    """Yields a line for each function of a file whose name means another function in another file of the group.
    `headers`: the text of each header, by its name in includes."""
    own = {name: own_functions(text) for name, text in group.items()}
    for other, text in group.items():
        declared = {name for header in INCLUDE.findall(text) for name in functions(headers.get(header, ""))}
        for path, names in own.items():
            for name, takes_much in names.items():
                is_meant = name in declared and re.search(rf"\b{name}\(", text) is not None
                if path != other and takes_much and (is_meant or own[other].get(name, False)):
                    yield f"{path}: {name}() is another function in {other}"


class Neighbours(unittest.TestCase):
    def test_no_function_takes_the_calls_of_another_file(self) -> None:
        groups: dict[str, dict[str, str]] = defaultdict(dict)
        for path in codebase.files(*FOLDERS, suffixes={".cpp"}):
            groups[group_of(path)][codebase.shown(path)] = codebase.text_of(path)
        self.assertGreater(len(groups), 50)
        headers: dict[str, str] = {}
        for path in codebase.files(*FOLDERS, suffixes={".h"}):
            shown = codebase.shown(path)
            for folder in ("core", "bindings/c", "stores/postgresql", "tests"):
                headers.setdefault(shown.removeprefix(f"{folder}/"), codebase.text_of(path))
        found = [line for group in groups.values() for line in taken(group, headers)]
        self.assertFalse(found, "\n" + "\n".join(sorted(found)))

    def test_planted_ones_are_found(self) -> None:
        own = "namespace {\n\nId numbered(std::uint64_t number) {\n  return {};\n}\n\n}  // namespace\n"
        user = '#include "unit/ids.h"\n\nId first() { return numbered(1); }\n'
        headers = {"unit/ids.h": "inline Id numbered(std::uint8_t last) {\n}\n"}
        self.assertEqual(
            list(taken({"a.cpp": own, "b.cpp": user}, headers)), ["a.cpp: numbered() is another function in b.cpp"]
        )
        self.assertEqual(len(list(taken({"a.cpp": own, "b.cpp": own}, {}))), 2)
        self.assertEqual(list(taken({"a.cpp": own, "b.cpp": user.replace("numbered(1)", "{}")}, headers)), [])


if __name__ == "__main__":
    unittest.main()
