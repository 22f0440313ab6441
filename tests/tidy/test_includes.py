"""A C++ file includes what it uses of the standard library, itself or through a file of the project: standard libraries
of other compilers include less by themselves."""

import functools
import os
import re
import unittest

import codebase

# Names of the standard library, and the headers of which one must be included.
HEADERS = {
    r"u?int\d+_t": {"cstdint"},
    r"(min|max|clamp|sort|find_if|find|any_of|all_of|none_of|count_if|copy|fill|replace|reverse|lower_bound|upper_bound"
    r"|rotate|remove_if)\(": {"algorithm"},
    r"ranges::(sort|find|find_if|any_of|all_of|none_of|count_if|count|min|max|copy|fill|reverse|lower_bound|upper_bound"
    r"|equal)\b": {"algorithm"},
    r"(runtime_error|logic_error|invalid_argument|out_of_range)\b": {"stdexcept"},
    r"(memcpy|memcmp|memset|memmove|strlen|strcmp|strchr|strerror)\b": {"cstring"},
    r"(strtol|strtoul|strtoll|strtoull|atoi|getenv|system|malloc|free|exit|abort)\(": {"cstdlib"},
    r"abs\(": {"cstdlib", "cmath"},
    r"(printf|fprintf|snprintf|fputs|puts|fopen|FILE)\b": {"cstdio"},
    r"(isdigit|isalnum|isalpha|isspace|isxdigit|tolower|toupper)\b": {"cctype"},
    r"(sqrt|exp|log|pow|floor|ceil|isnan|isfinite|round|lround|llround)\(": {"cmath"},
    r"(bad_alloc|nothrow)\b": {"new"},
    r"(unique_ptr|shared_ptr|weak_ptr|make_unique|make_shared|to_address)\b": {"memory"},
    r"optional\b": {"optional"},
    r"variant\b": {"variant"},
    r"array\b": {"array"},
    r"span\b": {"span"},
    r"function\b": {"functional"},
    r"numeric_limits\b": {"limits"},
    r"(to_string|stoi|stoll)\(": {"string"},
    r"atomic\b": {"atomic"},
    r"(thread|this_thread)\b": {"thread"},
    r"chrono\b": {"chrono"},
    r"(mutex|lock_guard|unique_lock|scoped_lock)\b": {"mutex", "shared_mutex"},
}
USES = [(re.compile(r"\bstd::" + name), headers) for name, headers in HEADERS.items()]
INCLUDE = re.compile(r'^ *#include ([<"])([^>"]+)[>"]', re.MULTILINE)
# Folders where the build looks for "name", besides the folder of the file itself.
PLACES = ("core", "include", "bindings/c", "bindings/python", "stores/postgresql", "tests", "tests/unit", "tests/whole")


def missing_includes(sources: dict[str, str]) -> list[str]:
    """`sources`: the text of each file by its path in the project."""

    def included(name: str, includer: str) -> str | None:
        for place in (os.path.dirname(includer), *PLACES):
            path = os.path.normpath(os.path.join(place, name))
            if path in sources:
                return path
        return None

    @functools.cache
    def includes(path: str) -> tuple[frozenset[str], frozenset[str]]:
        """Returns the files of the project that this one includes, and the other headers."""
        named = [(match.group(2), included(match.group(2), path)) for match in INCLUDE.finditer(sources[path])]
        return frozenset(file for _, file in named if file), frozenset(name for name, file in named if not file)

    def headers_of(path: str) -> set[str]:
        headers: set[str] = set()
        seen: set[str] = set()
        ahead = {path}
        while ahead:
            seen |= ahead
            found = [includes(file) for file in ahead]
            headers.update(*(others for _, others in found))
            ahead = set().union(*(files for files, _ in found)) - seen
        return headers

    faults = []
    for path, source in sources.items():
        code = codebase.without_words(source)
        headers = headers_of(path)
        for use, wanted in USES:
            used = use.search(code)
            if used and not wanted & headers:
                line = code.count("\n", 0, used.start()) + 1
                faults.append(f"{path}:{line}: {used.group().rstrip('(')} needs #include <{min(wanted)}>")
    return faults


class Includes(unittest.TestCase):
    def test_what_is_used_is_included(self) -> None:
        sources = {
            codebase.shown(path): codebase.text_of(path) for path in codebase.files(suffixes={".cpp", ".hpp", ".h"})
        }
        self.assertGreater(len(sources), 1000)
        self.assertEqual(missing_includes(sources), [])

    def test_a_planted_use_is_found(self) -> None:
        for used, code, wanted in (
            ("std::uint64_t", "std::uint64_t size;", "cstdint"),
            ("std::min", "int a = std::min(1, 2);", "algorithm"),
        ):
            sources = {"core/base/a.h": "#include <stdint.h>\n", "core/base/a.cpp": f'#include "base/a.h"\n{code}\n'}
            self.assertEqual(missing_includes(sources), [f"core/base/a.cpp:2: {used} needs #include <{wanted}>"])
            self.assertEqual(
                missing_includes(sources | {"core/base/a.h": f"#include <{wanted}>\n"}), []
            )  # through an included file
            self.assertEqual(missing_includes({"core/base/a.cpp": f"// {code}\n"}), [])  # only in a comment


if __name__ == "__main__":
    unittest.main()
