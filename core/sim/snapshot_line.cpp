// The last line of the snapshot of a simulation: {"simulation": …}, its state outside of the store.
#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/text/utf8.h"
#include "sim/invalid_member.h"
#include "sim/simulator.h"
#include "wire/json.h"
#include "wire/writer.h"

namespace orlop {
namespace {

constexpr std::string_view mark = "\n{\"simulation\":";
constexpr std::string_view promise = ",\"simulation\":true";

template <typename Part>
void write_part(Writer& out, std::string_view name, const Part& part) {
  if (part.is_empty()) return;
  out.key(name);
  part.write(out);
}

void write_receivers(Writer& out, const std::vector<ScriptedAnswer>& receivers) {
  out.key("receivers").begin_list();
  for (const ScriptedAnswer& each : receivers) {
    out.begin_object()
        .field("url", each.url)
        .field("status", static_cast<std::int64_t>(each.status))
        .field("text", each.text)
        .field("times", static_cast<std::int64_t>(each.times))
        .end_object();
  }
  out.end_list();
}

std::vector<ScriptedAnswer> read_receivers(const Value& given) {
  std::vector<ScriptedAnswer> receivers;
  if (!given.is_list()) return receivers;
  for (const Value& item : given.items()) {
    receivers.push_back(
        {std::string(item.text_or("url", "*")),
         static_cast<std::uint16_t>(std::clamp<std::int64_t>(item.integer_or("status", 200), 0, 599)),
         std::string(item.text_or("text", "")),
         static_cast<std::uint32_t>(std::clamp<std::int64_t>(item.integer_or("times", 0), 0, UINT32_MAX))});
  }
  return receivers;
}

// Types of members that are left out if they are empty, in parts whose readers ignore values of other types. Paths have
// no positions in lists.
constexpr std::pair<std::string_view, Value::Type> line_types[] = {
    {"timers", Value::Type::list},
    {"receivers", Value::Type::list},
    {"capacity", Value::Type::object},
    {"capacity.clusters", Value::Type::list},
    {"driver", Value::Type::object},
    {"driver.steps", Value::Type::list},
    {"driver.awaited", Value::Type::list},
    {"driver.steps.rule", Value::Type::object},
    {"driver.steps.reports", Value::Type::list},
    {"driver.steps.withheld", Value::Type::list},
    {"driver.steps.rule.reports", Value::Type::list},
    {"driver.steps.waits", Value::Type::boolean},
    {"driver.steps.is_held", Value::Type::boolean},
    {"driver.steps.is_contact_lost", Value::Type::boolean},
    {"driver.steps.is_canceled", Value::Type::boolean},
    {"driver.steps.is_cancel_held", Value::Type::boolean},
    {"driver.steps.has_ended", Value::Type::boolean},
    {"driver.steps.reports.text", Value::Type::text},
    {"driver.steps.withheld.text", Value::Type::text},
    {"driver.steps.rule.reports.text", Value::Type::text},
    {"driver.steps.rule.reason", Value::Type::text},
    {"driver.steps.rule.outputs", Value::Type::text},
    {"driver.steps.rule.title", Value::Type::text},
};

// Returns nullopt if the reader itself refuses other types.
std::optional<Value::Type> line_type_at(std::string_view path) {
  std::string plain;
  bool is_place = false;
  for (const char letter : path) {
    is_place = letter == '[' || (is_place && letter != ']');
    if (!is_place && letter != ']') plain.push_back(letter);
  }
  const auto* const known = std::ranges::find(line_types, plain, &std::pair<std::string_view, Value::Type>::first);
  if (known != std::end(line_types)) return known->second;
  if (plain.starts_with("driver.")) return Value::Type::integer;
  if (plain.starts_with("capacity.clusters.")) return Value::Type::text;  // ids and instants
  return std::nullopt;
}

// Reports whether the value equals a member that is left out.
bool is_nothing(const Value& value) {
  if (value.is_object())
    return std::ranges::all_of(value.members(), [](const Member& member) { return is_nothing(member.value); });
  if (value.is_list()) return value.items().empty();
  return value.is_null() || value == Value(false) || value == Value(std::int64_t{0}) || value == Value("");
}

Error not_taken(const std::string& name, const Value& member) {
  return invalid_member(name, "is not what a snapshot has there: " + shown(member));
}

std::string member_path(const std::string& path, const Member& member) {
  return (path.empty() ? "" : path + ".") + std::string(beginning(member.name.view(), 64));
}

// For is_nothing().
Result<void> check_types(const Value& given, const std::string& path) {
  const auto type = given.is_null() ? std::nullopt : line_type_at(path);
  if (type && *type != given.type()) return not_taken(path, given);
  if (!given.is_object()) return {};
  for (const Member& member : given.members()) ORLOP_CHECK(check_types(member.value, member_path(path, member)));
  return {};
}

// Refuses members that were not read as they are, such as a text in place of a number: they would be written
// differently now. Members that are left out have their defaults.
Result<void> check_taken(const Value& given, const Value& written, const std::string& path) {
  if (given == written) return {};
  if (given.is_object() && written.is_object()) {
    for (const Member& member : given.members()) {
      const std::string name = member_path(path, member);
      const Value* const taken = written.find(member.name.view());
      if (taken == nullptr && is_nothing(member.value)) {
        ORLOP_CHECK(check_types(member.value, name));
        continue;
      }
      const Value nothing = member.value.is_list()     ? Value::list()
                            : member.value.is_object() ? Value::object()
                                                       : Value();
      ORLOP_CHECK(check_taken(member.value, taken == nullptr ? nothing : *taken, name));
    }
    return {};
  }
  if (given.is_list() && written.is_list()) {
    for (std::size_t at = 0; at < given.items().size(); ++at) {
      const std::string name = path + "[" + std::to_string(at) + "]";
      if (at == written.items().size()) return not_taken(name, given.items()[at]);
      ORLOP_CHECK(check_taken(given.items()[at], written.items()[at], name));
    }
    return {};
  }
  return not_taken(path, given);
}

}  // namespace

// The header announces the line, so that a snapshot which was cut off is not read as one of a simulation without rules.
std::string Simulator::with_line(std::string snapshot, std::string_view line) {
  if (line.empty()) return snapshot;
  const std::size_t header_end = snapshot.find("}\n");
  snapshot.insert(std::min(header_end, snapshot.size()), promise);
  return snapshot.append(line);
}

// Restores the line {"simulation": …}, if there is one.
Result<void> Simulator::restore(std::string_view snapshot) {
  const std::size_t found = snapshot.rfind(mark);
  if (found == std::string_view::npos) return {};
  const std::string_view rest = snapshot.substr(found + 1);
  auto parsed = parse_stored(rest.substr(0, rest.find('\n')));
  Value* const given = parsed ? parsed->find("simulation") : nullptr;
  if (given == nullptr)
    return make_error(ErrorCode::invalid, "the line \"simulation\" of the snapshot is not a JSON object");
  if (!given->is_object()) return {};  // the engine refuses it, and names the line
  for (const std::string_view name : {"rules", "faults", "domains", "sources", "externals"}) {
    const Value* const part = given->find(name);
    if (part != nullptr && !part->is_object()) return not_taken(std::string(name), *part);
  }
  if (const Value* timers = given->find("timers"); timers != nullptr && timers->is_list()) {
    for (const Value& item : timers->items()) {
      const auto resource = parse_id(item.text_or("resource", ""));
      const auto at = parse_instant(item.text_or("at", ""));
      if (resource && at) timers_[*resource] = *at;
    }
  }
  if (const Value* faults = given->find("faults")) ORLOP_CHECK(faults_.add(*faults));
  if (const Value* domains = given->find("domains")) ORLOP_CHECK(domains_.restore(*domains));
  if (const Value* sources = given->find("sources")) ORLOP_CHECK(sources_.restore(*sources));
  if (const Value* capacity = given->find("capacity")) ORLOP_CHECK(capacities_.restore(*capacity));
  if (const Value* queued = given->find("queued")) ORLOP_CHECK(queue_.restore(*queued, clock_.now()));
  if (const Value* lifetimes = given->find("lifetimes")) ORLOP_CHECK(lifetimes_.restore(*lifetimes));
  if (const Value* externals = given->find("externals")) ORLOP_CHECK(external_systems_.restore_limits(*externals));
  if (const Value* receivers = given->find("receivers")) webhook_sender_.set_all(read_receivers(*receivers));
  if (const auto recorded = recorded_of(given->text_or("record", "all"))) recorded_ = *recorded;
  ids_restored_ =
      static_cast<std::uint32_t>(std::clamp<std::int64_t>(given->integer_or("ids_given", 0), 0, UINT32_MAX));
  if (options_.rules != nullptr) {
    const Value* const rules = given->find("rules");
    if (rules != nullptr) ORLOP_CHECK(options_.rules->replace(*rules, clock_.now()));
    if (const Value* driver = given->find("driver")) ORLOP_CHECK(options_.script->restore(*driver));
  } else {  // the driver is the host's
    given->erase("rules");
    given->erase("driver");
  }
  const auto written = parse_stored(line(ids_restored_));
  const Value* const taken = written ? written->find("simulation") : nullptr;
  return check_taken(*given, taken == nullptr ? Value::object() : *taken, "");
}

// Returns the last line of a snapshot; empty if it has no members.
std::string Simulator::line(std::uint32_t ids_given) const {
  const std::vector<ScriptedAnswer> receivers = webhook_sender_.all();
  const bool has_steps = options_.script != nullptr && !options_.script->is_empty();
  // With steps also without rules: rules that are added later are recognized by it.
  const bool has_rules = options_.rules != nullptr && (has_steps || !options_.rules->is_empty());
  if (!has_rules && !faults_.any() && domains_.is_empty() && sources_.is_empty() && !has_steps && timers_.empty() &&
      !capacities_.any() && queue_.is_empty() && lifetimes_.is_empty() && !external_systems_.has_limits() &&
      receivers.empty() && recorded_ == Recorded::all)
    return "";
  Writer out;
  out.begin_object().key("simulation").begin_object();
  if (has_rules) {
    out.key("rules");
    options_.rules->write(out, options_.script);
  }
  if (recorded_ != Recorded::all)
    out.field("record", to_string(recorded())).field("ids_given", static_cast<std::int64_t>(ids_given));
  if (has_steps) {
    out.key("driver");
    options_.script->write(out);
  }
  if (!timers_.empty()) {
    out.key("timers").begin_list();
    for (const auto& [resource, at] : timers_)
      out.begin_object().field("resource", resource).field("at", at).end_object();
    out.end_list();
  }
  if (faults_.any()) {
    out.key("faults");
    faults_.write(out);
  }
  write_part(out, "domains", domains_);
  write_part(out, "sources", sources_);
  if (capacities_.any()) {
    out.key("capacity");
    capacities_.write(out, true);
  }
  write_part(out, "queued", queue_);
  write_part(out, "lifetimes", lifetimes_);
  if (external_systems_.has_limits()) {
    out.key("externals");
    external_systems_.write_limits(out);
  }
  if (!receivers.empty()) write_receivers(out, receivers);
  out.end_object().end_object();
  return std::move(out).take() + '\n';
}

}  // namespace orlop
