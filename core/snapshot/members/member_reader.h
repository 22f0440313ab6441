// Reads the members of a JSON object into a struct. The counterpart of member_writer.h: a function that names each
// member once, with `act` as reader or writer, serves both directions.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/id.h"
#include "base/instant.h"
#include "base/text/base64.h"
#include "base/text/utf8.h"
#include "model/registry.h"
#include "model/value.h"
#include "store/store.h"
#include "wire/object_member.h"
#include "wire/writer.h"

namespace orlop {

// Reads the members of one object; keeps the first error.
class MemberReader {
 public:
  // `raw`: text of the object.
  MemberReader(const Value& object, std::string_view raw) : object_(object), raw_(raw) {}

  void id(std::string_view name, Id& out) {
    const Value* given = take(name);
    if (given == nullptr) return;
    const auto parsed = given->is_text() ? parse_id(given->as_text()) : std::nullopt;
    if (!parsed || parsed->is_nil()) return expect(name, "a UUID");
    out = *parsed;
  }
  void family(std::string_view name, FamilyNumber& out) {
    const Value* given = object_.find(name);
    if (given == nullptr || !given->is_text()) return number(name, out);
    take(name);
    const Family* family = find_family(given->as_text());
    if (family == nullptr) return expect(name, "a family of this version, or its number");
    out = family->number;
  }
  template <typename Number>
  void number(std::string_view name, Number& out) {
    if constexpr (std::is_enum_v<Number>) {
      std::underlying_type_t<Number> plain{};
      number(name, plain);
      out = static_cast<Number>(plain);
    } else {
      const Value* given = take(name);
      if (given == nullptr) return;
      if (given->type() != Value::Type::integer || !std::in_range<Number>(given->as_integer()))
        return expect(name, "an integer in its bounds");
      out = static_cast<Number>(given->as_integer());
    }
  }
  void flag(std::string_view name, bool& out) {
    const Value* given = take(name);
    if (given == nullptr) return;
    if (given->type() != Value::Type::boolean) return expect(name, "true or false");
    out = given->as_boolean();
  }
  void instant(std::string_view name, Instant& out) {
    const Value* given = object_.find(name);
    if (given == nullptr || !given->is_text()) return number(name, out.milliseconds);
    take(name);
    const auto parsed = parse_instant(given->as_text());
    if (!parsed) return expect(name, "an instant");
    out = *parsed;
  }
  template <typename Optional>
  requires(std::same_as<Optional, OptionalInstant> ||
           std::same_as<Optional, std::optional<Instant>>) void instant(std::string_view name, Optional& out) {
    const Value* given = object_.find(name);
    if (given == nullptr || given->is_null()) return;
    Instant at;
    instant(name, at);
    out = at;
  }
  void phases(std::string_view name, PhaseTimings& out) {
    const Value* given = take(name);
    if (given == nullptr) return;
    if (!given->is_list()) return expect(name, "a list of phases");
    for (const Value& item : given->items()) {
      MemberReader members(item, {});
      std::int64_t phase = 0;
      std::int64_t status = 0;
      std::int64_t spent_ms = 0;
      if (item.is_object()) members.number("phase", phase);
      if (item.is_object()) members.number("status", status);
      if (item.is_object()) members.number("spent_ms", spent_ms);
      const auto timing = PhaseTiming::of(phase, status, spent_ms);
      const bool is_known = timing && phase >= 1 && phase <= phase_max && status >= 1 && status <= phase_status_max;
      if (!is_known || !members.reason().empty()) return expect(name, "a list of phases");
      out.push_back(*timing);
    }
  }
  void value(std::string_view name, Value& out) {
    if (const Value* given = take(name)) out = *given;
  }
  void text(std::string_view name, std::string& out) {
    const Value* given = take(name);
    if (given == nullptr) return;
    if (!given->is_text()) return expect(name, "text");
    out = given->as_text();
  }
  void bytes(std::string_view name, std::string& out) {
    text(name, out);
    const auto parsed = parse_base64(out);
    if (!parsed) return expect(name, "base64");
    out = *parsed;
  }
  void json(std::string_view name, std::string& out) {
    const Value* given = take(name);
    if (given == nullptr) return;
    if (!given->is_object()) return expect(name, "an object");
    const std::string_view as_written = raw_member(raw_, name);
    out = as_written.empty() ? to_json(*given) : std::string(as_written);
  }
  void ids(std::string_view name, std::vector<Id>& out) {
    const Value* given = take(name);
    if (given == nullptr) return;
    if (!given->is_list()) return expect(name, "a list of UUIDs");
    for (const Value& item : given->items()) {
      const auto parsed = item.is_text() ? parse_id(item.as_text()) : std::nullopt;
      if (!parsed) return expect(name, "a list of UUIDs");
      out.push_back(*parsed);
    }
  }
  void expect(std::string_view name, std::string_view what) {
    if (reason_.empty()) reason_.append(name).append(" must be ").append(what);
  }

  // Returns "" if every member was known and valid.
  const std::string& reason() {
    if (!reason_.empty() || taken_.size() == object_.members().size()) return reason_;
    for (const Member& member : object_.members()) {
      if (std::ranges::find(taken_, member.name) == taken_.end())
        reason_ = "\"" + std::string(beginning(member.name.view(), 64)) + "\" is not a member of it";
    }
    return reason_;
  }

 private:
  const Value* take(std::string_view name) {
    const Value* found = object_.find(name);
    if (found != nullptr) taken_.push_back(name);
    return found;
  }

  const Value& object_;
  std::string_view raw_;
  std::vector<std::string_view> taken_;
  std::string reason_;
};

}  // namespace orlop
