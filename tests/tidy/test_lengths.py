"""No file has more than 600 lines, no function more than 60, no line of C, C++ and Python more than 120 columns."""

import ast
import re
import unittest

import codebase

FILE_LINES_MAX = 600
COLUMNS_MAX = 120
WRAPPED = (".c", ".h", ".cpp", ".hpp", ".py", ".pyi")  # without the rows of tables (.def) and generated files
FUNCTION_LINES_MAX = 60
SCOPE = re.compile(r'\b(namespace|class|struct|union|enum)\b|extern\s*"')


def opens_function(head: str) -> bool:
    """Reports whether the block after this text is a function's: it has parameters, and is neither a scope nor data."""
    previous = ""
    while previous != head:
        previous, head = head, re.sub(r"\([^()]*\)", "@", head)
    head = re.sub(r"template\s*<[^>]*>|\b(alignas|__attribute__)\s*@|operator\s*[^\s\w@]+", "", head)
    return "@" in head and "=" not in head


def cpp_functions(source: str) -> list[tuple[int, int]]:
    """Returns first and last line of every function of a C++ file that is not inside another function."""
    text = re.sub(
        r"^[ \t]*#(?:[^\n\\]|\\.|\\\n)*",
        lambda match: re.sub(r"[^\n]", " ", match.group()),
        codebase.without_words(source),
        flags=re.MULTILINE,
    )
    found: list[tuple[int, int]] = []
    is_scope: list[bool] = []  # for every open brace: may it contain functions?
    start, round_depth = 0, 0
    for at, letter in enumerate(text):
        if letter in "()":
            round_depth += 1 if letter == "(" else -1
        elif letter == "{":
            head = text[start:at]
            if all(is_scope) and round_depth == 0:
                is_function = opens_function(head)
                is_scope.append(not is_function and bool(SCOPE.search(head)))
                if is_function:
                    found.append((text.count("\n", 0, at - len(head.lstrip())) + 1, 0))
                start = at + 1 if is_scope[-1] else start
            else:
                is_scope.append(False)
        elif letter == "}" and is_scope:
            is_scope.pop()
            if all(is_scope) and round_depth == 0:
                if found and found[-1][1] == 0:
                    found[-1] = (found[-1][0], text.count("\n", 0, at) + 1)
                start = at + 1
        elif letter == ";" and all(is_scope) and round_depth == 0:
            start = at + 1
    return [(first, last) for first, last in found if last]


def python_functions(source: str) -> list[tuple[int, int]]:
    """Returns first and last line of every function's statements; its parameters and docstring do not count."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            statements = node.body[ast.get_docstring(node) is not None :] or node.body
            found.append((statements[0].lineno, node.end_lineno or node.lineno))
    return found


def embedded_lines(source: str) -> set[int]:
    """Returns the lines of a Python file inside multi-line literals, which may be text of another language; docstrings
    excluded."""
    tree = ast.parse(source)
    docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    return {
        number
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant | ast.JoinedStr)
        and id(node) not in docstrings
        and (isinstance(node, ast.JoinedStr) or isinstance(node.value, str))
        and '"""' in source.split("\n")[node.lineno - 1]
        for number in range(node.lineno, (node.end_lineno or node.lineno) + 1)
    }


def violations(path: str, source: str) -> list[str]:
    if codebase.is_generated(source):
        return []
    found = []
    lines = len(source.splitlines())
    if lines > FILE_LINES_MAX:
        found.append(f"{path}: {lines} lines; a file has at most {FILE_LINES_MAX}")
    is_python = path.endswith((".py", ".pyi"))
    embedded = embedded_lines(source) if is_python else set()
    for number, line in enumerate(source.split("\n") if path.endswith(WRAPPED) else [], 1):
        if len(line.split("  # type: ignore")[0]) > COLUMNS_MAX and number not in embedded:
            found.append(f"{path}:{number}: a line of {len(line)} columns; at most {COLUMNS_MAX}")
    for first, last in python_functions(source) if is_python else cpp_functions(source):
        if last - first + 1 > FUNCTION_LINES_MAX:
            found.append(f"{path}:{first}: a function of {last - first + 1} lines; at most {FUNCTION_LINES_MAX}")
    return found


class Lengths(unittest.TestCase):
    def test_every_file_and_function_fits(self) -> None:
        found: list[str] = []
        for path in codebase.files(
            "core",
            "bindings",
            "stores",
            "include",
            "python",
            "tests",
            "examples",
            suffixes=codebase.CPP | {".py", ".pyi"},
        ):
            found += violations(codebase.shown(path), codebase.text_of(path))
        self.assertFalse(found, "\n" + "\n".join(found))

    def test_a_planted_length_is_found(self) -> None:
        body = "  step();\n" * FUNCTION_LINES_MAX
        heads = (
            "int f(int a) {\n",
            "namespace n {\nstruct S : B {\n int f() const override {\n",
            "namespace {\nS::S(int a)\n    : a_{a}, b_(1) {\n",
            "template <typename T = int>\nvoid f(T a = {1}) {\n",
            "bool operator==(const S& a, const S& b) {\n",
            'extern "C" {\nvoid f(void) {\n',
        )
        for head in heads:
            self.assertTrue(violations("a.cpp", head + body + "}\n" * head.count("{")), head)
        self.assertTrue(violations("a.py", "def f():\n" + "    step()\n" * (FUNCTION_LINES_MAX + 1)))
        self.assertTrue(violations("a.h", "//\n" * (FILE_LINES_MAX + 1)))
        self.assertTrue(violations("a.h", "//" + " x" * (COLUMNS_MAX // 2) + "\n"))
        long = "x " * (COLUMNS_MAX // 2 + 1)
        self.assertTrue(violations("a.py", f'"""{long}"""\n'))
        self.assertTrue(violations("a.py", f"# {long}\n"))
        self.assertEqual(violations("a.py", f'PAGE = """\n{long}\n"""\n'), [])

    def test_what_fits_is_not(self) -> None:
        body = "  step();\n" * (FUNCTION_LINES_MAX - 2)
        self.assertEqual(violations("a.cpp", "int f() {\n" + body + "}\nint g() {\n" + body + "}\n"), [])
        rows = "constexpr Row rows[] = {\n" + "  {row(1)},\n" * 100 + "};\n"
        self.assertEqual(violations("a.cpp", rows), [])
        self.assertEqual(violations("a.h", "struct S {\n" + "  int f() { return '{'; }\n" * 100 + "};\n"), [])


if __name__ == "__main__":
    unittest.main()
