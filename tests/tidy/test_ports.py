"""A new port is one file and one line: planted ports appear in everything that is generated, and compile in C, in C++
and between them."""

import pathlib
import subprocess
import tempfile
import unittest

import codebase

LINES = '#include "base/options/ports/audit.def"\n#include "base/options/ports/watch.def"\n'
# One function, with a value of every kind.
AUDIT = """
ORLOP_PORT_ENUM(audit_reason, AuditReason, AUDIT, "Why it is noted.",
  ORLOP_PORT_VALUE(granted, 1, "a permission was granted")
  ORLOP_PORT_VALUE(revoked, 2, "a permission was taken back"))

ORLOP_PORT_RECORD(audit_entry, AuditEntry, "One change of a permission.",
  ORLOP_FIELD(id, subject, "Whose permission it is.")
  ORLOP_FIELD(instant, at, "When it was changed.")
  ORLOP_FIELD(count, level, "The level of the role.")
  ORLOP_FIELD(text, name, "Name of the role.")
  ORLOP_FIELD(bytes, record, "The role as JSON.")
  ORLOP_FIELD(headers, headers, "Headers of the request."))

ORLOP_PORT(rules, audit, Audit, note, on_all & ~on_serve, "Keeps what changes permissions. Without one nothing is kept.", "Keeps changes of permissions.",
  ORLOP_FUNCTION(refusal, note, "Keeps an entry. An error refuses the change.", (record, entry, AuditEntry), (enumeration, reason, AuditReason), (text, caller))
  ORLOP_RELEASE())
"""
# Two functions, one of them of a later version.
WATCH = """
ORLOP_PORT(rules, watch, Watch, begin, on_all, "Sees what is deployed. Without one nothing is seen.", "Sees what is deployed.",
  ORLOP_FUNCTION(nothing, begin, "A deployment begins.", (id, subject), (instant, at))
  ORLOP_RELEASE()
  ORLOP_FUNCTION(refusal, end, "A deployment ends.", (id, subject), (bytes, outputs), (count, steps)))
"""
# The parts of the generator that write options and ports, and their dependencies.
GENERATOR = [
    "base/options/option",
    "base/instant",
    "base/calendar",
    "model/value",
    "wire/writer",
    "describe/words",
    "describe/option_list",
    "describe/languages/option_headers",
    "describe/languages/option_cpp",
    "describe/languages/option_python",
    "describe/languages/port_list",
    "describe/languages/port_headers",
    "describe/languages/port_python",
]
# The sources of the C interface that give ports to the core.
BINDING = ["instance", "options/options"]
MAIN = """
#include <cstdio>
#include <string>
#include "describe/languages/options_file.h"
#include "describe/languages/port_list.h"
int main(int, char** given) {
  using namespace orlop;
  const auto write = [&](const char* name, const std::string& text) {
    std::FILE* file = std::fopen((std::string(given[1]) + name).c_str(), "w");
    std::fwrite(text.data(), 1, text.size(), file);
    std::fclose(file);
  };
  write("/orlop/options.h", options_header());
  write("/orlop/options.hpp", options_face());
  write("/orlop/port_structs.h", port_structs_header());
  write("/orlop/ports.hpp", port_types_header());
  write("/options.py", python_options());
  write("/ports.py", python_ports());
  write("/port_calls.h", python_port_calls());
}
"""
IN_C = """
#include "orlop/ports.h"
static orlop_error *note(void *context, const orlop_audit_entry *entry, orlop_audit_reason reason, orlop_text caller) {
  return context != NULL && entry->at_ms > 0 && entry->level > 0 && entry->header_count > 0 && reason == ORLOP_AUDIT_REVOKED && caller.size > 0 ? NULL :
         orlop_error_new(ORLOP_ERROR_INVALID, entry->name);
}
static void begin(void *context, orlop_id subject, int64_t at_ms) { (void)context, (void)subject, (void)at_ms; }
static orlop_error *end(void *context, orlop_id subject, orlop_text outputs, uint32_t steps) {
  return context != NULL && subject.bytes[0] == 0 && outputs.size == steps ? NULL : orlop_error_new(ORLOP_ERROR_INVALID, outputs);
}
int main(void) {
  orlop_watch watch = ORLOP_WATCH_INIT;
  orlop_audit audit = ORLOP_AUDIT_INIT;
  orlop_options options = ORLOP_OPTIONS_INIT;
  audit.note = note;
  options.audit = &audit;
  watch.begin = begin;
  watch.end = end;
  options.watch = &watch;
  return options.audit->release == NULL ? 0 : 1;
}
"""
IN_CPP = """
#include "orlop/orlop.hpp"
int main() {
  orlop::Options options;
  options.audit = [](const orlop::AuditEntry& entry, orlop_audit_reason reason, std::string_view caller) {
    if (entry.level == 0 || reason == ORLOP_AUDIT_GRANTED || caller.empty()) throw std::runtime_error("refused");
  };
  options.watch.begin = [](orlop_id, orlop::Instant at) { if (at < orlop::Instant()) throw 1; };
  const orlop::detail::Given given(options);
  const orlop_options& c = *given.options();
  return c.audit->note != nullptr && c.watch->begin != nullptr && c.watch->end == nullptr ? 0 : 1;
}
"""
IN_CORE = """
#include <type_traits>
#include "base/options/settings.h"
static_assert(std::is_same_v<decltype(&orlop::Audit::note), orlop::Result<void> (orlop::Audit::*)(const orlop::AuditEntry&, orlop::AuditReason, std::string_view)>);
static_assert(std::is_same_v<decltype(orlop::Settings::audit), orlop::Audit*>);
"""
IN_BINDING = """
static_assert(!std::is_abstract_v<orlop::c::HostAudit> && !std::is_abstract_v<orlop::c::HostWatch>);
"""
CPP = "-std=c++20"


