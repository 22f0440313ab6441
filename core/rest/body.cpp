#include "rest/body.h"

#include <string>
#include <utility>

#include "base/limits.h"
#include "base/text/utf8.h"
#include "model/form.h"
#include "model/validate.h"
#include "wire/json.h"

namespace orlop {
namespace {

// Refuses members for an action without a body: they would be ignored.
Result<void> refuse_members(const Operation& operation, std::string_view text) {
  const bool is_action = operation.method == Method::post || operation.method == Method::patch;
  if (!is_action || text.empty()) return {};
  ORLOP_TRY(body, parse_json(text));
  if (body.is_null()) return {};
  Violations violations;
  (void)make_body({}, body, violations);
  if (!violations.empty()) return refusal(std::move(violations));
  return {};
}

// Checks a body that is not JSON. It is passed unchanged.
Result<void> check_text(const Operation& operation, std::string_view text) {
  if (text.empty() && operation.is_body_required) return make_error(ErrorCode::invalid, "a body is required");
  if (text.size() > body_size_max) {
    return make_error(ErrorCode::invalid, "the body has " + std::to_string(text.size()) + " bytes; at most " +
                                              std::to_string(body_size_max) + " are allowed");
  }
  if (operation.takes != ContentType::binary && !is_utf8(text))
    return make_error(ErrorCode::invalid, "the body must be UTF-8");
  return {};
}

}  // namespace

Result<std::optional<Value>> read_body(const Operation& operation, std::string_view text, std::string_view brand) {
  const bool takes_body = operation.body != nullptr || operation.is_body_required;
  if (operation.takes != ContentType::json) {
    ORLOP_CHECK(check_text(operation, text));
    return std::optional<Value>();
  }
  if (!takes_body) {
    ORLOP_CHECK(refuse_members(operation, text));
    return std::optional<Value>();
  }
  if (text.empty()) {
    if (operation.is_body_required) return make_error(ErrorCode::invalid, "a JSON body is required");
    return std::optional<Value>();
  }
  ORLOP_TRY(body, parse_json(text));
  if (body.is_null() && !operation.is_body_required) return std::optional<Value>();
  if (operation.body == nullptr) return std::optional<Value>(std::move(body));
  Violations violations;
  Value checked = make_body(operation.body->fields, body, violations, brand);
  if (!violations.empty()) return refusal(std::move(violations));
  return std::optional<Value>(std::move(checked));
}

}  // namespace orlop
