#include "deploy/request/request_record.h"

#include <array>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "ops/members/member_reader.h"
#include "ops/members/member_writer.h"
#include "wire/json.h"
#include "wire/member.h"
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

// An enumeration as the text of its value.
template <typename Act, typename Given, std::size_t count>
void visit_enumeration(Act& act, std::string_view name, Given& given, const std::array<std::remove_const_t<Given>, count>& values) {
  std::string text(name_of(given));
  act.text(name, text);
  if constexpr (!std::is_const_v<Given>) {
    for (const Given& value : values) {
      if (name_of(value) == text) given = value;
    }
  }
}

// The action by its name, and an uninstall, which has that of a deletion, by a member of its own.
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

// The members in the order of the fields of family deployment, but for the last, the stages.
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
  act.ids("queuing", body.queuing);
  act.value("overrides", body.overrides);
  visit_enumeration(act, "forced_event", body.forced, forced);
  visit_enumeration(act, "cancel", body.cancel, modes);
  act.instant("started_at", body.started_at);
  act.instant("ended_at", body.ended_at);
  visit_status(act, body.status);
  act.text("reason", body.reason);
  act.value("planned", body.planned);
}

constexpr std::string_view stages_name = "stages";
constexpr std::string_view stages_mark = ",\"stages\":";
constexpr std::string_view queuing_name = "queuing";

// The ids of a list of at least one, as Writer writes it; nothing for any other text.
std::optional<std::vector<Id>> plain_ids(std::string_view list) {
  constexpr std::size_t digits = 36;
  constexpr std::size_t item = digits + 3;  // two quotes, and a comma or the end of the list
  if (list.size() <= item || list.size() % item != 1 || list.front() != '[') return std::nullopt;
  std::vector<Id> ids;
  ids.reserve(list.size() / item);
  for (list.remove_prefix(1); !list.empty(); list.remove_prefix(item)) {
    const bool is_item = list.front() == '"' && list[digits + 1] == '"' && list[digits + 2] == (list.size() == item ? ']' : ',');
    const std::optional<Id> id = is_item ? parse_id(list.substr(1, digits)) : std::nullopt;
    if (!id) return std::nullopt;
    ids.push_back(*id);
  }
  return ids;
}

}  // namespace

std::string make_execution_id(const Id& id, Instant at) {
  return to_text(id) + "-" + std::to_string(at.milliseconds / 1000);
}

Result<RequestBody> parse_request(std::string_view text) {
  // The stages are the last member and most of the text, and are kept as text: what stands before them is all that is parsed. The services that are still to be queued
  // are most of what stands there, and each of many commits reads them: their ids are read without a value for each.
  std::array<std::string_view, 2> texts;
  if (!raw_members(text, std::array{queuing_name, stages_name}, texts)) texts = {};
  const auto [queuing_text, stages_text] = texts;
  const std::size_t head_size = stages_text.empty() ? 0 : static_cast<std::size_t>(stages_text.data() - text.data()) - stages_mark.size();
  const bool is_last = head_size != 0 && text.substr(head_size + stages_mark.size() + stages_text.size()) == "}" &&
                       text.substr(head_size, stages_mark.size()) == stages_mark;
  std::string head(is_last ? text.substr(0, head_size) : text);
  if (is_last) head += '}';
  std::optional<std::vector<Id>> queuing = plain_ids(queuing_text);
  if (queuing) head.replace(static_cast<std::size_t>(queuing_text.data() - text.data()), queuing_text.size(), "[]");
  ORLOP_TRY(value, parse_stored(head));
  RequestBody body;
  MemberReader members(value, {});
  visit_members(body, members);
  if (queuing) body.queuing = std::move(*queuing);
  if (!body.overrides.is_object()) body.overrides = Value::object();
  if (!body.planned.is_list()) body.planned = Value::list();
  if (is_last && stages_text != "null") body.stages = stages_text;
  if (const Value* stages = value.find(stages_name); stages != nullptr && !stages->is_null()) body.stages = to_json(*stages);
  return body;
}

std::string to_json(const RequestBody& body) {
  Writer out(body.stages.size() + 512);
  out.begin_object();
  MemberWriter members(out);
  visit_members(body, members);
  if (!body.stages.empty()) out.field_raw(stages_name, body.stages);
  out.end_object();
  return std::move(out).take();
}

}  // namespace orlop
