"""The page of the Python API, docs/reference/python.md: every public class, method, attribute and exception, from the
signatures and docstrings of python/orlop. It reads the sources and imports none of them, so that it runs without a
build.

usage: python3 docs/site/python_api.py [--check]
  --check   writes nothing; fails if the page is stale or something public has no docstring
"""

from __future__ import annotations

import ast
import pathlib
import re
import sys
import textwrap
from collections.abc import Iterable, Iterator
from typing import NamedTuple, Union

ROOT = pathlib.Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "python" / "orlop"
PAGE = ROOT / "docs" / "reference" / "python.md"

# The sections of the page in their order: title, what it says, and the modules with the names that are shown of each;
# "*": all public ones.
SECTIONS: list[tuple[str, str, dict[str, tuple[str, ...]]]] = [
    ("Engine", "An engine on a store, in real time.", {"engine.engine": ("Engine",), "base.wire": ("Reply",)}),
    (
        "Simulation",
        "An engine in virtual time, and what scripts it.",
        {
            "simulation.clock": ("Clock",),
            "simulation.simulation": ("Simulation",),
            "simulation.rules": ("Rules", "Transitions", "Controlled", "Scripted", "ScriptedRules"),
            "simulation.durations": ("*",),
            "simulation.faults": ("Faults",),
            "simulation.externals": ("Externals",),
            "simulation.domains": ("Domains",),
            "simulation.sources": ("Sources",),
            "simulation.capacity": ("Capacity",),
            "simulation.invariants": ("Invariants",),
            "simulation.events": ("Events",),
            "simulation.expectations": ("*",),
            "simulation.failed_expectations": ("*",),
        },
    ),
    (
        "Reports and predictions",
        "What happened in a run, and what an action will probably do.",
        {
            "reporting.run_report": ("Report",),
            "simulation.prediction.prediction": ("Prediction", "PredictedService"),
            "simulation.scenarios.statistics": ("Interval",),
            "simulation.replay": ("Replay", "ReplayRun", "Begun", "Interrupted"),
        },
    ),
    ("asyncio", "The engine and the simulation for coroutines.", {"engine.asynchronous": ("*",)}),
    (
        "Typed objects",
        "What every resource and collection of the table at the end can do.",
        {
            "resources.resource": (
                "Resource",
                "Editable",
                "Deletable",
                "Collection",
                "Listable",
                "Findable",
                "Creatable",
                "Ensurable",
                "BulkCreatable",
                "Created",
                "Reference",
            ),
            "resources.actions": ("*",),
            "resources.variables": ("Variable", "Variables"),
            "resources.settings": ("*",),
        },
    ),
    (
        "Deployments",
        "Deployment requests, and what they did.",
        {
            "deployments.deployment": ("Deployment", "StageRun", "ServiceRun", "Change", "Failure"),
            "deployments.differences": ("Differences", "ServiceDifferences", "ConfigurationChange"),
            "deployments.collection": ("Deployments",),
            "deployments.timeline": ("Timeline",),
            "deployments.spans": ("Row", "Span"),
        },
    ),
    (
        "Drivers",
        "The host's code that executes steps.",
        {
            "drivers.driver": ("Driver", "Step", "UNCHANGED", "Unchanged", "CredentialsRefused"),
            "drivers.commands": ("CommandResult", "ENV_PASSED"),
            "drivers.observation": ("Observation", "Subjects"),
            "drivers.containers.containers": ("Containers",),
        },
    ),
    (
        "Check of drivers",
        "The rules of the driver contract, tried on a driver: `orlop.drivers.check`, `DriverReport`, `RuleResult` and "
        "`Workload`.",
        {
            "drivers.conformance.suite": ("check", "RULES"),
            "drivers.conformance.report": ("DriverReport", "RuleResult"),
            "drivers.workload": ("Workload",),
        },
    ),
    ("Container plans", "What services become on a container engine.", {"workloads.plans": ("container_plan",)}),
    (
        "Ports",
        "What a host may implement besides a driver, called from any thread. None of them may call the engine.",
        {
            "generated.external_systems": ("ExternalSystems",),
            "generated.ports": ("*",),
            "externals.oidc": ("Identity", "TokenAuthenticator"),
            "externals.webhook_senders": ("HttpWebhookSender",),
            "externals.targets": ("resolve",),
        },
    ),
    (
        "External systems in the box",
        "Answers to questions about git repositories, registries, charts, Terraform, Argo CD and metrics: `orlop.externals`.",
        {
            "externals.git": ("Git",),
            "externals.registries": ("Registries",),
            "externals.helm_repositories": ("HelmRepositories",),
            "externals.terraform": ("Terraform",),
            "externals.argocd": ("ArgoCd",),
            "externals.prometheus": ("Prometheus",),
            "externals.combined": ("Combined",),
        },
    ),
    (
        "Compose files",
        "Compose files as projects, and what becomes of them on the platform: `orlop.compose`.",
        {
            "compose.project": ("read_compose", "Project"),
            "compose.project_contents": ("ProjectContents", "Note"),
            "compose.platform": ("Platform",),
            "compose.runtime": ("FIELDS", "Field"),
            "compose.source": ("ComposeError", "Mark"),
        },
    ),
    (
        "HTTP",
        "Serving the REST API from another server.",
        {"serving.asgi": ("app", "Application"), "serving.edge": ("LOOPBACK_HOSTS",)},
    ),
    ("Copies", "Copies of stores in SQLite files.", {"engine.copies": ("*",)}),
    (
        "pytest",
        "The plugin of the package.",
        {
            "simulation.pytest_plugin": ("orlop_sim", "orlop_url", "orlop_scenario"),
            "simulation.scenarios.play": ("ScenarioRun",),
            "simulation.guard": ("ForeignHost",),
        },
    ),
    (
        "Exceptions",
        "Every exception of the package is an `orlop.Error`.",
        {"errors": ("*",), "errors.violation": ("Violation",)},
    ),
]

