"""An operation declares the question that its handler asks: descriptions and the answer 501 are derived from the
declaration."""

import re
import unittest

import codebase

FUNCTION = re.compile(
    r"^(?:template <[^\n]*>\n)?(?:\[\[\w+\]\] )?[\w:<>,*& ]+?\b(?P<name>\w+)\((?P<arguments>[^;{}]*)\) (?:const )?\{",
    re.MULTILINE,
)
ENTRY = re.compile(r"\.handle = (?P<handler>\w+)")
ASKED = re.compile(r"(?:\.question = |ask_later\()[^;{]*?\bQuestion::(?P<question>\w+)")
DECLARED = re.compile(r"\.asks = Question::(?P<question>\w+)")


def block_at(text: str, start: int) -> str:
    depth = 0
    for at in range(start, len(text)):
        depth += {"{": 1, "}": -1}.get(text[at], 0)
        if depth == 0:
            return text[start : at + 1]
    return text[start:]


def questions_of_functions(text: str) -> dict[str, set[str]]:
    """Returns, for each function of a file, the questions that it asks, directly or through other functions of the
    file."""
    bodies = {match["name"]: block_at(text, match.end() - 1) for match in FUNCTION.finditer(text)}
    asked = {name: {match["question"] for match in ASKED.finditer(body)} for name, body in bodies.items()}
    grows = True
    while grows:
        grows = False
        for name, body in bodies.items():
            for other in set(re.findall(r"\b(\w+)(?:<[\w: ,]*>)?\(", body)) & asked.keys() - {name}:
                grows = grows or not asked[other] <= asked[name]
                asked[name] |= asked[other]
    return asked


def entries(text: str) -> list[tuple[str, str | None, int]]:
    """Returns the handler, the declared question and the line of each operation that names a handler."""
    found = []
    for match in ENTRY.finditer(text):
        start = text.rfind("{.", 0, match.start())
        question = DECLARED.search(block_at(text, start))
        found.append(
            (match["handler"], question["question"] if question else None, text.count("\n", 0, match.start()) + 1)
        )
    return found


def violations(path: str, source: str) -> list[str]:
    text = codebase.without_words(source)
    asked = questions_of_functions(text)
    found = []
    for handler, declared, line in entries(text):
        wanted = asked.get(handler, set())
        if declared is None and wanted:
            found.append(
                f"{path}:{line}: {handler} asks {', '.join(sorted(wanted))}, and the operation declares no .asks"
            )
        elif declared is not None and wanted and declared not in wanted:
            found.append(
                f"{path}:{line}: {handler} asks {', '.join(sorted(wanted))}, and the operation declares {declared}"
            )
    return found


class Questions(unittest.TestCase):
    def test_operations_declare_what_their_handlers_ask(self) -> None:
        found: list[str] = []
        checked = 0
        for path in codebase.files("core/endpoints", suffixes={".cpp"}):
            text = codebase.text_of(path)
            found += violations(codebase.shown(path), text)
            checked += sum(1 for _, question, _ in entries(codebase.without_words(text)) if question)
        self.assertFalse(found, "\n" + "\n".join(found))
        self.assertGreater(checked, 30)

    def test_planted_ones_are_found(self) -> None:
        handler = (
            "Result<Answer> list_a(Unit& unit, const Call& call) {\n  return ask_later(unit, {.question = "
            "Question::list_a});\n}\n"
        )
        through = "Result<Answer> list_b(Unit& unit, const Call& call) {\n  return list_a(unit, call);\n}\n"
        entry = 'constexpr Operation operations[] = {{.name = "a", .handle = %s%s}};\n'
        self.assertTrue(violations("a.cpp", handler + entry % ("list_a", "")))
        self.assertTrue(violations("a.cpp", handler + through + entry % ("list_b", "")))
        self.assertTrue(violations("a.cpp", handler + entry % ("list_a", ", .asks = Question::list_c")))
        self.assertEqual(violations("a.cpp", handler + entry % ("list_a", ", .asks = Question::list_a")), [])


if __name__ == "__main__":
    unittest.main()
