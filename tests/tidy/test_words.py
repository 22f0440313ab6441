"""What a file may not say: promises for later, dead code, names that say nothing, the place where it was written."""

import io
import re
import tokenize
import unittest

import codebase

UNFINISHED = re.compile("|".join((r"\bTO" + r"DO\b", r"\bFIX" + r"ME\b", r"\bXX" + r"X\b", r"\bHA" + r"CK\b",
                                  r"\bnot implem" + r"ented\b", r"\bNotImplem" + r"entedError\b")))
# Papers and places that a reader of the project does not have.
ELSEWHERE = re.compile("|".join((r"/wo" + r"rk/", r"/tmp/te" + r"am", r"\b(?-i:DES" + r"IGN)\b", r"\b(semantics|interface)" + r"\.md\b",
                                 r"\bfull-inter" + r"face\.json\b", r"\boperations" + r"\.tsv\b", r"§ ?\d", r"\bthe (issue|session|brief)\b",
                                 r"\bissue #?\d")), re.IGNORECASE)
EMPTY_NAME = re.compile(r"(^|_|(?<=[a-z])(?=[A-Z]))(manager|helpers?|utils?|misc|stuff)$|^(helpers?|utils?|misc)_", re.IGNORECASE)
WAITING = re.compile(r"\b(sleep_for|sleep_until|usleep|nanosleep|time\.sleep)\b")

CPP_CODE = re.compile(
    r"^(return\b.*;|(if|for|while|switch) ?\(.*[;{]|\}? ?else ?\{|[\w.:>\-]+\(.*\);"
    r"|(const |static )*(auto|int|bool|char|double|std::\w+(<.*>)?)[&* ]+\w+( ?=.*| ?\{.*\})?;|\w+(\.|->)?\w+ ?[+\-]?= ?.+;|#include .*|[{}]+;?)$"
)
PYTHON_CODE = re.compile(r"^(import [\w.]+|from [\w.]+ import .*|return( .*)?|(def|class) \w+.*:|(if|for|while|with) .*:|else:|print\(.*\)"
                         r"|[\w.]+ = [^ ]+|await .*\(.*\)|pass)$")


def dead_code(path: str, source: str) -> list[str]:
    found = []
    if path.endswith((".py", ".pyi")):
        for token in tokenize.generate_tokens(io.StringIO(source).readline):
            if token.type == tokenize.COMMENT and PYTHON_CODE.match(token.string.lstrip("#").strip()):
                found.append(f"{path}:{token.start[0]}: code in a comment: {token.string}")
    elif path.endswith((".c", ".h", ".cpp", ".hpp")):
        for first, comment in codebase.comments(source):
            for number, line in enumerate(comment.splitlines(), first):
                words = line.strip().removeprefix("//").removeprefix("/*").removesuffix("*/")
                # What is indented in a comment is an example of use.
                if not words.startswith("   ") and CPP_CODE.match(words.strip()):
                    found.append(f"{path}:{number}: code in a comment: {line.strip()}")
    return found


def violations(path: str, source: str) -> list[str]:
    found = dead_code(path, source)
    if EMPTY_NAME.search(path.rsplit("/", 1)[-1].split(".")[0]):
        found.append(f"{path}: a file is named after its noun or verb")
    for number, line in enumerate(source.splitlines(), 1):
        if match := UNFINISHED.search(line):
            found.append(f"{path}:{number}: unfinished: {match.group()}")
        if match := ELSEWHERE.search(line):
            found.append(f"{path}:{number}: what the reader does not have: {match.group()}")
        if path.startswith(("tests/", "core/")) and (match := WAITING.search(line)):
            found.append(f"{path}:{number}: waits for the clock of the machine: {match.group()}")
    return found


class Words(unittest.TestCase):
    def test_no_file_says_them(self) -> None:
        found: list[str] = []
        for path in codebase.files():
            if path != codebase.ROOT / "tests/tidy/test_words.py" and path.name != "LICENSE":
                found += violations(codebase.shown(path), codebase.text_of(path))
        self.assertFalse(found, "\n" + "\n".join(found))

    def test_planted_words_are_found(self) -> None:
        planted = {
            "core/a.cpp": ("// TO" + "DO: later", "// int old = 3;", "  // return old();", "/* call(a, b); */", "// if (a) {", "// see DES" + "IGN 3",
                           "// §" + "5 of it", "sleep_for(1ms);", "// #include <a>"),
            "python/a.py": ("raise NotImplem" + "entedError", "# import os", "x = 1  # print(x)", "    # return x", "# /wo" + "rk/main"),
            "core/service_manager.cpp": ("",), "tests/python/test_helper.py": ("",), "python/orlop/utils.py": ("",),
        }
        for path, lines in planted.items():
            for line in lines:
                self.assertTrue(violations(path, line), (path, line))

    def test_lawful_words_are_not(self) -> None:
        lawful = {
            "core/a.cpp": ("// Rows are data; the caller applies the effect.", "// the store (see store.h)", "int a;  // unit: seconds",
                           'auto url = "http://a";', "// READY (first) to DEPLOYED;",
                           "//   open(store);"),
            "python/a.py": ("# the engine's own thread", 'text = "# import os"', "# Usage: orlop serve"),
            "core/utilization.cpp": ("",), "core/management.cpp": ("",), "core/secret_manager_access.h": ("by design",),
        }
        for path, lines in lawful.items():
            for line in lines:
                self.assertEqual(violations(path, line), [])


if __name__ == "__main__":
    unittest.main()
