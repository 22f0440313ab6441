#include "sim/control.h"

#include <algorithm>
#include <string>
#include <utility>

#include "base/text/utf8.h"
#include "rest/problem.h"
#include "rest/request.h"
#include "sim/control_description.h"
#include "sim/invalid_member.h"
#include "sim/simulator.h"
#include "wire/json.h"
#include "wire/writer.h"

namespace orlop {
namespace {

constexpr std::string_view prefix = "/-/sim";
constexpr std::size_t control_body_size_max = 64 << 20;

Reply reply_of(std::string body, std::uint16_t status = 200, const char* type = "application/json") {
  if (status == 204) return {status, {}, ""};
  return {status, {{"content-type", type}}, std::move(body)};
}

Reply refusal_of(const Error& error) { return reply_of(problem_body(error), status_of(error.code)); }

Result<RuleSet*> rules_of(Simulator& simulator) {
  if (simulator.rules() != nullptr) return simulator.rules();
  return make_error(ErrorCode::conflict,
                    "rules are for the scripted driver, and this simulation has one of its host's");
}

Result<Reply> read_rules(Simulator& simulator, const Request&) {
  ORLOP_TRY(rules, rules_of(simulator));
  Writer out;
  rules->write(out);
  return reply_of(std::move(out).take());
}

Result<Reply> add_rules(Simulator& simulator, const Request& request) {
  ORLOP_TRY(rules, rules_of(simulator));
  ORLOP_TRY(given, parse_json(request.body, control_body_size_max));
  const std::uint64_t before = rules->count_of(RuleSubject::environment);
  ORLOP_CHECK(rules->add(given, simulator.engine().now()));
  if (rules->count_of(RuleSubject::environment) > before) ORLOP_CHECK(simulator.decide_environments());
  return reply_of("", 204);
}

Result<Reply> replace_rules(Simulator& simulator, const Request& request) {
  ORLOP_TRY(rules, rules_of(simulator));
  ORLOP_TRY(given, parse_json(request.body, control_body_size_max));
  ORLOP_CHECK(rules->replace(given, simulator.engine().now()));
  if (rules->has_rules_of(RuleSubject::environment)) ORLOP_CHECK(simulator.decide_environments());
  return reply_of("", 204);
}

Result<Reply> clear_rules(Simulator& simulator, const Request&) {
  ORLOP_TRY(rules, rules_of(simulator));
  rules->clear();
  return reply_of("", 204);
}

Result<Reply> read_faults(Simulator& simulator, const Request&) {
  Writer out;
  simulator.faults().write(out);
  return reply_of(std::move(out).take());
}

Result<Reply> add_faults(Simulator& simulator, const Request& request) {
  ORLOP_TRY(given, parse_json(request.body, control_body_size_max));
  ORLOP_CHECK(simulator.faults().add(given));
  return reply_of("", 204);
}

Result<Reply> clear_faults(Simulator& simulator, const Request&) {
  simulator.faults().clear();
  return reply_of("", 204);
}

Result<ScriptedExternalSystems*> externals_of(Simulator& simulator) {
  if (!simulator.asks_host()) return &simulator.external_systems();
  return make_error(ErrorCode::conflict,
                    "rules of external systems are for the scripted ones, and this simulation has those of its host");
}

Result<Reply> read_externals(Simulator& simulator, const Request&) {
  ORLOP_TRY(externals, externals_of(simulator));
  Writer out;
  externals->write(out);
  return reply_of(std::move(out).take());
}

Result<Reply> add_externals(Simulator& simulator, const Request& request) {
  ORLOP_TRY(externals, externals_of(simulator));
  ORLOP_TRY(given, parse_json(request.body, control_body_size_max));
  ORLOP_CHECK(externals->add(given));
  return reply_of("", 204);
}

Result<Reply> clear_externals(Simulator& simulator, const Request&) {
  ORLOP_TRY(externals, externals_of(simulator));
  externals->clear();
  return reply_of("", 204);
}

Result<Reply> read_domains(Simulator& simulator, const Request&) {
  Writer out;
  simulator.domains().write(out);
  return reply_of(std::move(out).take());
}

Result<Reply> add_domains(Simulator& simulator, const Request& request) {
  ORLOP_CHECK(externals_of(simulator));
  ORLOP_TRY(given, parse_json(request.body, control_body_size_max));
  ORLOP_CHECK(simulator.domains().add(given));
  return reply_of("", 204);
}

Result<Reply> clear_domains(Simulator& simulator, const Request&) {
  simulator.domains().clear();
  return reply_of("", 204);
}

Result<Reply> read_sources(Simulator& simulator, const Request&) {
  Writer out;
  simulator.sources().write(out);
  return reply_of(std::move(out).take());
}

Result<Reply> add_sources(Simulator& simulator, const Request& request) {
  ORLOP_CHECK(externals_of(simulator));
  ORLOP_TRY(given, parse_json(request.body, control_body_size_max));
  ORLOP_CHECK(simulator.sources().add(given));
  return reply_of("", 204);
}

Result<Reply> clear_sources(Simulator& simulator, const Request&) {
  simulator.sources().clear();
  return reply_of("", 204);
}

Reply clock_of(Simulator& simulator, Duration passed, std::string_view end = {}) {
  Writer out;
  out.begin_object().field("now", simulator.engine().now());
  out.field("passed_ms", passed.milliseconds);
  if (!end.empty()) out.field("end", end);
  out.end_object();
  return reply_of(std::move(out).take());
}

std::string_view to_string(Simulator::RunEnd end) {
  switch (end) {
    case Simulator::RunEnd::ended: return "ended";
    case Simulator::RunEnd::idle: return "idle";
    case Simulator::RunEnd::late: return "late";
  }
  return "";
}

// {"until_ended": the id of a deployment request, "timeout": "2h"}.
Result<std::string_view> run_until_ended(Simulator& simulator, const Value& deployment,
                                         std::optional<Duration> timeout) {
  constexpr Duration usual{24 * 3'600'000};
  const auto id = deployment.is_text() ? parse_id(deployment.as_text()) : std::nullopt;
  if (!id) return invalid_member("until_ended", "must be the id of a deployment request, not " + shown(deployment));
  ORLOP_TRY(end, simulator.run_until_ended(*id, timeout.value_or(usual)));
  return to_string(end);
}

// {"until_idle": true, "timeout": "2h"}.
Result<std::string_view> run_until_idle(Simulator& simulator, const Value& given, std::optional<Duration> timeout) {
  if (!(given == Value(true))) return invalid_member("until_idle", "must be true, not " + shown(given));
  ORLOP_TRY(ran, simulator.run_until_idle(timeout));
  return to_string(ran.end);
}

Result<Reply> read_clock(Simulator& simulator, const Request&) { return clock_of(simulator, {}); }

Result<Reply> move_clock(Simulator& simulator, const Request& request) {
  ORLOP_TRY(given, parse_json(request.body, control_body_size_max));
  const Value* const advance = given.find("advance");
  const Value* const until_idle = given.find("until_idle");
  const Value* const until_ended = given.find("until_ended");
  const Value* const timeout = advance != nullptr ? nullptr : given.find("timeout");
  const int asked = (advance != nullptr ? 1 : 0) + (until_idle != nullptr ? 1 : 0) + (until_ended != nullptr ? 1 : 0);
  if (asked != 1 || given.members().size() != (timeout == nullptr ? 1U : 2U)) {
    return invalid(
        "the body must be {\"advance\": \"2h\"}, {\"until_idle\": true} or {\"until_ended\": id of a deployment "
        "request}, the last two with a \"timeout\" such as \"2h\" or without, not " +
        shown(given));
  }
  const Instant before = simulator.engine().now();
  std::string_view end;
  std::optional<Duration> longest;
  if (timeout != nullptr) {
    ORLOP_TRY(duration, read_duration(*timeout, "timeout"));
    longest = duration;
  }
  if (advance != nullptr) {
    ORLOP_TRY(duration, read_duration(*advance, "advance"));
    ORLOP_CHECK(simulator.advance(duration));
  } else if (until_ended != nullptr) {
    ORLOP_TRY(found, run_until_ended(simulator, *until_ended, longest));
    end = found;
  } else {
    ORLOP_TRY(found, run_until_idle(simulator, *until_idle, longest));
    end = found;
  }
  return clock_of(simulator, simulator.engine().now() - before, end);
}

Result<Reply> set_state(Simulator& simulator, const Request& request) {
  ORLOP_TRY(given, parse_json(request.body, control_body_size_max));
  if (!given.is_object()) return invalid("the body must be an object, not " + shown(given));
  constexpr std::string_view names[] = {"resource", "state", "hold", "for"};
  for (const Member& member : given.members()) {
    if (std::ranges::find(names, member.name.view()) != std::end(names)) continue;
    return invalid_member(std::string(beginning(member.name.view(), 64)),
                          "is not a member; allowed: resource, state, hold and for");
  }
  const Value* const resource = given.find("resource");
  const auto id = resource != nullptr && resource->is_text() ? parse_id(resource->as_text()) : std::nullopt;
  if (!id)
    return invalid_member("resource",
                          "must be the id of a service, cluster, task, environment or deployment request, not " +
                              (resource == nullptr ? "left out" : shown(*resource)));
  const Value* const state = given.find("state");
  const Value* const hold = given.find("hold");
  const Value* const lasts = given.find("for");
  if (hold != nullptr && (state != nullptr || !(*hold == Value(true))))
    return invalid_member("hold", "must be true, and left out where state is given, not " + shown(*hold));
  if (lasts != nullptr && state == nullptr && hold == nullptr)
    return invalid_member("for", "must be left out where neither state nor hold is given, not " + shown(*lasts));
  std::optional<Duration> duration;
  if (lasts != nullptr) {
    ORLOP_TRY(read, read_duration(*lasts, "for"));
    duration = read;
  }
  if (state != nullptr) {
    if (!state->is_text())
      return invalid_member("state", "must be the name of a state such as DEPLOYED, not " + shown(*state));
    ORLOP_CHECK(simulator.set_state(*id, state->as_text(), duration));
  } else {
    ORLOP_CHECK(hold != nullptr ? simulator.hold(*id, duration) : simulator.release(*id));
  }
  return reply_of("", 204);
}

Result<Reply> read_record(Simulator& simulator, const Request&) {
  Writer out;
  out.begin_object().field("record", to_string(simulator.recorded())).end_object();
  return reply_of(std::move(out).take());
}

Result<Reply> set_record(Simulator& simulator, const Request& request) {
  ORLOP_TRY(given, parse_json(request.body, control_body_size_max));
  const Value* const record = given.find("record");
  const auto recorded = record != nullptr && record->is_text() && given.members().size() == 1
                            ? recorded_of(record->as_text())
                            : std::nullopt;
  if (!recorded) return invalid("the body must be {\"record\": \"all\"}, \"states\" or \"none\", not " + shown(given));
  simulator.record(*recorded);
  return reply_of("", 204);
}

Result<Reply> read_capacity(Simulator& simulator, const Request&) {
  Writer out;
  simulator.capacities().write(out, false);
  return reply_of(std::move(out).take());
}

Result<Reply> set_capacity(Simulator& simulator, const Request& request) {
  ORLOP_TRY(given, parse_json(request.body, control_body_size_max));
  ORLOP_CHECK(simulator.set_capacity(given));
  return reply_of("", 204);
}

Result<Reply> clear_capacity(Simulator& simulator, const Request&) {
  ORLOP_CHECK(simulator.clear_capacity());
  return reply_of("", 204);
}

Result<Reply> read_snapshot(Simulator& simulator, const Request&) {
  ORLOP_TRY(snapshot, simulator.snapshot());
  return reply_of(std::move(snapshot), 200, "application/jsonl");
}

Result<Reply> write_snapshot(Simulator& simulator, const Request& request) {
  ORLOP_CHECK(simulator.load(request.body));
  return reply_of("", 204);
}

Result<Reply> read_description(Simulator&, const Request&) { return reply_of(control_description()); }

struct ControlOperation {
  std::string_view path;  // below the prefix
  std::string_view method;
  Result<Reply> (*answer)(Simulator& simulator, const Request& request);
};

constexpr ControlOperation control_operations[] = {
    {"/rules", "GET", read_rules},
    {"/rules", "POST", add_rules},
    {"/rules", "PUT", replace_rules},
    {"/rules", "DELETE", clear_rules},
    {"/faults", "GET", read_faults},
    {"/faults", "POST", add_faults},
    {"/faults", "DELETE", clear_faults},
    {"/externals", "GET", read_externals},
    {"/externals", "POST", add_externals},
    {"/externals", "DELETE", clear_externals},
    {"/domains", "GET", read_domains},
    {"/domains", "POST", add_domains},
    {"/domains", "DELETE", clear_domains},
    {"/sources", "GET", read_sources},
    {"/sources", "POST", add_sources},
    {"/sources", "DELETE", clear_sources},
    {"/clock", "GET", read_clock},
    {"/clock", "POST", move_clock},
    {"/state", "POST", set_state},
    {"/snapshot", "GET", read_snapshot},
    {"/record", "GET", read_record},
    {"/record", "POST", set_record},
    {"/capacity", "GET", read_capacity},
    {"/capacity", "POST", set_capacity},
    {"/capacity", "DELETE", clear_capacity},
    {"/snapshot", "PUT", write_snapshot},
    {"/openapi.json", "GET", read_description},
};

std::string_view path_of(const Request& request) { return request.path.substr(0, request.path.find('?')); }

Result<Reply> answer(Simulator& simulator, const Request& request) {
  const std::string_view path = path_of(request).substr(prefix.size());
  std::string allowed;
  for (const ControlOperation& operation : control_operations) {
    if (operation.path != path) continue;
    if (operation.method == request.method) {
      ORLOP_CHECK(refuse_names(request, path_of(request)));
      return operation.answer(simulator, request);
    }
    allowed += (allowed.empty() ? "" : ", ") + std::string(operation.method);
  }
  if (allowed.empty())
    return make_error(ErrorCode::not_found,
                      "a simulation is controlled at /-/sim/rules, /-/sim/faults, /-/sim/externals, /-/sim/domains, "
                      "/-/sim/sources, /-/sim/clock, /-/sim/state, /-/sim/capacity, /-/sim/record and /-/sim/snapshot "
                      "only, as /-/sim/openapi.json says");
  Reply refusal = refusal_of(make_error(ErrorCode::method_not_allowed, "this path answers " + allowed + " only, not " +
                                                                           std::string(beginning(request.method, 64))));
  refusal.headers.emplace_back("allow", allowed);
  return refusal;
}

bool is_refusal(ErrorCode code) { return static_cast<int>(code) < 100; }

}  // namespace

bool is_control_path(std::string_view path) {
  return path.starts_with(prefix) &&
         (path.size() == prefix.size() || path[prefix.size()] == '/' || path[prefix.size()] == '?');
}

Result<Reply> control(Simulator& simulator, const Request& request) {
  ORLOP_TRY(refused, simulator.engine().authenticate(request));
  if (refused) return std::move(*refused);
  auto reply = answer(simulator, request);
  if (!reply && is_refusal(reply.error().code)) return refusal_of(reply.error());
  return reply;
}

}  // namespace orlop
