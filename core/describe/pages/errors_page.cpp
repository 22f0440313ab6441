#include <string>
#include <string_view>

#include "base/error.h"
#include "describe/indented.h"
#include "describe/pages/markdown.h"
#include "describe/pages/reference.h"
#include "rest/problem.h"
#include "wire/json.h"

namespace orlop {
namespace {

constexpr int last_refusal = 99;

std::string row_of(std::string_view name, int number, std::string_view meaning) {
  const auto code_of_error = static_cast<ErrorCode>(number);
  const bool is_refusal = number <= last_refusal || code_of_error == ErrorCode::lost_update;
  const std::uint16_t status = status_of(code_of_error);
  return table_row({std::to_string(number), code(name),
                    is_refusal ? std::to_string(status) + " " + std::string(reason_of(status)) : "none",
                    std::string(meaning)});
}

std::string table() {
  std::string text = table_head({"number", "name", "reply", "meaning"});
#define ORLOP_ERROR(name, number, meaning) text += row_of(#name, number, meaning);
#include "base/error.def"
#undef ORLOP_ERROR
  return text;
}

std::string example() {
  const Error error = {ErrorCode::invalid,
                       "disk_iops must be 3000 to 16000, not 200 (and 1 more)",
                       {{"disk_iops", "must be 3000 to 16000, not 200"}, {"ports[0].internal_port", "is required"}}};
  const auto body = parse_stored(problem_body(error));
  return body ? indented_json(*body) : "";
}

}  // namespace

std::string errors_page() {
  std::string text = page_head("Errors");
  text +=
      "\nErrors with a status are replies to a request; the body names the field, the given value and the allowed values. Errors "
      "without a reply are returned by the function call itself.\n\n";
  text += table();
  text +=
      "\n## Body of an error reply\n\n`message` and `detail` are the same sentence. A reply with status 400 lists all "
      "`violations`, "
      "each with the path of the field (empty for the whole body) and the reason. At most the first 100 are listed; then "
      "`violations_omitted` is the number of the others. Counting stops at 1,000, so a value from 900 is a lower bound. A list "
      "with more items than its field allows is one violation; its items are not validated.\n\n```json\n";
  return text + example() + "```\n";
}

}  // namespace orlop
