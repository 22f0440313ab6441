"""A switch on an enum of the project names every case: with a default, the compiler could not report a missing one."""

import re
import unittest

import codebase

SWITCH = re.compile(r"\bswitch\s*\(")


def block_after(text: str, start: int) -> str:
    """Returns the text of the block that opens after `start`, without the switches inside it."""
    at = text.index("{", start)
    depth, kept = 0, []
    while at < len(text):
        if text[at] == "{":
            depth += 1
        elif text[at] == "}":
            depth -= 1
            if depth == 0:
                break
        inner = SWITCH.match(text, at)
        if inner:
            at = text.index("{", at) + len(block_after(text, at))
        else:
            kept.append(text[at])
        at += 1
    return "".join(kept)


def violations(path: str, source: str) -> list[str]:
    text = codebase.without_words(source)
    found = []
    for match in SWITCH.finditer(text):
        block = block_after(text, match.end())
        if re.search(r"\bdefault\s*:", block) and re.search(r"\bcase\s+[\w:]*::\w+\s*:", block):
            found.append(f"{path}:{text.count(chr(10), 0, match.start()) + 1}: a default in a switch on an enum")
    return found


class Switches(unittest.TestCase):
    def test_no_switch_on_an_enum_has_a_default(self) -> None:
        found: list[str] = []
        for path in codebase.files("core", "bindings", "stores", "include", suffixes=codebase.CPP):
            found += violations(codebase.shown(path), codebase.text_of(path))
        self.assertFalse(found, "\n" + "\n".join(found))

    def test_a_planted_default_is_found(self) -> None:
        self.assertTrue(violations("a.cpp", "switch (state) { case State::ready: return 1; default: return 2; }"))
        nested = "switch (a) { case A::x: switch (c) { case 'd': break; } break; default: break; }"
        self.assertTrue(violations("a.cpp", nested))

    def test_a_lawful_switch_is_not(self) -> None:
        self.assertEqual(violations("a.cpp", "switch (letter) { case 'a': return 1; default: return 2; }"), [])
        nested = "switch (a) { case A::x: switch (c) { case 1: break; default: break; } break; }"
        self.assertEqual(violations("a.cpp", nested), [])


if __name__ == "__main__":
    unittest.main()