# Classes that a host constructs; objects of the others come from methods.
MADE_BY_HOSTS = {
    "orlop.Engine",
    "orlop.Simulation",
    "orlop.oidc.TokenAuthenticator",
    "orlop.webhook_senders.HttpWebhookSender",
}

# Classes without a name for users, and their modules: their methods are shown as those of the classes based on them.
MERGED_BASES = {"BaseEngine": "engine.base_engine", "BaseSimulation": "simulation.base_simulation"}

HIDDEN_BASES = {"Live", "NamedTuple", "Protocol", "EngineOptions", "SimulationOptions", *MERGED_BASES}

Definition = Union[ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef]


class Attribute(NamedTuple):
    name: str
    type: str
    text: str


def is_public(name: str) -> bool:
    return not name.startswith("_")


def parsed(module: str, suffix: str = ".py") -> ast.Module:
    path = PACKAGE / module.replace(".", "/")
    path = path / "__init__.py" if path.is_dir() else path.with_name(path.name + suffix)
    return ast.parse(path.read_text(encoding="utf-8"))


def exported(module: str = "__init__") -> set[str]:
    """The names that a module exports; those of `__init__` are the ones that `import orlop` gives."""
    for node in parsed(module).body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and node.targets[0].id == "__all__":
            return set(ast.literal_eval(node.value))
    if module != "__init__":
        return set()
    raise SystemExit("python/orlop/__init__.py has no __all__")


def names_for_users() -> dict[str, str]:
    """The name by which users import what the top level exports."""
    modules = sorted(path.stem for path in PACKAGE.glob("*.py") if not path.stem.startswith("__"))
    found = {name: f"orlop.{module}.{name}" for module in modules for name in exported(module)}
    return found | {name: f"orlop.{name}" for name in exported()}


def merged(node: ast.ClassDef) -> ast.ClassDef:
    """The class with the methods and bases of those of its bases that have no name for users."""
    for base in [ast.unparse(base) for base in node.bases]:
        if base in MERGED_BASES:
            (other,) = (
                each for each in parsed(MERGED_BASES[base]).body if isinstance(each, ast.ClassDef) and each.name == base
            )
            node.body = [node.body[0], *other.body[1:], *node.body[1:]]
            node.bases = [*other.bases, *node.bases]
    return node


