// Writes the members of a struct as members of a JSON object. Members with their default (nil, 0, false, "", empty) are
// omitted. The counterpart of member_reader.h.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/id.h"
#include "base/instant.h"
#include "model/registry.h"
#include "model/value.h"
#include "store/store.h"
#include "wire/json.h"
#include "wire/read_plain.h"
#include "wire/writer.h"

namespace orlop {

class MemberWriter {
 public:
  explicit MemberWriter(Writer& out) : out_(out) {}

  void id(std::string_view name, const Id& id) {
    if (!id.is_nil()) out_.field(name, id);
  }
  // Writes the family's name; the number if the family is unknown.
  void family(std::string_view name, FamilyNumber number) {
    if (const Family* family = find_family(number)) out_.field(name, family->name);
    else if (number != 0) out_.field(name, std::uint64_t{number});
  }
  template <typename Number>
  void number(std::string_view name, Number number) {
    if (number != Number{}) out_.field(name, static_cast<std::int64_t>(number));
  }
  void flag(std::string_view name, bool flag) {
    if (flag) out_.field(name, flag);
  }
  // Writes text; a number of milliseconds outside the years 0 to 9999.
  void instant(std::string_view name, Instant at) {
    if (at != Instant{}) write(name, at);
  }
  void instant(std::string_view name, std::optional<Instant> at) {
    if (at) write(name, *at);
  }
  void phases(std::string_view name, const PhaseTimings& phases) {
    if (phases.empty()) return;
    out_.key(name).begin_list();
    for (const PhaseTiming& timing : phases) {
      out_.begin_object().field("phase", std::int64_t{timing.phase()}).field("status", std::int64_t{timing.status()});
      out_.field("spent_ms", timing.spent().milliseconds).end_object();
    }
    out_.end_list();
  }
  void ids(std::string_view name, const std::vector<Id>& ids) {
    if (ids.empty()) return;
    out_.key(name).begin_list();
    for (const Id& id : ids) out_.value(id);
    out_.end_list();
  }
  void value(std::string_view name, const Value& value) {
    const bool is_empty =
        value.is_null() || (value.is_list() && value.items().empty()) || (value.is_object() && value.members().empty());
    if (!is_empty) out_.field(name, value);
  }
  void text(std::string_view name, std::string_view text) {
    if (!text.empty()) out_.field(name, text);
  }
  // Writes the JSON unchanged; on one line if it was edited by hand.
  void json(std::string_view name, const std::string& json) {
    if (json.empty()) return;
    if (!is_stored_object(json)) is_broken_ = true;
    else if (json.find('\n') != std::string::npos || json.find('\r') != std::string::npos)
      out_.field(name, *parse_stored(json));
    else out_.field_raw(name, json);
  }
  bool is_broken() const { return is_broken_; }

 private:
  void write(std::string_view name, Instant at) {
    static const Instant first = *parse_instant("0000-01-01T00:00:00.000Z");
    static const Instant last = *parse_instant("9999-12-31T23:59:59.999Z");
    if (first <= at && at <= last) out_.field(name, at);
    else out_.field(name, at.milliseconds);
  }

  Writer& out_;
  bool is_broken_ = false;
};

}  // namespace orlop
