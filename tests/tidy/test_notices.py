"""Every third-party library that is built in or linked has its section in THIRD-PARTY-NOTICES, with its licence."""

import json
import re
import unittest

import codebase

TOOLS = {"GTest", "Threads", "Python"}  # used only to build and test, not distributed
DECLARED = re.compile(r"^ *orlop_require\((\w+)", re.MULTILINE)
SECTION = re.compile(r"^==== (.+) ====$", re.MULTILINE)


def libraries(dependencies: str) -> set[str]:
    found = {name for name in DECLARED.findall(dependencies) if name not in TOOLS}
    return found | ({"SQLite"} if "SQLiteCpp" in found else set())


def bundled(package: str) -> set[str]:
    return set(json.loads(package).get("dependencies", {}))


def violations(dependencies: str, notices: str, package: str = "{}") -> list[str]:
    parts = SECTION.split(notices)
    sections = dict(zip(parts[1::2], parts[2::2], strict=True))
    texts = sections.get("The licences", "")
    found = []
    for name in sorted(libraries(dependencies) | bundled(package)):
        licence = re.search(r"^Licence: (.+?)( \(below\))?(\.|$| \(LICENSE\))", sections.get(name, ""), re.MULTILINE)
        if licence is None:
            found.append(f"{name}: no section that names its licence")
        elif licence.group(2) and f"---- {licence.group(1)} ----" not in texts:
            found.append(f"{name}: the text of the licence {licence.group(1)} is missing")
    return found


class Notices(unittest.TestCase):
    def test_every_library_has_its_notice(self) -> None:
        dependencies = codebase.text_of(codebase.ROOT / "cmake" / "dependencies.cmake")
        self.assertLessEqual(
            {"SQLite", "SQLiteCpp", "nlohmann_json", "Boost", "pybind11", "OpenSSL"}, libraries(dependencies)
        )
        package = codebase.text_of(codebase.ROOT / "python" / "orlop" / "reporting" / "page" / "package.json")
        self.assertIn("uplot", bundled(package))
        self.assertEqual(violations(dependencies, codebase.text_of(codebase.ROOT / "THIRD-PARTY-NOTICES"), package), [])

    def test_a_planted_library_is_missed(self) -> None:
        notices = "==== zlib ====\nLicence: zlib (below)\n==== The licences ====\n---- zlib ----\ntext\n"
        self.assertEqual(violations("orlop_require(zlib x)", notices), [])
        self.assertEqual(len(violations("orlop_require(zlib x)\n  orlop_require(curl x)", notices)), 1)
        self.assertEqual(len(violations("orlop_require(zlib x)", notices, '{"dependencies": {"charts": "1.0.0"}}')), 1)
        self.assertEqual(len(violations("orlop_require(zlib x)", notices.replace("---- zlib ----", ""))), 1)


if __name__ == "__main__":
    unittest.main()