def paragraphs(text: str | None) -> str:
    """A docstring as Markdown: examples become blocks of code."""
    if not text:
        return ""
    blocks = []
    for block in re.split(r"\n\s*\n", textwrap.dedent(text).strip()):
        is_code = all(line.startswith("    ") for line in block.splitlines())
        blocks.append(f"```python\n{textwrap.dedent(block)}\n```" if is_code else block)
    return "\n\n".join(blocks).replace("\n```\n\n```python\n", "\n\n")


def docstring(node: Definition | ast.Module) -> str:
    return paragraphs(ast.get_docstring(node))


def parameters(function: ast.FunctionDef | ast.AsyncFunctionDef, drop_first: bool) -> list[str]:
    """Each parameter with its type and default, as it is written; "*" where only names follow."""
    given = function.args
    names = [*given.posonlyargs, *given.args]
    defaults: list[ast.expr | None] = [None] * (len(names) - len(given.defaults))
    defaults += given.defaults
    found = [parameter(name, default) for name, default in zip(names, defaults)][1 if drop_first else 0 :]
    if given.vararg:
        found.append("*" + parameter(given.vararg, None))
    elif given.kwonlyargs:
        found.append("*")
    found += [parameter(name, default) for name, default in zip(given.kwonlyargs, given.kw_defaults)]
    if given.kwarg:
        found.append("**" + parameter(given.kwarg, None))
    return found


def parameter(name: ast.arg, default: ast.expr | None) -> str:
    text = name.arg
    if name.annotation is not None:
        text += ": " + ast.unparse(name.annotation)
    if default is not None:
        text += (" = " if name.annotation is not None else "=") + ast.unparse(default)
    return text


def signature(name: str, function: ast.FunctionDef | ast.AsyncFunctionDef, drop_first: bool = True) -> str:
    """The call, on one line if it fits."""
    parts = parameters(function, drop_first)
    gives = (
        f" -> {ast.unparse(function.returns)}" if function.returns is not None and function.name != "__init__" else ""
    )
    line = f"{name}({', '.join(parts)}){gives}"
    if len(line) > 110:
        line = f"{name}(\n" + "".join(f"    {part},\n" for part in parts) + f"){gives}"
    return f"```python\n{line}\n```"


def has_decorator(function: ast.FunctionDef | ast.AsyncFunctionDef, name: str) -> bool:
    return any(ast.unparse(decorator).split("(")[0].split(".")[-1] == name for decorator in function.decorator_list)


def text_after(body: list[ast.stmt], index: int) -> str:
    """The string below an attribute, which describes it."""
    following = body[index + 1] if index + 1 < len(body) else None
    if (
        isinstance(following, ast.Expr)
        and isinstance(following.value, ast.Constant)
        and isinstance(following.value.value, str)
    ):
        return " ".join(following.value.value.split())
    return ""


def attributes(body: list[ast.stmt]) -> Iterator[Attribute]:
    """The attributes of a class, and its properties."""
    for index, node in enumerate(body):
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and is_public(node.target.id):
            yield Attribute(node.target.id, ast.unparse(node.annotation), text_after(body, index))
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and is_public(node.targets[0].id):
            name = node.targets[0].id
            if name != "code":
                kind = type(node.value.value).__name__ if isinstance(node.value, ast.Constant) else ""
                yield Attribute(name, kind, text_after(body, index))
        elif isinstance(node, ast.FunctionDef) and is_public(node.name) and has_decorator(node, "property"):
            kind = ast.unparse(node.returns) if node.returns is not None else ""
            yield Attribute(node.name, kind, " ".join((ast.get_docstring(node) or "").split()))


def set_in_constructor(node: ast.ClassDef) -> Iterator[str]:
    """The public attributes that the constructor sets."""
    for method in node.body:
        if isinstance(method, ast.FunctionDef) and method.name == "__init__":
            for entry in ast.walk(method):
                targets = (
                    entry.targets
                    if isinstance(entry, ast.Assign)
                    else [entry.target]
                    if isinstance(entry, ast.AnnAssign)
                    else []
                )
                yield from (
                    target.attr for target in targets if isinstance(target, ast.Attribute) and is_public(target.attr)
                )


