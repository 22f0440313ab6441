"""No module of python/orlop needs itself to be imported: neither at its top nor in a function, where it would only be found later."""

import ast
import pathlib
import unittest

import codebase

PACKAGE = codebase.ROOT / "python" / "orlop"


class RunTimeImports(ast.NodeVisitor):
    """The modules of the package that a module imports when it runs; those under TYPE_CHECKING do not run. Names are those below the package,
    "" is the package itself."""

    def __init__(self, module: str, modules: set[str]) -> None:
        self._above = module.split(".")[:-1]
        self._modules = modules
        self.found: set[str] = set()

    def visit_If(self, node: ast.If) -> None:
        test = node.test.attr if isinstance(node.test, ast.Attribute) else node.test.id if isinstance(node.test, ast.Name) else ""
        for statement in node.orelse if test == "TYPE_CHECKING" else [*node.body, *node.orelse]:
            self.visit(statement)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        if node.level > 0:
            above = self._above[: len(self._above) + 1 - node.level]
            self._add([*above, *(node.module or "").split(".")], [name.name for name in node.names])
        elif node.module and node.module.split(".")[0] == "orlop":
            self._add(node.module.split(".")[1:], [name.name for name in node.names])

    def visit_Import(self, node: ast.Import) -> None:
        for name in node.names:
            if name.name.split(".")[0] == "orlop":
                self._add(name.name.split(".")[1:], [])

    def _add(self, path: list[str], names: list[str]) -> None:
        target = ".".join(part for part in path if part)
        inner = {f"{target}.{name}".lstrip(".") for name in names}
        # What is imported from a package is a module in it, or a name that its __init__ has.
        self.found |= (inner & self._modules) or {target}


def imports_of(sources: dict[str, str]) -> dict[str, set[str]]:
    graph = {}
    for name, source in sources.items():
        visitor = RunTimeImports(name, set(sources) | {"_core"})
        visitor.visit(ast.parse(source))
        graph[name] = visitor.found & set(sources)
    return graph


def cycle_in(graph: dict[str, set[str]]) -> list[str]:
    """The modules of one cycle, in their order; none if there is no cycle."""
    done: set[str] = set()

    def search(path: list[str]) -> list[str]:
        for target in sorted(graph[path[-1]]):
            if target in path:
                return [*path[path.index(target) :], target]
            if target not in done:
                found = search([*path, target])
                if found:
                    return found
        done.add(path[-1])
        return []

    for start in sorted(graph):
        found = [] if start in done else search([start])
        if found:
            return found
    return []


def sources_of(folder: pathlib.Path) -> dict[str, str]:
    sources = {}
    for path in sorted(folder.rglob("*.py")):
        parts = path.relative_to(folder).with_suffix("").parts
        sources[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = codebase.text_of(path)
    return sources


class ImportCycles(unittest.TestCase):
    def test_no_module_leads_back_to_itself(self) -> None:
        graph = imports_of(sources_of(PACKAGE))
        self.assertGreater(sum(map(len, graph.values())), 50)
        self.assertEqual(cycle_in(graph), [])

    def test_a_planted_cycle_is_found(self) -> None:
        sources = sources_of(PACKAGE)
        planted = {
            "errors": "from .engine import Engine",
            "live": "def late() -> None:\n    from . import simulation",
            "options": "import orlop.engine",
            "wire": "from orlop import Engine",
            "serving.connections": "from .server import Server",
            "checking.faults": "from .. import engine",
            "reporting.event_text": "from orlop.timeline import Timeline",
        }
        for name, line in planted.items():
            self.assertTrue(cycle_in(imports_of({**sources, name: sources[name] + "\n" + line + "\n"})), line)

    def test_what_only_types_need_is_no_import(self) -> None:
        sources = {"one": "TYPE_CHECKING = False\nif TYPE_CHECKING:\n    from .two import Two\n", "two": "from .one import One\n"}
        self.assertEqual(cycle_in(imports_of(sources)), [])


if __name__ == "__main__":
    unittest.main()
