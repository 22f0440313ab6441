#include "describe/languages/questions_file.h"

#include <span>
#include <string_view>

#include "describe/languages/options_file.h"
#include "describe/words.h"
#include "external_systems/question.h"

namespace orlop {
namespace {

// Describes the form of a field: "text, required", "list of objects or null".
std::string form_of(const Field& field) {
  const auto name = [](FieldKind kind) -> std::string {
    switch (kind) {
      case FieldKind::text:
      case FieldKind::enumeration:
      case FieldKind::cron:
      case FieldKind::duration: return "text";
      case FieldKind::integer: return "integer";
      case FieldKind::number: return "number";
      case FieldKind::boolean: return "boolean";
      case FieldKind::id: return "UUID";
      case FieldKind::date_time: return "RFC 3339 time";
      case FieldKind::uri: return "URI";
      case FieldKind::object: return "object";
      case FieldKind::list: return "list";
      case FieldKind::any: return "JSON";
    }
    return "";
  };
  std::string form = name(field.kind);
  if (field.kind == FieldKind::list) form += " of " + (field.shape != nullptr ? "objects" : name(field.item) + "s");
  if (field.is_nullable) form += " or null";
  return form;
}

std::string members_of(std::span<const Field> fields) {
  std::string list;
  for (const Field& field : fields) {
    list += list.empty() ? "`" : ", `";
    list += std::string(field.name) + "` (" + form_of(field) + (field.is_required ? ", required)" : ")");
  }
  return list;
}

std::string input_text(const QuestionFacts& question) { return "Input: " + members_of(question.input->fields) + "."; }

std::string answer_text(const QuestionFacts& question) {
  const Field& answer = question.answer;
  std::string text = "Answer: " + form_of(answer) + ". " + std::string(answer.about);
  if (answer.shape != nullptr) text += " Members: " + members_of(answer.shape->fields) + ".";
  return text;
}

std::string otherwise_text(const QuestionFacts& question) {
  return "If it is not answered: " + std::string(question.otherwise) + ".";
}

constexpr std::string_view questions_header_head =
    "// The questions of orlop_external_systems (ports.h): their names, the members of their input, a JSON object, and "
    "their answer. Generated from\n"
    "// core/external_systems/questions.def: do not edit. docs/reference/external-systems.md describes each member.\n"
    "#ifndef ORLOP_QUESTIONS_H\n#define ORLOP_QUESTIONS_H\n";

constexpr std::string_view questions_python_head =
    "# Generated from core/external_systems/questions.def: do not edit.\n"
    "\"\"\"The questions that the engine asks of external systems, one method for each.\"\"\"\n\n"
    "from __future__ import annotations\n\n"
    "from ..errors import Unanswered\n\n"
    "TYPE_CHECKING = False\n"
    "if TYPE_CHECKING:\n"
    "    from collections.abc import Mapping\n"
    "    from typing import Any\n\n\n"
    "class ExternalSystems:\n"
    "    \"\"\"Base class of external systems: git providers, registries, clouds, log stores, identity providers, "
    "policy engines.\n\n"
    "    Override the methods of the questions that you answer; a method may be `async`. It takes the input of the "
    "question, a dict, and returns the\n"
    "    answer as JSON values. An exception fails the request with 502 and its text, `TimeoutError` with 504. "
    "`orlop.Unanswered` means that the question\n"
    "    is not answered. `Engine` raises `Misuse` for a class with another public method that looks like a misspelled "
    "question or whose only parameter is\n"
    "    named `question`. Methods are called from any thread, and must not call the engine.\n"
    "    \"\"\"\n";

}  // namespace

std::string questions_header() {
  std::string text(questions_header_head);
  for (const QuestionFacts& question : all_questions()) {
    text += "\n" + wrapped(question.about, "// ", python_line_width) +
            wrapped(input_text(question), "// ", python_line_width);
    text += wrapped(answer_text(question), "// ", python_line_width) +
            wrapped(otherwise_text(question), "// ", python_line_width);
    text += "#define ORLOP_QUESTION_" + upper_case(question.name) + " \"" + std::string(question.name) + "\"\n";
  }
  return text + "\n#endif\n";
}

std::string python_questions() {
  std::string text(questions_python_head);
  for (const QuestionFacts& question : all_questions()) {
    text += "\n    def " + std::string(question.name) + "(self, question: Mapping[str, Any]) -> Any:\n";
    text += "        \"\"\"" + std::string(question.about) + "\n\n";
    text += wrapped(input_text(question), "        ", python_line_width) + "\n" +
            wrapped(answer_text(question), "        ", python_line_width) + "\n";
    text += wrapped(otherwise_text(question), "        ", python_line_width) +
            "        \"\"\"\n        raise Unanswered(\"the question " + std::string(question.name) +
            " is not answered\")\n";
  }
  return text;
}

}  // namespace orlop