def cell(text: str) -> str:
    return text.replace("|", "\\|")


def attribute_table(found: Iterable[Attribute]) -> str:
    rows = [
        f"| `{entry.name}` | {f'`{cell(entry.type)}`' if entry.type else ''} | {cell(entry.text)} |" for entry in found
    ]
    return "| attribute | type | meaning |\n|---|---|---|\n" + "\n".join(rows) if rows else ""


def options_text(node: ast.ClassDef, name: str) -> str:
    """The constructor that a class takes over from its options: its signature, and a table of the options that its
    docstring lists."""
    bases = {ast.unparse(base) for base in node.bases}
    for options in parsed("generated.options").body:
        if isinstance(options, ast.ClassDef) and options.name in bases:
            made = next(
                entry for entry in options.body if isinstance(entry, ast.FunctionDef) and entry.name == "__init__"
            )
            listed = re.findall(
                r"^`(\w+)`: (.*?)(?=^`\w+`: |\Z)", ast.get_docstring(made) or "", re.MULTILINE | re.DOTALL
            )
            rows = [f"| `{option}` | {cell(' '.join(text.split()))} |" for option, text in listed]
            return signature(name, made) + "\n\n| option | meaning |\n|---|---|\n" + "\n".join(rows)
    return ""


def class_text(node: ast.ClassDef, name: str, missing: list[str]) -> str:
    """A class: its docstring, how it is made, its attributes and its methods."""
    bases = ", ".join(f"`{ast.unparse(base)}`" for base in node.bases if ast.unparse(base) not in HIDDEN_BASES)
    parts = [f"### {name}", f"Based on {bases}." if bases else "", docstring(node)]
    if not ast.get_docstring(node):
        missing.append(name)
    defined = [entry for entry in node.body if isinstance(entry, (ast.FunctionDef, ast.AsyncFunctionDef))]
    methods = [entry for entry in defined if not has_decorator(entry, "overload")]
    is_tuple = any(ast.unparse(base) == "NamedTuple" for base in node.bases)
    for method in methods:
        if method.name == "__init__" and name in MADE_BY_HOSTS:
            parts.append(signature(name, method))
    parts.append(options_text(node, name))
    found = list(attributes(node.body))
    missing += [
        f"{name}.{attribute}"
        for attribute in set_in_constructor(node)
        if attribute not in {entry.name for entry in found}
    ]
    missing += [f"{name}.{entry.name}" for entry in found if not entry.text and not is_tuple]
    if is_tuple:
        parts.append("A named tuple.")
    parts.append(attribute_table(found))
    for method in methods:
        if (is_public(method.name) or method.name == "__call__") and not has_decorator(method, "property"):
            if not ast.get_docstring(method):
                missing.append(f"{name}.{method.name}")
            parts += [f"#### {name.split('.')[-1]}.{method.name}", signature(method.name, method), docstring(method)]
    return "\n\n".join(part for part in parts if part)


def exception_table(module: ast.Module, missing: list[str]) -> str:
    rows = []
    for node in module.body:
        if isinstance(node, ast.ClassDef) and is_public(node.name):
            bases = ", ".join(f"`{ast.unparse(base)}`" for base in node.bases)
            code = next(
                (
                    ast.literal_eval(entry.value)
                    for entry in node.body
                    if isinstance(entry, ast.Assign)
                    and isinstance(entry.targets[0], ast.Name)
                    and entry.targets[0].id == "code"
                ),
                "",
            )
            text = " ".join((ast.get_docstring(node) or "").split())
            if not text:
                missing.append(f"orlop.{node.name}")
            rows.append(f"| `orlop.{node.name}` | {bases} | `{code}` | {cell(text)} |")
    return "| exception | based on | `code` | raised when |\n|---|---|---|---|\n" + "\n".join(rows)


def aliases(module: ast.Module) -> list[str]:
    """The public types and constants of a module that a text follows."""
    return [
        node.targets[0].id
        for index, node in enumerate(module.body)
        if isinstance(node, ast.Assign)
        and isinstance(node.targets[0], ast.Name)
        and is_public(node.targets[0].id)
        and text_after(module.body, index)
    ]