def together(folder: str, names: list[str]) -> str:
    """Returns one source that includes several, so that their headers are read once."""
    return "".join(f'#include "{codebase.ROOT / folder / name}.cpp"\n' for name in names)


class Planted:
    """A folder that shadows the sources: includes are looked up here first."""

    def __init__(self, place: str, files: dict[str, str]) -> None:
        self.place = pathlib.Path(place)
        for name, text in files.items():
            path = self.place / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")

    def compile(self, *arguments: str) -> None:
        """Raises an AssertionError with the compiler's messages."""
        folders = [str(self.place), *(str(codebase.ROOT / name) for name in ("core", "bindings/c", "include"))]
        compiler = "cc" if any(argument.endswith(".c") for argument in arguments) else "c++"
        done = subprocess.run(
            [compiler, "-Wall", "-Wextra", "-Wpedantic", "-Werror", *(f"-I{folder}" for folder in folders), *arguments],
            capture_output=True,
            text=True,
            cwd=self.place,
            check=False,
        )
        if done.returncode != 0:
            raise AssertionError(
                "\n".join(line for line in done.stderr.splitlines() if "error" in line or "undefined" in line)[:4000]
                or done.stderr[:4000]
            )

    def generate(self) -> None:
        """Writes the headers and modules of the options and ports, the planted ports included."""
        # Unused functions are removed, so that their dependencies need not be linked.
        self.compile(CPP, "-O0", "-ffunction-sections", "-Wl,--gc-sections", "generator.cpp", "-o", "generate")
        (self.place / "orlop").mkdir()
        subprocess.run([self.place / "generate", self.place], check=True)

    def text(self, name: str) -> str:
        return (self.place / name).read_text(encoding="utf-8")


class Ports(unittest.TestCase):
    def test_a_port_is_one_file_and_one_line(self) -> None:
        options = codebase.text_of(codebase.ROOT / "core/base/options/options.def")
        last = options.index("\n#undef ORLOP_OPTION")
        files = {
            "base/options/options.def": options[:last] + LINES + options[last:],
            "base/options/ports/audit.def": AUDIT,
            "base/options/ports/watch.def": WATCH,
            "generator.cpp": together("core", GENERATOR) + MAIN,
            "in_c.c": IN_C,
            "in_cpp.cpp": IN_CPP,
            "in_core.cpp": together("bindings/c", BINDING) + IN_CORE + IN_BINDING,
        }
        with tempfile.TemporaryDirectory() as place:
            planted = Planted(place, files)
            planted.generate()
            planted.compile("-std=c11", "-fsyntax-only", "in_c.c")
            planted.compile(CPP, "-fsyntax-only", "in_cpp.cpp")
            planted.compile(CPP, "-fsyntax-only", "in_core.cpp")
            self.assertIn("    audit: Audit | None = None,\n", planted.text("options.py"))
            self.assertIn("import Audit, ", planted.text("options.py"))
            ports = planted.text("ports.py")
            compile(ports, "ports.py", "exec")
            self.assertIn("class AuditEntry(NamedTuple):", ports)
            self.assertIn("Audit = Callable[[AuditEntry, str, str], object]\n", ports)
            self.assertIn("class Watch(Protocol):", ports)
            self.assertIn("    def end(self, subject: str, outputs: bytes, steps: int) -> object:\n", ports)
            self.assertIn("void give(orlop::Watch& member, HostedPort port) {", planted.text("port_calls.h"))
            self.assertIn("void give(orlop::Audit& member, HostedPort port) {", planted.text("port_calls.h"))

    def test_the_compiler_finds_what_a_planted_port_lacks(self) -> None:
        with tempfile.TemporaryDirectory() as place:
            planted = Planted(place, {"in_core.cpp": IN_CORE})
            with self.assertRaisesRegex(AssertionError, "Audit"):
                planted.compile("-std=c++20", "-fsyntax-only", "in_core.cpp")


if __name__ == "__main__":
    unittest.main()
