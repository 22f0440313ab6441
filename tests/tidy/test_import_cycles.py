"""The modules of python/orlop form no cycle, not even by imports in functions or under TYPE_CHECKING.

The top level only exports, each package states its purpose, and generated modules are in one folder.
"""

import ast
import functools
import pathlib
import unittest

import codebase

PACKAGE = codebase.ROOT / "python" / "orlop"


class Imports(ast.NodeVisitor):
    """Collects the modules of the package that a module imports anywhere in its text, by their names below the package;
    "" is the package itself."""

    def __init__(self, name: str, modules: set[str], is_package: bool) -> None:
        self._package = name.split(".") if is_package else name.split(".")[:-1]
        self._modules = modules
        self.found: set[str] = set()

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        if node.level > 0:
            above = self._package[: len(self._package) + 1 - node.level]
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
        # A name imported from a package is a module in it, or a name that its __init__ has.
        self.found |= (inner & self._modules) or {target}


parsed = functools.cache(ast.parse)


def imports_of(sources: dict[str, str]) -> dict[str, set[str]]:
    graph = {}
    for name, source in sources.items():
        is_package = any(other.startswith(f"{name}.") for other in sources)
        visitor = Imports(name, set(sources) | {"_core"}, is_package)
        visitor.visit(parsed(source))
        graph[name] = visitor.found & set(sources) - {name}
    return graph


def cycle_in(graph: dict[str, set[str]]) -> list[str]:
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
            "errors": "from ..engine.engine import Engine",
            "base.live_objects": "def late() -> None:\n    from ..simulation import simulation",
            "base.event_text": "from orlop.deployments.timeline import Timeline",
            "base.wire": "from orlop import Engine",
            "generated.options": "import orlop.engine.engine",
            "resources.resource": "if TYPE_CHECKING:\n    from ..generated.models import Environment",
            "serving.connections": "from .server import Server",
            "simulation.traces.states": "from ...reporting import run_report",
        }
        for name, line in planted.items():
            found = cycle_in(imports_of({**sources, name: sources[name] + "\n" + line + "\n"}))
            self.assertTrue(found, line)
            self.assertEqual(found[0], found[-1])

    def test_the_top_level_only_exports(self) -> None:
        defining = (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
        for path in sorted(PACKAGE.glob("*.py")):
            nodes = [node for node in parsed(codebase.text_of(path)).body if isinstance(node, defining)]
            defined = {node.name for node in nodes} - {"__getattr__", "main"}
            self.assertEqual(defined, set(), f"{codebase.shown(path)}: these belong into the package of their subject")

    def test_every_package_says_what_it_is_for(self) -> None:
        for folder in sorted({path.parent for path in PACKAGE.rglob("*.py")}):
            text = codebase.text_of(folder / "__init__.py")
            self.assertTrue(ast.get_docstring(parsed(text)), codebase.shown(folder))

    def test_generated_modules_lie_in_one_folder(self) -> None:
        heads = {path: codebase.text_of(path).splitlines()[:3] for path in PACKAGE.rglob("*.py")}
        generated = {path.parent for path, head in heads.items() if "do not edit" in "".join(head)}
        self.assertEqual(generated, {PACKAGE / "generated"})


if __name__ == "__main__":
    unittest.main()
