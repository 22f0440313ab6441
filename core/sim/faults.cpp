#include "sim/faults.h"

#include <algorithm>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "base/text/utf8.h"
#include "catalogs/nearest.h"
#include "deploy/driver/scripted_driver.h"
#include "rest/problem.h"
#include "rest/request.h"
#include "rest/route.h"
#include "sim/invalid_member.h"
#include "sim/rules/distribution.h"
#include "sim/rules/draws.h"
#include "wire/json.h"

namespace orlop {
namespace {

constexpr std::size_t faults_max = 10'000;
constexpr std::size_t operation_size_max = 256;  // bytes
constexpr std::string_view fault_members[] = {"status",    "latency",     "drop", "stale", "unknown_enum",
                                              "operation", "probability", "nth",  "times"};
constexpr std::size_t header_members = 5;  // the first ones

// The name must be that of an operation, or a pattern that matches one.
Result<void> check_operation(const std::string& name, const std::string& path) {
  std::vector<std::string_view> names;
  for (const Route& route : all_routes()) names.push_back(route.name);
  if (std::ranges::any_of(names, [&](std::string_view known) { return matches(name, known); })) return {};
  return invalid_member(path, "must be the id of an operation, or a pattern that matches one, not \"" + name + "\"" +
                                  nearest_hint(name, names));
}

Result<std::int64_t> read_whole(const Value& given, const std::string& path, std::int64_t least, std::int64_t most) {
  if (given.type() == Value::Type::integer && given.as_integer() >= least && given.as_integer() <= most)
    return given.as_integer();
  return invalid_member(path, "must be a whole number of " + std::to_string(least) + " to " + std::to_string(most) +
                                  ", not " + shown(given));
}

Result<void> read_member(Fault& fault, std::string_view name, const Value& given, const std::string& path) {
  if (name == "operation") {
    if (!given.is_text() || given.as_text().empty() || given.as_text().size() > operation_size_max) {
      return invalid_member(
          path, "must be the id of an operation such as create_container, or a pattern, not " + shown(given));
    }
    fault.operation = given.as_text();
    ORLOP_CHECK(check_operation(fault.operation, path));
  } else if (name == "status") {
    ORLOP_TRY(status, read_whole(given, path, 400, 599));
    fault.status = static_cast<std::uint16_t>(status);
  } else if (name == "latency") {
    ORLOP_TRY(latency, read_duration(given, path));
    fault.latency = latency;
  } else if (name == "drop") {
    if (given.type() != Value::Type::boolean) return invalid_member(path, "must be true or false, not " + shown(given));
    fault.drop = given.as_boolean();
  } else if (name == "stale") {
    ORLOP_TRY(stale, read_duration(given, path));
    fault.stale = stale;
  } else if (name == "unknown_enum") {
    if (!given.is_text() || given.as_text().empty() || given.as_text().size() > operation_size_max) {
      return invalid_member(path, "must be the name of a member such as state, or a pattern, not " + shown(given));
    }
    fault.unknown_enum = given.as_text();
  } else if (name == "probability") {
    const bool is_number = given.type() == Value::Type::integer || given.type() == Value::Type::number;
    if (!is_number || !(given.as_number() >= 0 && given.as_number() <= 1))
      return invalid_member(path, "must be a number of 0 to 1, not " + shown(given));
    fault.probability = given.as_number();
  } else {
    ORLOP_TRY(count, read_whole(given, path, name == "nth" ? 1 : 0, UINT32_MAX));
    (name == "nth" ? fault.nth : fault.times) = static_cast<std::uint32_t>(count);
  }
  return {};
}

Result<Fault> read_fault(Value given, const std::string& where,
                         std::span<const std::string_view> allowed = fault_members) {
  if (!given.is_object()) return invalid_member(where, "must be an object, not " + shown(given));
  Fault fault;
  fault.matched = static_cast<std::uint64_t>(std::max<std::int64_t>(given.integer_or("matched", 0), 0));
  fault.applied = static_cast<std::uint64_t>(std::max<std::int64_t>(given.integer_or("applied", 0), 0));
  given.erase("matched");
  given.erase("applied");
  for (const Member& member : given.members()) {
    const std::string path = where + "." + std::string(beginning(member.name.view(), 64));
    if (std::ranges::find(allowed, member.name.view()) == allowed.end())
      return invalid_member(path, "is not a member of a fault" + nearest_hint(member.name, allowed));
    ORLOP_CHECK(read_member(fault, member.name.view(), member.value, path));
  }
  if (fault.status == 0 && fault.latency.milliseconds == 0 && !fault.drop && fault.stale.milliseconds == 0 &&
      fault.unknown_enum.empty()) {
    return invalid_member(where, "must have a status, a latency, drop, stale or unknown_enum");
  }
  if (fault.status != 0 && fault.drop)
    return invalid_member(where + ".status", "must be left out where drop is true: the request is carried out, not " +
                                                 std::to_string(fault.status));
  fault.given = std::move(given);
  return fault;
}

// Empty for a request that no operation answers.
std::string_view operation_of(const Request& request) {
  const auto method = parse_method(request.method);
  const auto target = parse_target(request.path);
  if (!method || !target) return "";
  const Match found = match(*method, target->path);
  return found.route == nullptr ? std::string_view() : std::string_view(found.route->name);
}

double draw_unit(std::uint64_t seed, std::size_t fault, std::uint64_t matched) {
  Id id;
  for (std::size_t at = 0; at < 8; ++at) {
    id.bytes[at] = static_cast<std::uint8_t>((seed ^ (fault << 48)) >> (8 * at));
    id.bytes[at + 8] = static_cast<std::uint8_t>(matched >> (8 * at));
  }
  return Draws(id, Draws::Purpose::choice).unit();
}

}  // namespace

Result<void> Faults::add(const Value& given) {
  std::vector<Fault> added;
  if (const Value* list = given.find("faults"); list != nullptr && given.members().size() == 1) {
    if (!list->is_list()) return invalid_member("faults", "must be a list, not " + shown(*list));
    for (std::size_t at = 0; at < list->items().size(); ++at) {
      ORLOP_TRY(fault, read_fault(list->items()[at], "faults[" + std::to_string(at) + "]"));
      added.push_back(std::move(fault));
    }
  } else {
    ORLOP_TRY(fault, read_fault(given, "fault"));
    added.push_back(std::move(fault));
  }
  const std::lock_guard lock(mutex_);
  if (faults_.size() + added.size() > faults_max)
    return invalid_member("faults", "must be at most " + std::to_string(faults_max) + ", not " +
                                        std::to_string(faults_.size() + added.size()));
  for (Fault& fault : added) faults_.push_back(std::move(fault));
  any_ = !faults_.empty();
  return {};
}

void Faults::clear() {
  const std::lock_guard lock(mutex_);
  faults_.clear();
  any_ = false;
}

std::vector<Fault> Faults::all() const {
  const std::lock_guard lock(mutex_);
  return faults_;
}

void Faults::reseed(std::uint64_t seed) {
  const std::lock_guard lock(mutex_);
  seed_ = seed;
}

void Faults::set_all(std::vector<Fault> faults) {
  const std::lock_guard lock(mutex_);
  faults_ = std::move(faults);
  any_ = !faults_.empty();
}

void Faults::write(Writer& out) const {
  const std::lock_guard lock(mutex_);
  out.begin_object().key("faults").begin_list();
  for (const Fault& fault : faults_) {
    out.begin_object()
        .members_of(fault.given)
        .field("matched", fault.matched)
        .field("applied", fault.applied)
        .end_object();
  }
  out.end_list().end_object();
}

namespace {

bool is_fault_header(std::string_view name) {
  return std::ranges::equal(name, fault_header, [](char left, char right) {
    return (left >= 'A' && left <= 'Z' ? left + ('a' - 'A') : left) == right;
  });
}

}  // namespace

Result<std::optional<Fault>> Faults::next(const Request& request) {
  for (const auto& [name, value] : request.headers) {
    if (!is_fault_header(name)) continue;
    const auto given = parse_json(value);
    if (!given)
      return invalid("the header X-Orlop-Fault must be a JSON object like {\"status\":503}: " + given.error().message);
    ORLOP_TRY(fault, read_fault(*given, "X-Orlop-Fault",
                                std::span<const std::string_view>(fault_members).first(header_members)));
    fault.is_asked = true;
    return std::optional(std::move(fault));
  }
  if (!any_) return std::optional<Fault>();
  const std::string_view operation = operation_of(request);
  const std::lock_guard lock(mutex_);
  for (std::size_t at = faults_.size(); at-- > 0;) {
    Fault& fault = faults_[at];
    if ((fault.times != 0 && fault.applied == fault.times) || !matches(fault.operation, operation)) continue;
    ++fault.matched;
    if (fault.nth != 0 && fault.matched % fault.nth != 0) continue;
    if (fault.probability && draw_unit(seed_, at, fault.matched) >= *fault.probability) continue;
    ++fault.applied;
    return std::optional(fault);
  }
  return std::optional<Fault>();
}

Reply faulty_reply(std::uint16_t status) {
  const std::string_view message = status == dropped_status
                                       ? "a fault of the simulation dropped the answer"
                                       : "a fault of the simulation answers in the place of the engine";
  Writer out;
  out.begin_object()
      .field("status", static_cast<std::int64_t>(status))
      .field("error", reason_of(status))
      .field("message", message)
      .field("detail", message);
  if (status == 400)
    out.key("violations")
        .begin_list()
        .begin_object()
        .field("field", "")
        .field("reason", message)
        .end_object()
        .end_list();
  out.end_object();
  return {status, {{"content-type", "application/json"}}, std::move(out).take()};
}

}  // namespace orlop