def alias_text(module: ast.Module, wanted: str, name: str) -> str:
    """A type or a constant of a module, with the text that follows it."""
    for index, node in enumerate(module.body):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and node.targets[0].id == wanted:
            return (
                f"### {name}\n\n```python\n{wanted} = "
                f"{ast.unparse(node.value)}\n```\n\n{text_after(module.body, index)}"
            )
    return ""


def module_text(module: str, names: tuple[str, ...], users: dict[str, str], missing: list[str]) -> str:
    tree = parsed(module)
    if module == "errors":
        return exception_table(tree, missing)
    shown = {
        node.name: node
        for node in tree.body
        if isinstance(node, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)) and is_public(node.name)
    }
    wanted = [*shown, *aliases(tree)] if names == ("*",) else list(names)
    parts = []
    for name in wanted:
        full = users.get(name, f"orlop.{module}.{name}")
        node = shown.get(name)
        if isinstance(node, ast.ClassDef):
            parts.append(class_text(merged(node), full, missing))
        elif node is not None:
            if not ast.get_docstring(node):
                missing.append(full)
            parts.append(f"### {full}\n\n{signature(name, node, drop_first=False)}\n\n{docstring(node)}")
        else:
            parts.append(alias_text(tree, name, full))
            if not parts[-1] or parts[-1].endswith("```\n\n"):
                missing.append(full)
    return "\n\n".join(parts)


def models_table() -> str:
    """The classes of the families, with what they can do and where their fields are described."""
    tree = parsed("generated.models", ".pyi")
    classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
    pages = {re.sub(r"[^a-z]", "", path.stem): path.name for path in PAGE.parent.glob("*.md")}
    rows = []
    for name in classes:
        if not name.endswith("Collection"):
            continue
        model = name.removesuffix("Collection")
        bases = ", ".join(f"`{ast.unparse(base)}`" for base in classes[model].bases)
        verbs = ", ".join(f"`{ast.unparse(base).partition('[')[0]}`" for base in classes[name].bases)
        page = (
            pages.get(model.lower())
            or pages.get(model.lower().removeprefix("organization"))
            or pages.get({"InviteMember": "invitation"}.get(model, ""))
        )
        link = f"[fields]({page})" if page else ""
        children = [
            entry.name
            for entry in classes[model].body
            if isinstance(entry, ast.FunctionDef)
            and has_decorator(entry, "property")
            and entry.returns is not None
            and ast.unparse(entry.returns).endswith("Collection")
        ]
        rows.append(f"| `{model}` | {bases} | {verbs} | {', '.join(f'`{child}`' for child in children)} | {link} |")
    return (
        "| class | can do | its collection can do | collections below it | reference |\n|---|---|---|---|---|\n"
        + "\n".join(rows)
    )


def page(missing: list[str]) -> str:
    users = names_for_users()
    parts = [
        "<!-- Generated from the sources of python/orlop: do not edit. -->",
        "# Python API",
        docstring(parsed("__init__")),
    ]
    for title, about, modules in SECTIONS:
        parts += [f"## {title}", about]
        parts += [module_text(module, names, users, missing) for module, names in modules.items()]
    parts += [
        "## Resources",
        "The classes of `orlop.models`. `engine.organizations` is the first collection; everything else is below it.",
        models_table(),
    ]
    text = "\n\n".join(part for part in parts if part) + "\n"
    unlisted = exported() - {"__version__"} - set(re.findall(r"orlop\.(\w+)", text))
    missing += [f"orlop.{name} (in no section)" for name in sorted(unlisted)]
    return text


def main(arguments: list[str]) -> int:
    missing: list[str] = []
    text = page(missing)
    for name in missing:
        print(f"{name} has no docstring", file=sys.stderr)
    if arguments == ["--check"]:
        is_stale = not PAGE.is_file() or PAGE.read_text(encoding="utf-8") != text
        if is_stale:
            print(f"{PAGE.relative_to(ROOT)} is stale; scripts/generate writes it", file=sys.stderr)
        return 1 if missing or is_stale else 0
    PAGE.write_text(text, encoding="utf-8")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
