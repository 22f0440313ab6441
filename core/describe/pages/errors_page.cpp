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

// Guarantees for several processes on one store, by the errors that they see.
constexpr std::string_view promises =
    "\n## Several processes\n\nAny number of processes may use one store. Whatever happens to one of them, the others "
    "may rely on this:\n\n"
    "- A request that was answered has taken effect once and in full. It survives the end of every process.\n"
    "- A call that ended with `storage_failed` or `storage_busy` has had no effect, unless its message says that this "
    "is not known. Sending it again with the same "
    "`Idempotency-Key` is safe in both cases.\n"
    "- Requests about one resource take effect one after the other, whichever process answers them. A change that was "
    "made from an outdated state is refused: "
    "`lost_update`, or `precondition_failed` where the request has an `If-Match`.\n"
    "- A step has one ID for ever. It runs in one process at a time as long as that process is well; else it is handed "
    "to another one, with the same ID.\n"
    "- A process that has lost its share of the work stores nothing of what it had decided (`lease_lost`, which the "
    "engine deals with itself), and starts no step for it.\n"
    "- Events have numbers without gaps, in the order of commits. A reader that comes too late gets "
    "`events_forgotten`.\n\n"
    "| error | what a caller does |\n|---|---|\n"
    "| `storage_busy` | sends the request again; `Engine.run` and `orlop serve` do so for the work that they drive |\n"
    "| `storage_failed` | looks at the message; sends the request again with its `Idempotency-Key` when the store is "
    "well |\n"
    "| `lost_update`, `precondition_failed` | reads the resource again and decides anew |\n"
    "| `key_reused` | uses another key: this one belongs to another request |\n";

}  // namespace

std::string errors_page() {
  std::string text = page_head("Errors");
  text +=
      "\nErrors with a status are replies to a request; the body names the field, the given value and the allowed "
      "values. Errors "
      "without a reply are returned by the function call itself.\n\n";
  text += table();
  text +=
      "\n## Body of an error reply\n\n`message` and `detail` are the same sentence. A reply with status 400 lists all "
      "`violations`, "
      "each with the path of the field (empty for the whole body) and the reason. At most the first 100 are listed; "
      "then "
      "`violations_omitted` is the number of the others. Counting stops at 1,000, so a value from 900 is a lower "
      "bound. A list "
      "with more items than its field allows is one violation; its items are not validated.\n\n```json\n";
  return text + example() + "```\n" + std::string(promises);
}

}  // namespace orlop
