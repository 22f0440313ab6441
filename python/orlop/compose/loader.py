"""Files become one tree: each is interpolated, completed by what it includes and extends, and merged over others."""

from __future__ import annotations

import os.path
from typing import TYPE_CHECKING, Any, NamedTuple

from . import schema
from .env_files import missing_file, read_variables
from .files import Folder, resolve_paths
from .interpolation import interpolated
from .merging import merged, without_repetitions
from .rules import validate
from .short_forms import canonical, with_defaults
from .source import ComposeError, Fault, Map, Mark, Path, Text, copied, kind_of, mark_at, mark_of, same, shown_path
from .yaml_values import Document, documents

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

KINDS = ("services", "jobs", "volumes", "networks", "secrets", "configs", "models")
SIZE_MAX = 1 << 22  # bytes of a file
_SHOWN_MAX = 300
DEPTH_MAX = 100  # files that include or extend one another
_EXTENSIONS_OF_OLD = (("x-develop", "develop"), ("x-initialSync", "initial_sync"))


class Scope(NamedTuple):
    """Where the files of a model lie, and the variables for their values."""

    folder: str
    """The absolute folder that names of files start from."""
    environment: dict[str, str]
    reading: Reading


class Reading:
    """What one call of the reader knows: the caller's home, the project's folder, and the warnings so far."""

    def __init__(self, folder: str, home: str) -> None:
        self.folder = folder
        self.home = home
        self.warnings: list[tuple[Mark | None, str]] = []
        self.texts: dict[str, str] = {}

    def warn(self, said: str, mark: Mark | None) -> None:
        if (mark, said) not in self.warnings:
            self.warnings.append((mark, said))

    def shown(self, path: str) -> str:
        """Returns the path as messages have it: relative to the project's folder if it is below."""
        is_below = path.startswith(self.folder.rstrip("/") + "/")
        found = os.path.relpath(path, self.folder) if is_below else path
        return found if len(found) <= _SHOWN_MAX else found[:_SHOWN_MAX] + "…"

    def text_of(self, path: str, mark: Mark | None = None, kind: str = "file") -> str:
        """Returns the text of a file. Raises ComposeError at the mark if it cannot be read."""
        if path in self.texts:
            return self.texts[path]
        try:
            with open(path, "rb") as file:
                content = file.read(SIZE_MAX + 1)
        except FileNotFoundError:
            raise ComposeError(missing_file(self.shown(path), kind, self.is_file), mark) from None
        except (OSError, ValueError) as error:
            said = error.strerror if isinstance(error, OSError) else "its name is no path"
            raise ComposeError(f"the {kind} {self.shown(path)} cannot be read: {said}", mark) from None
        if len(content) > SIZE_MAX:
            raise ComposeError(f"the {kind} {self.shown(path)} must have at most {SIZE_MAX} bytes", mark)
        try:
            return content.decode()
        except UnicodeDecodeError as error:
            line = content.count(b"\n", 0, error.start) + 1
            raise ComposeError("the file must be text in UTF-8", Mark(self.shown(path), line)) from None

    def is_file(self, shown: str) -> bool:
        return os.path.isfile(os.path.join(self.folder, shown))

    def read_env_file(
        self,
        path: str,
        values: dict[str, str],
        look: Callable[[str], str | None],
        mark: Mark | None,
        is_raw: bool = False,
    ) -> None:
        text = self.text_of(path, mark, "file of variables")
        read_variables(text, self.shown(path), values, look, self.warn, is_raw)


def environment_of(
    reading: Reading, files: Sequence[str], environment: dict[str, str], mark: Mark | None = None
) -> dict[str, str]:
    """Returns the variables of the files. Those of the environment are preferred in their references."""
    values: dict[str, str] = {}
    for file in files:
        if os.path.isdir(file):
            raise ComposeError(f"the file of variables {reading.shown(file)} is a folder", mark)
        reading.read_env_file(file, values, lambda name: environment.get(name, values.get(name)), mark)
    return values


