#include "records/create_many.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/text/utf8.h"
#include "model/registry.h"
#include "model/validate.h"
#include "records/path.h"
#include "records/record_pattern.h"
#include "records/verbs.h"
#include "records/write_record.h"
#include "unit/unique_name.h"
#include "unit/unit_context.h"

namespace orlop {
namespace {

constexpr std::size_t refused_name_size = 100;
constexpr std::size_t records_at_once = 256;  // so that the records fit into the processor's caches

// Reports whether the family's rules give the same result for every name.
bool has_rules_without_name(const Family& family) {
  return (family.machine == MachineKind::service || family.machine == MachineKind::environment ||
          family.ignores_name) &&
         family.propagates == Propagation::self;
}

// Reports whether JSON writes the name without escapes.
bool is_plain_name(std::string_view name) {
  return !name.empty() && std::ranges::all_of(name, [](char letter) {
    return letter >= 0x20 && letter < 0x7F && letter != '"' && letter != '\\';
  });
}

// Creates the records one after the other. If two records in a row differ only in ids and name, the others are made
// from this pattern, and only the checks that depend on the name run again.
class Creator {
 public:
  Creator(Unit& unit, const Family& family, const Id& parent, const Value& body, std::size_t count)
      : unit_(unit), family_(family), field_(*name_field(family)), parent_(parent), body_(body), left_(count) {
    is_tried_ = has_rules_without_name(family);
  }

  Result<Id> create(std::string_view name) {
    const Unit::Extent before = unit_.extent();
    const bool is_usual = is_plain_name(name);
    const bool is_repeated = is_usual && by_pattern_ > 0;
    --left_;
    if (by_pattern_ > 0) --by_pattern_;
    ORLOP_TRY(id, is_repeated ? repeat(name) : create_alone(name));
    // at least one record is left to make by the pattern
    const bool is_worth = left_ + static_cast<std::size_t>(learned_) >= 2;
    if (is_tried_ && is_usual && is_worth) ORLOP_CHECK(learn(before));
    unit_.end_request(before);
    return id;
  }

 private:
  Result<Id> create_alone(std::string_view name) {
    if (!is_utf8(name)) return refusal({{std::string(field_.name), "must be UTF-8"}});
    body_.set(field_.name, Value(name));
    ORLOP_TRY(record, create_record(unit_, family_, parent_, body_));
    return record.id;
  }

  // Two equal patterns in a row are the rule. The first record may create something that the second one finds; then the
  // second and third are compared.
  Result<void> learn(const Unit::Extent& before) {
    auto seen = RecordPattern::of(unit_, before);
    ++learned_;
    if (seen && seen == pattern_) {
      is_tried_ = false;
      ORLOP_TRY(room, room_for(left_));
      by_pattern_ = room;
      return {};
    }
    is_tried_ = learned_ == 1 || (seen && learned_ == 2);
    pattern_ = std::move(seen);
    return {};
  }

  // Returns how many of the `wanted` further records the hook `room` permits.
  Result<std::size_t> room_for(std::size_t wanted) {
    const auto fits = [&](std::size_t more) {
      const auto room = unit_.hooks().room;
      return room == nullptr ||
             room(unit_, family_, pattern_->record().organization, static_cast<std::int64_t>(more)).ok();
    };
    if (fits(wanted)) return wanted;
    std::size_t most = 0;
    for (std::size_t beyond = wanted; beyond - most > 1;) {
      const std::size_t middle = most + (beyond - most) / 2;
      (fits(middle) ? most : beyond) = middle;
    }
    return most;
  }

  Result<Id> repeat(std::string_view name) {
    const Record& record = pattern_->record();
    UnitContext context(unit_, record, nullptr);
    Violations violations;
    (void)make_member(field_, Value(name), std::string(field_.name), context, violations);
    if (!violations.empty()) return refusal(std::move(violations));
    std::string key = name_key(family_, record.parent, record.organization, name);
    ORLOP_CHECK(require_free_name(unit_, family_, key, name, record));
    return pattern_->put(unit_, name, std::move(key));
  }

  Unit& unit_;
  const Family& family_;
  const Field& field_;
  Id parent_;
  Value body_;
  std::size_t left_;
  bool is_tried_ = false;  // a pattern is possible
  int learned_ = 0;
  std::size_t by_pattern_ = 0;  // number of remaining records that the pattern makes
  std::optional<RecordPattern> pattern_;
};

Result<void> check_body(const Call& call) {
  if (!call.body->is_object())
    return refusal({{"", "the body must be an object, not " + std::string(describe(call.body->type()))}});
  if (call.body->find("name") != nullptr)
    return refusal({{"name", "is that of each of the names, and not a member of the body"}});
  if (call.is_trusted && call.body->has("id")) return refusal({{"id", "cannot be chosen for several resources"}});
  return {};
}

}  // namespace

bool creates_by_name(const Operation& operation, const Family& family) {
  const bool is_create = operation.handle == create || operation.handle == create_from_git;
  const Field* field = is_create ? name_field(family) : nullptr;
  return field != nullptr && field->name == "name" && field->is_required;
}

Result<Answer> create_many(Unit& unit, const Call& call) {
  ORLOP_CHECK(check_body(call));
  ORLOP_TRY(parent, parent_on_path(unit, call));
  const auto& names = *call.names;
  Creator creator(unit, *call.family, parent, *call.body, names.size());
  std::string ids;
  ids.reserve(names.size() * (id_text_size + 3) + 1);
  // Only for the host: permissions of other callers are checked at the end, on all changes of the unit.
  const bool is_host = call.caller->kind == Caller::Kind::host;
  for (std::size_t at = 0; at < names.size(); ++at) {
    if (is_host && at != 0 && at % records_at_once == 0) ORLOP_CHECK(unit.flush());
    auto made = creator.create(names[at]);
    if (!made) {
      Error error = std::move(made).error();
      error.message =
          "names[" + std::to_string(at) + "] \"" + bounded_text(names[at], refused_name_size) + "\": " + error.message;
      return error;
    }
    ids.append(ids.empty() ? "[\"" : ",\"");
    append_text(ids, *made);
    ids.push_back('"');
  }
  ids.push_back(']');
  return Answer{.status = call.family->create_status, .body = std::move(ids)};
}

}  // namespace orlop
