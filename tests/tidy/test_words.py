"""Banned contents of files: promises for later, dead code, names without meaning, and the location where a file was
written."""

import io
import re
import tokenize
import unittest

import codebase

UNFINISHED = re.compile(
    "|".join(
        (
            r"\bTO" + r"DO\b",
            r"\bFIX" + r"ME\b",
            r"\bXX" + r"X\b",
            r"\bHA" + r"CK\b",
            r"\bnot implem" + r"ented\b",
            r"\bNotImplem" + r"entedError\b",
        )
    )
)
# Papers and locations that a reader of the project does not have.
ELSEWHERE = re.compile(
    "|".join(
        (
            r"/wo" + r"rk/",
            r"/tmp/te" + r"am",
            r"\b(?-i:DES" + r"IGN)\b",
            r"\b(semantics|interface)" + r"\.md\b",
            r"\bfull-inter" + r"face\.json\b",
            r"\boperations" + r"\.tsv\b",
            r"§ ?\d",
            r"\bthe (issue|session|brief)\b",
            r"\bissue #?\d",
        )
    ),
    re.IGNORECASE,
)
EMPTY_NAME = re.compile(
    r"(^|_|(?<=[a-z])(?=[A-Z]))(manager|helpers?|utils?|misc|stuff)$|^(helpers?|utils?|misc)_", re.IGNORECASE
)
WAITING = re.compile(r"\b(sleep_for|sleep_until|usleep|nanosleep|time\.sleep)\b")

# The vocabulary: the banned word, and its replacement. Identifiers are matched by whole parts (`git_host`, `GitHost`),
# everywhere.
REPLACED_NAMES = {
    "courier": "webhook sender",
    "verifier": "token authenticator",
    "judge": "policy evaluator",
    "judges": "policy evaluator",
    "judged": "evaluated",
    "entropy": "random source",
    "mover": "StateTransition",
    "surroundings": "ValidationContext",
    "heir": "new owner",
    "seer": "tenant filter",
    "finds_all": "bypasses_tenancy",
    "as_seen_by": "for_caller",
    "git_host": "git provider",
    "birth_of": "created_at",
    "stand_on": "bind",
    "loss_of_memory": "recovery",
}
# Prose: comments, documents and literals of all folders.
REPLACED_PROSE = REPLACED_NAMES | {
    "couriers": "webhook senders",
    "verifiers": "token authenticators",
    "githost": "git provider",
    "the world": "external systems",
    "the house": "code base",
    "a door": "entry point",
    "somebody": "the person or component that acts",
    "nobody": "the person or component that acts",
    "word_of": "to_string",
    "taken without a look": "skip the verification",
    "is told what": "settings of",
    "world": "external systems",
    "worlds": "external systems",
    "wish": "request",
    "wishes": "requests",
    "wished": "requested",
    "front door": "requests",
    "c++ face": "C++ API",
    "the face": "API",
    "a face": "API",
    "someone": "the person or component that acts",
    "everybody": "all callers or components",
    "loss of memory": "recovery",
    "losses of memory": "recoveries",
    "memory was lost": "recovery",
    "time of birth": "created_at",
    "taken along": "included",
    "takes along": "includes",
    "a story": "history entry",
    "the story": "history entry",
    "stories": "history entries",
    "word about": "report on",
    "words about": "report on",
    "word on": "report on",
    "words on": "report on",
    "told": "what is set, returned or reported",
    "tells of": "shows",
    "tell of": "show",
    "whoever": "the caller or component that acts",
    "words of": "values, names or messages of",
    "word of": "value or name of",
}
PROSE = re.compile(rf"\b(?:{'|'.join(map(re.escape, REPLACED_PROSE))})\b", re.IGNORECASE)
CLEAN_PROSE = (
    "core/",
    "bindings/",
    "docs/",
    "include/",
    "python/",
    "examples/",
    "scripts/",
    "tests/",
    "stores/",
    "cmake/",
)
# Files that hold lists of such words.
LISTS_OF_WORDS = ("tests/tidy/test_words.py", "tests/unit/describe/descriptions_test.cpp")
IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
# Prefilter for lines that may contain a banned name.
SUSPECT = re.compile("|".join(name.replace("_", "_?") for name in REPLACED_NAMES), re.IGNORECASE)


def parts_of(identifier: str) -> str:
    """Returns `GitHost` and `git_host` as `_git_host_`."""
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", identifier)
    return "_" + spaced.strip("_").lower() + "_"


def code_of(path: str, source: str) -> str:
    """Returns the source without comments and literals: same lines."""
    if path.endswith((".py", ".pyi")):
        lines = [""] * (source.count("\n") + 2)
        try:
            for token in tokenize.generate_tokens(io.StringIO(source).readline):
                if token.type == tokenize.NAME:
                    lines[token.start[0] - 1] += token.string + " "
        except (tokenize.TokenError, IndentationError):
            return ""
        return "\n".join(lines)
    return codebase.without_words(source) if path.endswith((".c", ".h", ".cpp", ".hpp", ".def", ".in")) else ""


def replaced_names(path: str, source: str) -> list[str]:
    found: list[str] = []
    if not SUSPECT.search(source):
        return found
    for number, line in enumerate(code_of(path, source).splitlines(), 1):
        if not SUSPECT.search(line):
            continue
        for identifier in set(IDENTIFIER.findall(line)):
            for banned, replacement in REPLACED_NAMES.items():
                if f"_{banned}_" in parts_of(identifier):
                    found.append(f'{path}:{number}: {identifier}: instead of "{banned}" the term is {replacement}')
    return found


