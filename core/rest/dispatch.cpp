#include "rest/dispatch.h"

#include <optional>

#include "model/form.h"
#include "model/validate.h"
#include "rest/problem.h"
#include "rest/request.h"
#include "rest/route.h"
#include "wire/json.h"

namespace orlop {
namespace {

// Whom the in-process host acts for; without it the host itself is the author.
constexpr std::string_view author_header = "x-acting-for";

// What answers here is made from the routes, and so is none of them.
constexpr std::string_view description_path = "/openapi.json";

std::string_view author_of(const Request& request) {
  for (const auto& [name, value] : request.headers) {
    if (lower_case(name) == author_header && !value.empty()) return value;
  }
  return "host";
}

Error no_such_path(std::string_view path) {
  return make_error(ErrorCode::not_found, "no operation answers at " + std::string(path));
}

Result<void> check_query(const Operation& operation, const Query& query) {
  Violations violations;
  for (const Field& field : operation.query) {
    const auto text = query.find(field.name);
    if (text) {
      (void)parse_parameter(field, *text, violations);
    } else if (field.is_required) {
      violations.push_back({std::string(field.name), "is a required query parameter"});
    }
  }
  if (!violations.empty()) return refusal(std::move(violations));
  return {};
}

// The body that the handler is given; nothing if the request brought none and needs none.
Result<std::optional<Value>> read_body(const Operation& operation, std::string_view text) {
  const bool takes_body = operation.body != nullptr || operation.is_body_required;
  if (!takes_body) return std::optional<Value>();
  if (text.empty()) {
    if (operation.is_body_required) return make_error(ErrorCode::invalid, "a JSON body is required");
    return std::optional<Value>();
  }
  ORLOP_TRY(body, parse_json(text));
  if (operation.body == nullptr) return std::optional<Value>(std::move(body));
  Violations violations;
  Value checked = make_body(operation.body->fields, body, violations);
  if (!violations.empty()) return refusal(std::move(violations));
  return std::optional<Value>(std::move(checked));
}

Reply reply_of(Answer answer) {
  Reply reply;
  reply.status = answer.status;
  if (!answer.body.empty()) reply.headers.emplace_back("content-type", "application/json");
  reply.body = std::move(answer.body);
  return reply;
}

Result<Reply> reply_of(const Error& error, std::string allowed) {
  const bool is_refusal = static_cast<std::uint16_t>(error.code) < 100 || error.code == ErrorCode::lost_update;
  if (!is_refusal) return error;
  Reply reply = reply_of(Answer{status_of(error.code), problem_body(error)});
  if (!allowed.empty()) reply.headers.emplace_back("allow", std::move(allowed));
  return reply;
}

}  // namespace

Result<Reply> Dispatcher::dispatch(const Request& request) {
  auto answered = answer(request);
  if (answered) return reply_of(std::move(*answered));
  const Error& error = answered.error();
  std::string allowed;
  if (error.code == ErrorCode::method_not_allowed) {
    if (const auto target = parse_target(request.path)) allowed = allowed_at(target->path);
    if (allowed.empty()) allowed = word_of(Method::get);  // the description
  }
  return reply_of(error, std::move(allowed));
}

Result<Answer> Dispatcher::answer(const Request& request) {
  ORLOP_TRY(target, parse_target(request.path));
  const std::optional<Method> method = parse_method(request.method);
  const Match matched = match(method.value_or(Method::get), target.path);
  const bool is_description = !matched.is_path_known && served_path(target.path) == description_path;
  if (is_description && method == Method::get) return Answer{200, describe_()};
  if (!matched.is_path_known && !is_description) return no_such_path(target.path);
  if (!method || matched.route == nullptr) {
    return make_error(ErrorCode::method_not_allowed, std::string(request.method) + " is not allowed at " + target.path);
  }
  if (!matched.bad_id_name.empty()) {
    return refusal({{std::string(matched.bad_id_name), "must be a uuid, not \"" + matched.bad_id + "\""}});
  }
  const Operation& operation = matched.route->operation;
  ORLOP_CHECK(check_query(operation, target.query));
  ORLOP_TRY(body, read_body(operation, request.body));

  Call call;
  call.family = matched.route->family;
  call.ids = matched.ids;
  call.query = &target.query;
  call.body = body ? &*body : nullptr;
  const Caller host;
  call.author = author_of(request);
  call.caller = &host;
  return operation.access == Access::read ? answer_read(operation, call) : answer_write(operation, call);
}

Result<Answer> Dispatcher::answer_read(const Operation& operation, const Call& call) {
  ORLOP_TRY(transaction, store_.begin(Access::read));
  Unit unit(*transaction, entropy_, 0, clock_.now(), settings_);
  return operation.handle(unit, call);
}

Result<Answer> Dispatcher::answer_write(const Operation& operation, const Call& call) {
  Answer answer;
  const Committer::Work work = [&](Unit& unit) -> Result<void> {
    unit.set_author(call.author);
    ORLOP_TRY(made, operation.handle(unit, call));
    answer = std::move(made);
    return {};
  };
  ORLOP_TRY(woken, committer_.run(work));
  if (!woken.empty()) wake_(woken);
  return answer;
}

}  // namespace orlop
