#include "deploy/request/request_record.h"

#include <array>
#include <utility>

#include "wire/json.h"
#include "wire/member.h"
#include "wire/writer.h"

namespace orlop {
namespace {

constexpr std::array<Action, 4> actions = {Action::deploy, Action::restart, Action::stop, Action::remove};
constexpr std::array<std::pair<ForcedEvent, std::string_view>, 4> forced_values = {{
    {ForcedEvent::start, "START"}, {ForcedEvent::stop, "STOP"}, {ForcedEvent::remove, "DELETE"}, {ForcedEvent::cron, "CRON"}}};

Action parse_action_name(const Value& value) {
  if (value.boolean_or("uninstall", false)) return Action::uninstall;
  for (const Action action : actions) {
    if (to_string(action) == value.text_or("action", "")) return action;
  }
  return Action::none;
}

ForcedEvent parse_forced_event(std::string_view enum_value) {
  for (const auto& [event, name] : forced_values) {
    if (name == enum_value) return event;
  }
  return ForcedEvent::none;
}

std::optional<CancelMode> parse_cancel_mode(std::string_view enum_value) {
  if (enum_value == "FORCE") return CancelMode::force;
  if (enum_value == "INTERRUPTIBLE") return CancelMode::interruptible;
  return std::nullopt;
}

constexpr std::string_view stages_name = "stages";
constexpr std::string_view stages_mark = ",\"stages\":";

std::optional<Instant> instant_of(const Value& value, std::string_view name) {
  return parse_instant(value.text_or(name, ""));
}

Id id_of(const Value& value, std::string_view name) { return parse_id(value.text_or(name, "")).value_or(Id{}); }

std::vector<Id> ids_of(const Value& value, std::string_view name) {
  std::vector<Id> ids;
  const Value* list = value.find(name);
  if (list == nullptr) return ids;
  for (const Value& item : list->items()) ids.push_back(parse_id(item.as_text()).value_or(Id{}));
  return ids;
}

void write_ids(Writer& out, std::string_view name, const std::vector<Id>& ids) {
  out.key(name).begin_list();
  for (const Id& id : ids) out.value(id);
  out.end_list();
}

void write_selection(Writer& out, const RequestBody& body) {
  out.field("whole_environment", body.whole_environment);
  write_ids(out, "services", body.services);
  if (!body.following.empty()) write_ids(out, "following", body.following);
  if (!body.queuing.empty()) write_ids(out, "queuing", body.queuing);
  out.field("overrides", body.overrides);
}

void write_words(Writer& out, const RequestBody& body) {
  out.key("forced_event");
  if (body.forced == ForcedEvent::none) out.null();
  for (const auto& [event, name] : forced_values) {
    if (event == body.forced) out.value(name);
  }
  out.key("cancel");
  if (body.cancel) {
    out.value(*body.cancel == CancelMode::force ? "FORCE" : "INTERRUPTIBLE");
  } else {
    out.null();
  }
}

void write_instant(Writer& out, std::string_view name, const std::optional<Instant>& at) {
  if (at) {
    out.field(name, *at);
  } else {
    out.field_null(name);
  }
}

}  // namespace

std::string make_execution_id(const Id& id, Instant at) {
  return to_text(id) + "-" + std::to_string(at.milliseconds / 1000);
}

Result<RequestBody> parse_request(std::string_view text) {
  // The stages are the last member and most of the text, and are kept as text: what stands before them is all that is parsed.
  const std::string_view stages_text = raw_member(text, stages_name);
  const std::size_t head_size = stages_text.empty() ? 0 : static_cast<std::size_t>(stages_text.data() - text.data()) - stages_mark.size();
  const bool is_last = head_size != 0 && text.substr(head_size + stages_mark.size() + stages_text.size()) == "}" &&
                       text.substr(head_size, stages_mark.size()) == stages_mark;
  ORLOP_TRY(value, is_last ? parse_stored(std::string(text.substr(0, head_size)) + "}") : parse_stored(text));
  RequestBody body;
  body.id = id_of(value, "id");
  body.environment = id_of(value, "environment_id");
  body.created_at = instant_of(value, "created_at").value_or(Instant{});
  body.action = parse_action_name(value);
  body.origin = value.text_or("origin", "");
  body.triggered_by = value.text_or("triggered_by", "");
  body.execution_id = value.text_or("execution_id", "");
  body.whole_environment = value.boolean_or("whole_environment", false);
  body.services = ids_of(value, "services");
  body.following = ids_of(value, "following");
  body.queuing = ids_of(value, "queuing");
  if (const Value* overrides = value.find("overrides"); overrides != nullptr && overrides->is_object()) body.overrides = *overrides;
  body.forced = parse_forced_event(value.text_or("forced_event", ""));
  body.cancel = parse_cancel_mode(value.text_or("cancel", ""));
  body.started_at = instant_of(value, "started_at");
  body.ended_at = instant_of(value, "ended_at");
  body.status = parse_service_state(value.text_or("status", ""));
  body.reason = value.text_or("reason", "");
  if (const Value* planned = value.find("planned"); planned != nullptr && planned->is_list()) body.planned = *planned;
  if (is_last && stages_text != "null") body.stages = stages_text;
  if (const Value* stages = value.find("stages"); stages != nullptr && !stages->is_null()) body.stages = to_json(*stages);
  return body;
}

std::string to_json(const RequestBody& body) {
  Writer out;
  out.begin_object();
  out.field("id", body.id);
  out.field("environment_id", body.environment);
  out.field("created_at", body.created_at);
  out.field("action", to_string(body.action));
  out.field("uninstall", body.action == Action::uninstall);
  out.field("origin", body.origin);
  out.field("triggered_by", body.triggered_by);
  out.field("execution_id", body.execution_id);
  write_selection(out, body);
  write_words(out, body);
  write_instant(out, "started_at", body.started_at);
  write_instant(out, "ended_at", body.ended_at);
  out.key("status");
  if (body.status) {
    out.value(to_string(*body.status));
  } else {
    out.null();
  }
  if (!body.reason.empty()) out.field("reason", body.reason);
  if (!body.planned.items().empty()) out.field("planned", body.planned);
  if (body.stages.empty()) {
    out.field_null("stages");
  } else {
    out.field_raw("stages", body.stages);
  }
  out.end_object();
  return std::move(out).take();
}

}  // namespace orlop