def replaced_prose(path: str, source: str) -> list[str]:
    if not path.startswith(CLEAN_PROSE) or path in LISTS_OF_WORDS:
        return []
    lines = source.split("\n")
    found = []
    for match in PROSE.finditer(source):
        number = source.count("\n", 0, match.start()) + 1
        banned = match.group().lower()
        found.append(
            f'{path}:{number}: instead of "{banned}" the term is {REPLACED_PROSE[banned]}: {lines[number - 1].strip()}'
        )
    return found


CPP_CODE = re.compile(
    r"^(return\b.*;|(if|for|while|switch) ?\(.*[;{]|\}? ?else ?\{|[\w.:>\-]+\(.*\);"
    r"|(const |static )*(auto|int|bool|char|double|std::\w+(<.*>)?)[&* ]+\w+( ?=.*| ?\{.*\})?;|\w+(\.|->)?\w+ "
    r"?[+\-]?= ?.+;|#include .*|[{}]+;?)$"
)
PYTHON_CODE = re.compile(
    r"^(import [\w.]+|from [\w.]+ import .*|return( .*)?|(def|class) \w+.*:|(if|for|while|with) .*:|else:|print\(.*\)"
    r"|[\w.]+ = [^ ]+|await .*\(.*\)|pass)$"
)


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
                # Indented text in a comment is an example of use.
                if not words.startswith("   ") and CPP_CODE.match(words.strip()):
                    found.append(f"{path}:{number}: code in a comment: {line.strip()}")
    return found


def violations(path: str, source: str) -> list[str]:
    found = dead_code(path, source) + replaced_names(path, source) + replaced_prose(path, source)
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
            if codebase.shown(path) != "tests/tidy/test_words.py" and path.name != "LICENSE":
                found += violations(codebase.shown(path), codebase.text_of(path))
        self.assertFalse(found, "\n" + "\n".join(found))

    def test_planted_words_are_found(self) -> None:
        planted = {
            "core/a.cpp": (
                "// TO" + "DO: later",
                "// int old = 3;",
                "  // return old();",
                "/* call(a, b); */",
                "// if (a) {",
                "// see DES" + "IGN 3",
                "// §" + "5 of it",
                "sleep_for(1ms);",
                "// #include <a>",
            ),
            "python/a.py": (
                "raise NotImplem" + "entedError",
                "# import os",
                "x = 1  # print(x)",
                "    # return x",
                "# /wo" + "rk/main",
            ),
            "core/service_manager.cpp": ("",),
            "tests/python/test_helper.py": ("",),
            "python/orlop/utils.py": ("",),
        }
        for path, lines in planted.items():
            for line in lines:
                self.assertTrue(violations(path, line), (path, line))

    def test_planted_terms_are_found_with_their_replacement(self) -> None:
        planted = (
            ("core/store/a.cpp", "class GitHost {};", "git provider"),
            ("core/store/a.cpp", "int word; void ask_verifier();", "token authenticator"),
            ("python/orlop/a.py", "def judge() -> None: ...", "policy evaluator"),
            ("tests/a.c", "static void a_courier(void);", "webhook sender"),
            ("core/families/a.cpp", "// Sent by the courier.", "webhook sender"),
            ("core/describe/a.cpp", 'auto a = "Nobody reads it.";', "acts"),
            ("docs/guide/a.md", "It asks the world.", "external systems"),
            ("core/endpoints/services/a.cpp", "// The driver is told.", "reported"),
            ("bindings/c/a.h", "// Whoever closes it.", "acts"),
            ("python/orlop/a.py", "# somebody waits", "acts"),
            ("core/webhooks/a.cpp", "// an event that tells of it", "shows"),
            ("core/rest/a.cpp", "// the word of the state", "value"),
            ("core/catalogs/a.h", "// entropy of the seed", "random source"),
            ("tests/whole/a.cpp", "// Worlds at random.", "external systems"),
            ("stores/a.cpp", "// after a loss of memory", "recovery"),
            ("cmake/a.cmake", "# one word about it", "report"),
            ("tests/a.py", "# what is taken along", "included"),
        )
        for path, line, replacement in planted:
            found = violations(path, line)
            self.assertTrue(any(replacement in one for one in found), (path, line, found))

    def test_usual_terms_are_not(self) -> None:
        for path, line in (
            ("core/base/a.cpp", "getentropy(buffer, size);"),
            ("tests/unit/describe/descriptions_test.cpp", 'for (auto vague : {"nobody"}) {'),
            ("core/families/a.cpp", "// Their names, remover, theirs."),
            ("python/orlop/a.py", "remove = their(verify)"),
        ):
            self.assertEqual(violations(path, line), [])

    def test_lawful_words_are_not(self) -> None:
        lawful = {
            "core/a.cpp": (
                "// Rows are data; the caller applies the effect.",
                "// the store (see store.h)",
                "int a;  // unit: seconds",
                'auto url = "http://a";',
                "// READY (first) to DEPLOYED;",
                "//   open(store);",
            ),
            "python/a.py": ("# the engine's own thread", 'text = "# import os"', "# Usage: orlop serve"),
            "core/utilization.cpp": ("",),
            "core/management.cpp": ("",),
            "core/secret_manager_access.h": ("by design",),
        }
        for path, lines in lawful.items():
            for line in lines:
                self.assertEqual(violations(path, line), [])


if __name__ == "__main__":
    unittest.main()
