"""Includes point one way only."""

import re
import unittest

import codebase

# Direct includes that each folder may have; indirect ones follow. A folder may always include itself.
BELOW: dict[str, set[str]] = {
    "base": set(),
    "model": {"base"},
    "catalogs": {"model"},
    "families": {"catalogs", "lifecycle", "resolution"},
    "resolution": {"model"},
    "lifecycle": {"base"},
    "store": {"model"},
    "wire": {"model"},
    "external_systems": {"catalogs", "wire"},
    "unit": {"external_systems", "lifecycle", "store", "resolution"},
    "access": {"unit"},
    "records": {"access"},
    "commit": {"access"},
    "feed": {"records", "commit"},
    "check": {"records"},
    "snapshot": {"check"},
    "releases": {"records"},
    "observations": {"records"},
    "deploy": {"feed", "snapshot", "releases", "observations"},
    "workloads": {"wire"},
    "webhooks": {"deploy"},
    "endpoints": {"webhooks"},
    "rest": {"wire", "endpoints"},
    "describe": {"rest"},
    "engine": {"describe"},
    "sim": {"engine"},
    "include": set(),
    "bindings/c": {"include", "sim", "describe", "workloads"},
    "bindings/python": {"include"},
    "stores/postgresql": {"include"},
}

# Third-party libraries, and the only folders that may use them.
FENCED = {
    r"nlohmann/": {"wire"},
    r"boost/msm": {"lifecycle"},
    r"boost/": {"lifecycle"},
    r"SQLiteCpp/|sqlite3\.h": {"store"},
    r"openssl/": {"base", "store"},
    r"libpq": {"stores/postgresql"},
    r"pybind11/|Python\.h": {"bindings/python"},
}

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)


def allowed_below(layer: str) -> set[str]:
    found = {layer}
    for lower in BELOW[layer]:
        found |= allowed_below(lower)
    return found


def layer_of_file(path: str) -> str:
    parts = path.split("/")
    if parts[0] == "core":
        return parts[1] if len(parts) > 2 else parts[1].split(".")[0]
    return "include" if parts[0] == "include" else "/".join(parts[:2])


def layer_of_include(target: str, path: str) -> str:
    """Returns the layer of an include of the project; "" for a file in the same folder of bindings/, or of other
    projects."""
    if target.startswith("orlop/"):
        return "include"
    beside = (codebase.ROOT / path).parent / target
    first = target.split("/")[0].split(".")[0]
    return first if first in BELOW and not (path.startswith("bindings/") and beside.exists()) else ""


def violations(path: str, source: str) -> list[str]:
    layer = layer_of_file(path)
    if layer not in BELOW:
        return [f"{path}: the folder {layer} has no place in the order of layers (tests/tidy/test_layers.py)"]
    found = []
    for _, target in INCLUDE.findall(source):
        lower = layer_of_include(target, path)
        if lower and lower not in allowed_below(layer):
            found.append(f"{path}: includes {target}, but {layer} may not know {lower}")
        for pattern, homes in FENCED.items():
            if re.match(pattern, target) and layer not in homes:
                found.append(f"{path}: includes {target}, which only {' and '.join(sorted(homes))} may")
    return found


class Layers(unittest.TestCase):
    def test_every_include_points_down(self) -> None:
        found: list[str] = []
        for path in codebase.files("core", "bindings", "stores", "include", suffixes=codebase.CPP):
            found += violations(codebase.shown(path), codebase.text_of(path))
        self.assertFalse(found, "\n" + "\n".join(found))

    def test_a_planted_include_is_found(self) -> None:
        planted = {
            "core/base/id.h": '#include "model/field.h"',
            "core/store/memory.cpp": '#include "unit/unit.h"',
            "core/families/services/job.cpp": '#include "store/store.h"',
            "core/engine.cpp": '#include "sim/simulator.h"',
            "core/records/create_verb.cpp": "#include <nlohmann/json.hpp>",
            "core/deploy/plan.cpp": "  #  include <boost/msm/back/state_machine.hpp>",
            "bindings/python/module.cpp": '#include "engine.h"',
            "include/orlop/orlop.hpp": '#include "core/engine.h"\n#include "store/store.h"',
            "core/extras/new.cpp": "",
            "stores/postgresql/store.cpp": '#include "store/store.h"',
            "core/store/open.cpp": "#include <libpq-fe.h>",
        }
        for path, source in planted.items():
            self.assertTrue(violations(path, source), path)

    def test_a_lawful_include_is_not(self) -> None:
        lawful = {
            "core/deploy/tick.cpp": '#include "base/id.h"\n#include "deploy/plan/plan.h"\n#include '
            '"store/store.h"\n#include <vector>',
            "core/wire/json.cpp": '#include <nlohmann/json.hpp>\n#include "model/value.h"',
            "bindings/c/orlop_c.cpp": '#include "engine.h"\n#include "orlop/orlop.h"\n#include "handles.h"',
            "bindings/python/module.cpp": "#include <pybind11/pybind11.h>\n#include <orlop/orlop.hpp>",
        }
        for path, source in lawful.items():
            self.assertEqual(violations(path, source), [])


if __name__ == "__main__":
    unittest.main()
