#include "endpoints/lookups/parts/change_log.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lifecycle/state.h"
#include "unit/unique_name.h"
#include "unit/unit.h"
#include "wire/json.h"

namespace orlop {
namespace {

constexpr std::size_t log_lines_max = 1000;

bool is_log_line(const Event& event) {
  return event.kind == EventKind::state_changed || event.kind == EventKind::progress ||
         event.kind == EventKind::log_line;
}

bool begins_change(const Event& event) {
  const bool changes_state = event.kind == EventKind::state_changed;
  return changes_state && !is_transient(static_cast<ClusterState>(event.from)) &&
         is_transient(static_cast<ClusterState>(event.to));
}

// Names the state as the interface names steps of clusters.
std::string_view step_in(ClusterState state) {
  const bool is_under_way = is_transient(state), has_failed = is_error(state);
  switch (action_of(state)) {
    case Action::deploy:
    case Action::restart:
    case Action::upgrade: return has_failed ? "CreateError" : is_under_way ? "Create" : "Created";
    case Action::dry_run: return "ValidateSystemRequirements";
    case Action::stop: return has_failed ? "PauseError" : is_under_way ? "Pause" : "Paused";
    case Action::remove:
    case Action::uninstall: return has_failed ? "DeleteError" : is_under_way ? "Delete" : "Deleted";
    case Action::none: break;
  }
  return "Unknown";
}

std::string text_of_line(const Event& event, const std::string& name) {
  const bool enters_state = event.kind == EventKind::state_changed;
  const auto detail = event.detail.empty() ? Result<Value>(Value()) : parse_stored(event.detail.text());
  const std::string said(detail ? detail->text_or(enters_state ? "reason" : "text", "") : std::string_view());
  if (!enters_state) return said;
  const std::string text = name + " is " + std::string(to_string(static_cast<ClusterState>(event.to)));
  return said.empty() ? text : text + ": " + said;
}

Value line_of(const Event& event, ClusterState state, const std::string& name) {
  const bool is_failure = event.kind == EventKind::state_changed && is_error(state);
  std::string text = text_of_line(event, name);
  Value line = Value::object();
  line.set("type", Value(is_failure ? "error" : "info"));
  line.set("timestamp", Value(to_text(event.at)));
  line.set("step", Value(step_in(state)));
  if (is_failure)
    line.set("error", Value(Value::Object{{"tag", Value(to_string(state))}, {"user_log_message", Value(text)}}));
  line.set("message", Value(Value::Object{{"safe_message", Value(std::move(text))}}));
  return line;
}

}  // namespace

Result<Value> log_of_last_change(Unit& unit, const Record& cluster) {
  std::vector<Event> events;
  EventRange range;
  range.subject = cluster.id;
  range.order = EventRange::Order::newest_first;
  bool is_whole = false;
  ORLOP_CHECK(unit.stored().events(range, [&](const Event& event) {
    if (is_log_line(event)) events.push_back(event);
    is_whole = begins_change(event);
    return !is_whole && events.size() < log_lines_max;
  }));
  std::ranges::reverse(events);
  // Lines of the driver before the first state change belong to the state that it left.
  ClusterState state = ClusterState::deploying;
  const auto first = std::ranges::find(events, EventKind::state_changed, &Event::kind);
  if (!is_whole && first != events.end()) state = static_cast<ClusterState>(first->from);
  const std::string name = name_of(cluster);
  Value lines = Value::list();
  for (const Event& event : events) {
    if (event.kind == EventKind::state_changed) state = static_cast<ClusterState>(event.to);
    lines.append(line_of(event, state, name));
  }
  return lines;
}

}  // namespace orlop
