"""Each option of an engine is read: a row of core/base/options/*.def that no code uses promises an effect that it does
not have."""

import re
import unittest

import codebase

ROW = re.compile(
    r"^ORLOP_(?P<macro>OPTION|CHOICE|PORT|CUSTOM_PORT)\(\w+, (?P<first>\w+), (?P<second>\w+), ", re.MULTILINE
)
# The variables that hold options: `settings.busy`, `unit.settings().busy`, `options->start_ms`. An assignment to a
# member is not a read.
HOLDER = r"\b(?:settings_?|settings\(\)|options_?|parsed|engine|keys|given_?)\s*(?:\.|->)\s*"
READ = re.compile(HOLDER + r"(?P<name>\w+?)(?:_ms)?\b(?!\s*=[^=])")
READ_IN_PYTHON = re.compile(r'(?:\[|\.get\()"(?P<name>\w+)"(?!\]\s*=[^=])')


def options(path: str, source: str) -> dict[str, str]:
    """Returns the options of a file, each with its line: {"busy": "options.def:58"}."""
    text = codebase.without_words(source)
    rows = {match["second" if match["macro"] == "OPTION" else "first"]: match.start() for match in ROW.finditer(text)}
    return {name: f"{path}:{text.count(chr(10), 0, start) + 1}" for name, start in rows.items()}


def read_in_cpp(source: str) -> set[str]:
    return {match["name"] for match in READ.finditer(codebase.without_words(source))}


def read_in_python(source: str) -> set[str]:
    return {match["name"] for match in READ_IN_PYTHON.finditer(source)}


def violations(known: dict[str, str], read: set[str]) -> list[str]:
    return [
        f"{row}: no code reads the option {name}: read it where it takes effect, or delete its row"
        for name, row in known.items()
        if name not in read
    ]


def options_of_the_project() -> dict[str, str]:
    known: dict[str, str] = {}
    for path in codebase.files("core/base/options", suffixes={".def"}):
        known |= options(codebase.shown(path), codebase.text_of(path))
    return known


def read_by_the_project() -> set[str]:
    read: set[str] = set()
    for path in codebase.files("core", "bindings", suffixes={".cpp", ".h"}):
        read |= read_in_cpp(codebase.text_of(path))
    for path in codebase.files("python/orlop", suffixes={".py"}):
        if "generated" not in path.parts:
            read |= read_in_python(codebase.text_of(path))
    return read


class Options(unittest.TestCase):
    def test_each_is_read(self) -> None:
        known = options_of_the_project()
        self.assertGreater(len(known), 40)
        found = violations(known, read_by_the_project())
        self.assertFalse(found, "\n" + "\n".join(found))

    def test_a_planted_one_is_found(self) -> None:
        planted = 'ORLOP_OPTION(rules, flag, is_planted, "", false, 0, 1, on_all,\n  "Plants.")\n'
        choice = "ORLOP_CHOICE(rules, planting, Planting, off, on_all,\n"
        port = "ORLOP_PORT(opening, planter, Planter, write, on_all,\n"
        known = options("a.def", "\n" + planted + choice + port)
        self.assertEqual(known, {"is_planted": "a.def:2", "planting": "a.def:4", "planter": "a.def:5"})
        found = violations(options_of_the_project() | known, read_by_the_project())
        self.assertEqual([row.split(":")[0:2] for row in found], [["a.def", "2"], ["a.def", "4"], ["a.def", "5"]])

    def test_only_a_read_counts(self) -> None:
        for line in (
            "if (unit.settings().busy == BusyPolicy::queue) {",
            "wait(options->busy_ms);",
            "auto on = given.busy;",
            "a.b = settings_.busy;",
        ):
            self.assertIn("busy", read_in_cpp(line), line)
        for line in (
            "settings.busy = BusyPolicy::queue;",
            "// settings.busy",
            'log("settings.busy");',
            "machine.busy",
            "settings.busy_until",
        ):
            self.assertNotIn("busy", read_in_cpp(line), line)
        self.assertEqual(read_in_python('options["busy"] + given.get("role")'), {"busy", "role"})
        self.assertEqual(read_in_python('options["busy"] = "queue"\nlog("role")'), set())


if __name__ == "__main__":
    unittest.main()
