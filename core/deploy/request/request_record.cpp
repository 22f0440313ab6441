#include "deploy/request/request_record.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
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

// The members in the order of the fields of family deployment, but for the last two, which are kept as text.
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

constexpr std::string_view stages_name = "stages";
constexpr std::string_view stages_mark = ",\"stages\":";

constexpr std::string_view planned_name = "planned";
constexpr std::string_view planned_entry = R"({"id":)";  // how each begins; in a JSON string the quotes would be escaped

// Lists of ids, which may be long; `queuing` is the last of them.
constexpr std::array lists = {&RequestBody::services, &RequestBody::following, &RequestBody::queuing};

// The members that are not parsed with the others, in the order in which they stand: the lists, `planned`, the stages.
constexpr std::array<std::string_view, 5> long_names = {"services", "following", "queuing", planned_name, stages_name};
constexpr std::size_t planned_place = 3;
constexpr std::size_t stages_place = 4;
using LongTexts = std::array<std::string_view, long_names.size()>;

// A list of at least one id as Writer writes it, where every item needs the same space; nothing for any other text.
std::optional<std::vector<Id>> plain_ids(std::string_view list) {
  constexpr std::size_t digits = 36;
  constexpr std::size_t item = digits + 3;  // two quotes, and a comma or the end of the list
  if (list.size() <= item || list.size() % item != 1 || list.front() != '[') return std::nullopt;
  std::vector<Id> ids;
  ids.reserve(list.size() / item);
  for (std::string_view rest = list.substr(1); !rest.empty(); rest.remove_prefix(item)) {
    const bool is_item = rest.front() == '"' && rest[digits + 1] == '"' && rest[digits + 2] == (rest.size() == item ? ']' : ',');
    const std::optional<Id> id = is_item ? parse_id(rest.substr(1, digits)) : std::nullopt;
    if (!id) return std::nullopt;
    ids.push_back(*id);
  }
  return ids;
}

}  // namespace

std::string make_execution_id(const Id& id, Instant at) {
  return to_text(id) + "-" + std::to_string(at.milliseconds / 1000);
}

namespace {

// The text without these parts, which stand one after the other; an empty list takes the place of each.
std::string without(std::string_view text, std::span<const std::string_view> parts) {
  std::string rest;
  const char* from = text.data();
  for (const std::string_view part : parts) {
    if (part.empty()) continue;
    rest.append(from, part.data()).append("[]");
    from = part.data() + part.size();
  }
  return rest.append(from, text.data() + text.size());
}

std::string text_of_list(const Value* list) {
  return list != nullptr && list->is_list() && !list->items().empty() ? to_json(*list) : std::string();
}

// All members, but the ids of the lists that have a text.
Result<RequestBody> parse_members(std::string_view text, const LongTexts& texts) {
  // The stages are the last member and most of the text: what stands before them is all that is parsed.
  const std::string_view stages = texts[stages_place];
  const std::size_t head_size = stages.empty() ? 0 : static_cast<std::size_t>(stages.data() - text.data()) - stages_mark.size();
  const bool is_last = head_size != 0 && text.substr(head_size + stages_mark.size() + stages.size()) == "}" &&
                       text.substr(head_size, stages_mark.size()) == stages_mark;
  std::string head = without(is_last ? text.substr(0, head_size) : text, std::span(texts).first(stages_place));
  if (is_last) head += '}';
  ORLOP_TRY(value, parse_stored(head));
  RequestBody body;
  MemberReader members(value, {});
  visit_members(body, members);
  if (!body.overrides.is_object()) body.overrides = Value::object();
  body.planned = texts[planned_place].empty() ? text_of_list(value.find(planned_name)) : std::string(texts[planned_place]);
  if (is_last && stages != "null") body.stages = stages;
  if (const Value* given = value.find(stages_name); given != nullptr && !given->is_null()) body.stages = to_json(*given);
  return body;
}

}  // namespace

void add_planned(RequestBody& body, std::string_view planned) {
  if (planned.empty()) return;
  if (body.planned.empty()) {
    body.planned = planned;
    return;
  }
  body.planned.back() = ',';  // in the place of the end of the list
  body.planned += planned.substr(1);
}

std::size_t planned_count(const RequestBody& body) {
  std::size_t count = 0;
  for (std::size_t at = body.planned.find(planned_entry); at != std::string::npos; at = body.planned.find(planned_entry, at + 1)) ++count;
  return count;
}

Result<RequestBody> parse_request(std::string_view text) {
  // The ids of long lists are read without a value for each. What is not as Writer writes it is parsed with the rest.
  LongTexts texts;
  if (!raw_members(text, long_names, texts)) texts = {};
  std::array<std::vector<Id>, lists.size()> ids;
  const char* behind = text.data();
  for (std::size_t at = 0; at < stages_place; ++at) {
    std::string_view& found = texts[at];
    bool is_plain = found.data() >= behind;
    if (at < lists.size()) {
      std::optional<std::vector<Id>> read = is_plain ? plain_ids(found) : std::nullopt;
      is_plain = read.has_value();
      if (is_plain) ids[at] = std::move(*read);
    } else {
      is_plain = is_plain && found.starts_with('[') && found != "[]";
    }
    if (!is_plain) found = {};
    else behind = found.data() + found.size();
  }
  ORLOP_TRY(body, parse_members(text, texts));
  for (std::size_t list = 0; list < lists.size(); ++list) {
    if (!texts[list].empty()) body.*lists[list] = std::move(ids[list]);
  }
  return std::move(body);
}

std::string to_json(const RequestBody& body) {
  Writer out(body.stages.size() + body.planned.size() + 512);
  out.begin_object();
  MemberWriter members(out);
  visit_members(body, members);
  if (!body.planned.empty()) out.field_raw(planned_name, body.planned);
  if (!body.stages.empty()) out.field_raw(stages_name, body.stages);
  out.end_object();
  return std::move(out).take();
}

}  // namespace orlop
