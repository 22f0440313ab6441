"""No function of std::ranges that returns a subrange: clang before 16 does not compile those with the standard library
of GCC."""

import re
import unittest

import codebase

SUBRANGE = re.compile(
    r"\bstd::(?:views|ranges::(?:"
    r"unique|remove|remove_if|partition|stable_partition|equal_range|search|search_n|find_end|rotate|subrange|views))\b"
)


def violations(path: str, source: str) -> list[str]:
    text = codebase.without_words(source)
    return [f"{path}:{text.count(chr(10), 0, match.start()) + 1}: {match[0]}" for match in SUBRANGE.finditer(text)]


class Subranges(unittest.TestCase):
    def test_no_function_answers_one(self) -> None:
        found: list[str] = []
        for path in codebase.files("core", "bindings", "stores", "include", "tests", "examples", suffixes=codebase.CPP):
            found += violations(codebase.shown(path), codebase.text_of(path))
        self.assertFalse(found, "\n" + "\n".join(found))

    def test_a_planted_one_is_found(self) -> None:
        self.assertEqual(
            len(
                violations(
                    "a.cpp", "std::ranges::unique(a); std::views::keys(b); std::unique(c); // std::ranges::unique\n"
                )
            ),
            2,
        )


if __name__ == "__main__":
    unittest.main()
