#include <string>
#include <string_view>

#include "base/error.h"
#include "describe/indented.h"
#include "describe/markdown.h"
#include "describe/reference.h"
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
                    is_refusal ? std::to_string(status) + " " + std::string(reason_of(status)) : "no reply",
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
      "\nA refusal is a reply: status, and a body that says which field, what was given and what is allowed. Where there is no "
      "reply, the "
      "engine could not answer, and the call itself returns the error.\n\n";
  text += table();
  text +=
      "\n## The body of a refusal\n\n`message` and `detail` are the same sentence. A 400 holds `violations`: every broken rule "
      "at once, "
      "each with the path of its field (empty for the whole body) and the reason. It holds the first 100 at most; then "
      "`violations_omitted` is the number of the others. Counting stops at 1,000: from 900 on there may be more. A list that holds "
      "more items than its field allows is one violation; its items are not looked at.\n\n```json\n";
  return text + example() + "```\n";
}

}  // namespace orlop
