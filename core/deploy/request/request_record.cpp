#include "deploy/request/request_record.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "snapshot/members/member_reader.h"
#include "snapshot/members/member_writer.h"
#include "snapshot/members/written_members.h"
#include "wire/json.h"
#include "wire/writer.h"

namespace orlop {
namespace {

std::string_view name_of(ForcedEvent event) {
  switch (event) {
    case ForcedEvent::none: return "";
    case ForcedEvent::start: return "START";
    case ForcedEvent::stop: return "STOP";
    case ForcedEvent::remove: return "DELETE";
    case ForcedEvent::cron: return "CRON";
  }
  return "";
}

std::string_view name_of(std::optional<CancelMode> mode) {
  if (!mode) return "";
  return *mode == CancelMode::force ? "FORCE" : "INTERRUPTIBLE";
}

std::string_view name_of(std::optional<ServiceState> state) { return state ? to_string(*state) : ""; }

template <typename Act, typename Given, std::size_t count>
void visit_enumeration(Act& act, std::string_view name, Given& given,
                       const std::array<std::remove_const_t<Given>, count>& values) {
  std::string text(name_of(given));
  act.text(name, text);
  if constexpr (!std::is_const_v<Given>) {
    for (const Given& value : values) {
      if (name_of(value) == text) given = value;
    }
  }
}

// Visits the action by its name; an uninstall, which has the name of a deletion, also by the member `uninstall`.
template <typename Act, typename Given>
void visit_action(Act& act, Given& action) {
  constexpr std::array actions = {Action::deploy, Action::restart, Action::stop, Action::remove};
  std::string text(to_string(action));
  bool is_uninstall = action == Action::uninstall;
  act.text("action", text);
  act.flag("uninstall", is_uninstall);
  if constexpr (!std::is_const_v<Given>) {
    for (const Action value : actions) {
      if (to_string(value) == text) action = value;
    }
    if (is_uninstall) action = Action::uninstall;
  }
}

template <typename Act, typename Given>
void visit_status(Act& act, Given& status) {
  std::string text(name_of(status));
  act.text("status", text);
  if constexpr (!std::is_const_v<Given>) status = parse_service_state(text);
}

// Visits the members in the order of the fields of family deployment; `planned` and `stages` are kept as text.
template <typename Body, typename Act>
void visit_members(Body& body, Act& act) {
  constexpr std::array forced = {ForcedEvent::start, ForcedEvent::stop, ForcedEvent::remove, ForcedEvent::cron};
  constexpr std::array<std::optional<CancelMode>, 2> modes = {CancelMode::force, CancelMode::interruptible};
  act.id("id", body.id);
  act.id("environment_id", body.environment);
  act.instant("created_at", body.created_at);
  visit_action(act, body.action);
  act.text("origin", body.origin);
  act.text("triggered_by", body.triggered_by);
  act.text("execution_id", body.execution_id);
  act.flag("whole_environment", body.whole_environment);
  act.ids("services", body.services);
  act.ids("following", body.following);
  act.flag("has_rows", body.has_rows);
  act.flag("has_following_rows", body.has_following_rows);
  act.ids("queuing", body.queuing);
  act.value("overrides", body.overrides);
  visit_enumeration(act, "forced_event", body.forced, forced);
  visit_enumeration(act, "cancel", body.cancel, modes);
  act.instant("started_at", body.started_at);
  act.instant("ended_at", body.ended_at);
  visit_status(act, body.status);
  act.text("reason", body.reason);
}

constexpr std::string_view stages_member = "stages";
constexpr std::string_view planned_member = "planned";
// Beginning of each entry; inside a JSON string the quotes would be escaped.
constexpr std::string_view planned_entry = R"({"id":)";

}  // namespace

std::string make_execution_id(const Id& id, Instant at) {
  return to_text(id) + "-" + std::to_string(at.milliseconds / 1000);
}

namespace {

std::string text_of_list(const Value* list) {
  return list != nullptr && list->is_list() ? to_json(*list) : std::string();
}

// Parses a record that was edited by hand.
Result<RequestBody> parse_other(std::string_view text) {
  ORLOP_TRY(value, parse_stored(text));
  RequestBody body;
  MemberReader members(value, {});
  visit_members(body, members);
  if (!body.overrides.is_object()) body.overrides = Value::object();
  body.planned = text_of_list(value.find(planned_member));
  body.stages = text_of_list(value.find(stages_member));
  return body;
}

}  // namespace

void add_planned(RequestBody& body, std::string_view planned) {
  if (planned.empty()) return;
  if (body.planned.empty()) {
    body.planned = planned;
    return;
  }
  body.planned.back() = ',';  // replaces the end of the list
  body.planned += planned.substr(1);
}

std::size_t planned_count(const RequestBody& body) {
  std::size_t count = 0;
  for (std::size_t at = body.planned.find(planned_entry); at != std::string::npos;
       at = body.planned.find(planned_entry, at + 1))
    ++count;
  return count;
}

Result<RequestBody> parse_request(std::string_view text) {
  RequestBody body;
  WrittenMembers members(text);
  visit_members(body, members);
  members.list(planned_member, body.planned);
  members.list(stages_member, body.stages);
  if (!members.is_whole() || !body.overrides.is_object()) {
    ORLOP_TRY(other, parse_other(text));
    body = std::move(other);
  }
  if (body.planned == "[]") body.planned.clear();
  return body;
}

std::string to_json(const RequestBody& body) {
  Writer out(body.stages.size() + body.planned.size() + 512);
  out.begin_object();
  MemberWriter members(out);
  visit_members(body, members);
  if (!body.planned.empty()) out.field_raw(planned_member, body.planned);
  if (!body.stages.empty()) out.field_raw(stages_member, body.stages);
  out.end_object();
  return std::move(out).take();
}

}  // namespace orlop
