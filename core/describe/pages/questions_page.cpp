// The page of the questions to external systems.
#include <string>

#include "describe/pages/field_table.h"
#include "describe/pages/markdown.h"
#include "describe/pages/reference.h"
#include "external_systems/question.h"
#include "rest/route.h"

namespace orlop {
namespace {

// Returns the operations that ask the question, as a list; "" if only the engine asks it by itself.
std::string operations_of(const QuestionFacts& question) {
  std::string text;
  for (const Route& route : all_routes()) {
    if (!route.operation.asks || &facts_of(*route.operation.asks) != &question) continue;
    text += "- " + code(std::string(to_string(route.operation.method)) + " " + route.path) + "\n";
  }
  return text.empty() ? text : "\nOperations:\n\n" + text;
}

}  // namespace

std::string questions_page() {
  std::string text = page_head("External systems");
  text +=
      "\nQuestions that the engine asks of the external systems of the host, in the order of their numbers. Each has "
      "the schema of its input, a JSON object, and of "
      "its answer, which may be any JSON value. An answer that does not match fails the request with 502. "
      "[Connect real clouds](../guide/external-systems.md) shows how to answer them.\n\n";
  text += table_head({"question", "asked to", "if it is not answered"});
  for (const QuestionFacts& question : all_questions()) {
    text += table_row({link(std::string(question.name), "#" + std::string(question.name)), std::string(question.about),
                       std::string(question.otherwise)});
  }
  text += "\n## Questions\n";
  FieldTables tables(NameScope::none);
  for (const QuestionFacts& question : all_questions()) {
    text += "\n### " + std::string(question.name) + "\n\n" + std::string(question.about) + "\n\nInput:\n\n";
    text += tables.table(question.input->fields);
    text += "\nAnswer:\n\n" + tables.table({&question.answer, 1});
    text += operations_of(question);
  }
  return text + "\n## Objects\n\n" + tables.shape_sections();
}

}  // namespace orlop