def load_model(files: Sequence[str], base: str, scope: Scope, included: tuple[str, ...] = ()) -> Map:
    """Returns the merged tree of the files. Relative paths start from `base`. Raises ComposeError."""
    tree = Map()
    for file in files:
        tree = load_file(file, tree, scope, base, included)
    try:
        with_defaults(tree)
        validate(tree)
        resolve_paths(tree, Folder(base, scope.reading.home))
    except Fault as fault:
        raise located(fault, tree) from None
    _pass_variables(tree, scope.environment)
    return tree


def located(fault: Fault, tree: Any, fallback: Mark | None = None) -> ComposeError:
    """Returns the fault as an error with its line and path."""
    path = [int(part) if part.isdigit() else part for part in fault.path]
    names = shown_path([part for part in path if part != "[]"])
    return ComposeError(
        f"{names}: {fault.said}" if names else fault.said, fault.mark or mark_at(tree, path) or fallback
    )


def load_file(
    path: str, tree: Map, scope: Scope, base: str, included: tuple[str, ...], is_extended: bool = False
) -> Map:
    """Returns the tree with the documents of the file merged over it. A file that is extended is not yet complete: it
    is neither checked nor are its includes and extends followed."""
    shown = scope.reading.shown(path)
    for document in documents(scope.reading.text_of(path), shown):
        if not isinstance(document.value, Map):
            raise ComposeError(f"the file must be a mapping, not {kind_of(document.value)}", Mark(shown, 1))
        over = document.value
        try:
            over = interpolated(over, scope.environment.get, _unset(scope.reading))
            _rename_extensions(over)
            if not is_extended:
                _Includes(path, base, scope, document, included).apply(over)
        except Fault as fault:
            raise located(fault, over, Mark(shown, 1)) from None
        remove(tree, document.removed)
        if not is_extended:
            _Extends(path, scope, document).apply(over)
        try:
            tree = without_repetitions(merged(tree, over))
            if not is_extended:
                schema.check(tree)
                tree.pop("version", None)
            tree = canonical(tree)
            _drop_empty(tree)
            tree = without_repetitions(tree)
        except Fault as fault:
            raise located(fault, tree, Mark(shown, 1)) from None
    return tree


def remove(tree: Any, paths: Sequence[Path], path: Path = ()) -> None:
    """Takes the values at the paths, which are tagged `!reset` or `!override` in a later file, from the tree."""
    if paths and isinstance(tree, dict):
        for key in list(tree):
            if (*path, key) in paths:
                del tree[key]
            else:
                remove(tree[key], paths, (*path, key))


def _unset(reading: Reading) -> Callable[[str, Text], None]:
    return lambda name, value: reading.warn(f"the variable {name} has no value; it is taken as empty", value.mark)


def _rename_extensions(tree: Map) -> None:
    """Keys that began as extensions have their later names."""
    for service in _services(tree):
        old, new = _EXTENSIONS_OF_OLD[0]
        if old in service:
            given = service.pop(old)
            service[new] = given if service.get(new) is None else merged(copied(given), service[new])
        develop = service.get("develop")
        watches = develop.get("watch") if isinstance(develop, dict) else None
        for watch in watches if isinstance(watches, list) else ():
            if isinstance(watch, dict) and _EXTENSIONS_OF_OLD[1][0] in watch:
                given = watch.pop(_EXTENSIONS_OF_OLD[1][0])
                watch.setdefault(_EXTENSIONS_OF_OLD[1][1], given)


def _services(tree: Map) -> Iterator[dict[str, Any]]:
    """Yields the services and jobs of a tree that may be wrong elsewhere."""
    for kind in ("services", "jobs"):
        found = tree.get(kind)
        yield from (one for one in found.values() if isinstance(one, dict)) if isinstance(found, dict) else ()


def _drop_empty(tree: Map) -> None:
    """An empty address of a name server stands for none."""
    for service in _services(tree):
        if isinstance(service.get("dns"), list):
            service["dns"] = [address for address in service["dns"] if address not in (None, "")]


def _pass_variables(tree: Map, environment: dict[str, str]) -> None:
    """Gives the entries without a value of lists of variables, and secrets and configs, their values."""
    for service in _services(tree):
        if isinstance(service.get("environment"), list):
            service["environment"] = [
                Text(f"{item}={environment[item]}", mark_of(item)) if item in environment else item
                for item in service["environment"]
            ]
    for config in (tree.get("configs") or {}).values():
        if isinstance(config, dict) and config.get("environment") in environment:
            config["content"] = environment[config["environment"]]
    for secret in (tree.get("secrets") or {}).values():
        if isinstance(secret, dict) and secret.get("environment") in environment:
            secret["x-#value"] = environment[secret["environment"]]


class _Includes:
    """Follows `include` of one document."""

    def __init__(self, path: str, base: str, scope: Scope, document: Document, included: tuple[str, ...]) -> None:
        self.base, self.scope, self.document = base, scope, document
        self.included = (*included, path)

    def apply(self, over: Map) -> None:
        given = over.get("include")
        mark = over.marks.get("include")
        if given is not None and not isinstance(given, list):
            raise Fault(("include",), f"must be a list, not {kind_of(given)}")
        for at, item in enumerate(given or ()):
            entry = Map(mark=mark_of(item) or mark, path=item) if isinstance(item, str) else item
            if not isinstance(entry, Map):
                raise Fault(("include", str(at)), f"must be a path or a mapping, not {kind_of(item)}")
            self.take(entry, over, mark_of(entry) or mark)
        over.pop("include", None)

    def take(self, entry: Map, over: Map, mark: Mark | None) -> None:
        """Adds the resources of the included files. Those of the including file override them."""
        scope, reading = self.scope, self.scope.reading
        if len(self.included) > DEPTH_MAX:
            raise ComposeError(f"files include one another more than {DEPTH_MAX} deep", mark)
        paths = [os.path.join(scope.folder, Folder("", reading.home).expanded(path)) for path in _paths(entry, "path")]
        paths = [os.path.normpath(path) for path in paths]
        if not paths:
            raise ComposeError("include: an entry must have a path", mark)
        directory = entry.get("project_directory") or os.path.dirname(paths[0])
        folder = os.path.normpath(os.path.join(scope.folder, str(directory)))
        if paths[0] in self.included:
            raise ComposeError(f"include: {reading.shown(paths[0])} includes itself", mark)
        names = _paths(entry, "env_file")
        files = [os.path.join(scope.folder, name) for name in names if name != "/dev/null"]
        if not names and os.path.isfile(os.path.join(folder, ".env")):
            files = [os.path.join(folder, ".env")]
        variables = environment_of(reading, files, scope.environment, mark)
        inner = Scope(folder, {**variables, **scope.environment}, reading)
        for path in paths:
            reading.text_of(path, mark, "included file")
        relative = os.path.relpath(folder, scope.folder)
        self.merge(load_model(paths, relative, inner, self.included), over)

    def merge(self, source: Map, over: Map) -> None:
        for kind in KINDS:
            known = over.get(kind)
            known = Map() if known is None else known
            if not source.get(kind) or not isinstance(known, dict):
                continue
            for name, resource in source[kind].items():
                if name not in known:
                    known[name] = resource
                    if isinstance(known, Map) and isinstance(source[kind], Map) and name in source[kind].marks:
                        known.marks[name] = source[kind].marks[name]
                elif not same(resource, known[name]):
                    remove(Map({kind: Map({name: resource})}), self.document.removed)
                    known[name] = merged(resource, known[name], (kind, name))
            over[kind] = known


def _paths(entry: Map, key: str) -> list[str]:
    given = entry.get(key)
    items = [] if given is None else [given] if isinstance(given, str) else given
    if not isinstance(items, list) or not all(isinstance(item, str) for item in items):
        raise ComposeError(f"include.{key}: must be a path or a list of paths", entry.marks.get(key, entry.mark))
    return [str(item) for item in items]


class _Extends:
    """Follows `extends` of the services of one document."""

    def __init__(self, path: str, scope: Scope, document: Document) -> None:
        self.path, self.scope, self.document = path, scope, document
        self.bases: dict[str, tuple[Map, list[Path]]] = {}

    def apply(self, over: Map) -> None:
        for kind in ("services", "jobs"):
            if kind not in over:
                continue
            services = over[kind]
            if not isinstance(services, Map):
                raise ComposeError(f"{kind}: must be a mapping, not {kind_of(services)}", over.marks.get(kind))
            for name in services:
                services[name] = self.complete(name, services, self.document.removed, ())

    def complete(self, name: str, services: Map, removed: list[Path], seen: tuple[tuple[str, str], ...]) -> Any:
        """Returns the service over the one that it extends."""
        service = services[name]
        mark = services.marks.get(name)
        if service is not None and not isinstance(service, Map):
            raise ComposeError(f"services.{name}: must be a mapping, not {kind_of(service)}", mark)
        if service is None or "extends" not in service:
            return service
        extends = service["extends"]
        mark = mark_of(extends) or service.marks.get("extends") or mark
        base_name = extends.get("service") if isinstance(extends, dict) else extends
        if not isinstance(base_name, str):
            raise ComposeError(f"services.{name}.extends: must have the name of a service", mark)
        file = extends.get("file") if isinstance(extends, dict) else None
        bases, base_removed, path = services, removed, self.path
        if file is not None:
            path = str(file)
            bases, base_removed = self.file_services(str(file), mark)
        if base_name not in bases:
            in_file = f" of {file}" if file else ""
            raise ComposeError(f"services.{name}.extends: there is no service {base_name}{in_file}", mark)
        if (path, name) in seen:
            names = " extends ".join(entry for _, entry in (*seen, (path, name)))
            raise ComposeError(f"services.{name}.extends: services extend one another in a circle: {names}", mark)
        if len(seen) > DEPTH_MAX:
            raise ComposeError(f"services.{name}.extends: services extend one another too deep", mark)
        base = self.complete(base_name, bases, base_removed, (*seen, (path, name)))
        if base is None:
            return service
        source = copied(base)
        remove(Map({"services": Map({name: source})}), removed)
        try:
            made = merged(source, service, ("services", "x"))
        except Fault as fault:
            raise located(
                Fault(("services", name, *fault.path[2:]), fault.said), Map(services=services), mark
            ) from None
        made.pop("extends", None)
        services[name] = made
        return made

    def file_services(self, file: str, mark: Mark | None) -> tuple[Map, list[Path]]:
        """Returns the services of another file, with paths relative to its folder, and the paths that it removes."""
        scope = self.scope
        path = os.path.normpath(os.path.join(scope.folder, Folder("", scope.reading.home).expanded(file)))
        if path not in self.bases:
            folder = os.path.dirname(path)
            relative = os.path.relpath(folder, scope.folder)
            text = scope.reading.text_of(path, mark, "file")
            removed: list[Path] = []
            for document in documents(text, scope.reading.shown(path)):
                removed = document.removed
            tree = load_file(path, Map(), Scope(folder, scope.environment, scope.reading), relative, (), True)
            services = tree.get("services")
            if not isinstance(services, dict):
                raise ComposeError(f"extends: {scope.reading.shown(path)} has no services", mark)
            try:
                resolve_paths(tree, Folder(relative, scope.reading.home))
            except Fault as fault:
                raise located(fault, tree, mark) from None
            self.bases[path] = Map(services), removed
        services, removed = self.bases[path]
        return copied(services), removed
