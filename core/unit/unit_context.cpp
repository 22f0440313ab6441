#include "unit/unit_context.h"

#include <array>

#include "lifecycle/state.h"
#include "model/registry.h"
#include "unit/agreed_time.h"
#include "unit/context_values.h"
#include "wire/json.h"
#include "wire/object_member.h"

namespace orlop {
namespace {

// `raw`: stored text of the member; mostly a string without escapes.
Result<void> add_member(Value& object, std::string_view name, std::string_view raw) {
  const bool is_plain = raw.size() >= 2 && raw.front() == '"' && raw.find('\\') == std::string_view::npos;
  if (is_plain) {
    object.add(Name::lasting(name), Value(raw.substr(1, raw.size() - 2)));
    return {};
  }
  ORLOP_TRY(value, parse_stored(raw));
  object.add(Name::lasting(name), std::move(value));
  return {};
}

}  // namespace

bool UnitContext::has_passed(Instant end) {
  const auto expiry = unit_.expiry();
  if (!expiry) note(expiry.error());
  return expiry && end <= expiry->agreed;
}

void UnitContext::note(Error error) {
  if (outcome_) outcome_ = std::move(error);
}

// A service that was never deployed, or was uninstalled, has no data on its cluster.
bool UnitContext::may_have_data() {
  const auto machine = unit_.machine(self_);
  if (!machine) {
    note(machine.error());
    return false;
  }
  if (!*machine || !is_service((*machine)->family)) return false;
  const bool is_new = static_cast<ServiceState>((*machine)->state) == ServiceState::ready;
  return !is_new || static_cast<Freshness>((*machine)->freshness) != Freshness::never_deployed;
}

bool UnitContext::is_json(std::string_view text) const { return parse_json(text).ok(); }

const Family* UnitContext::parent_family() {
  if (parent_.is_nil()) return nullptr;
  const auto record = unit_.record(parent_);
  if (!record) {
    note(record.error());
    return nullptr;
  }
  return !*record ? nullptr : find_family((*record)->family);
}

const Record* UnitContext::named(std::string_view family_name, const Id& id) {
  const Shared<Record>* known = named_.find(id);
  if (known == nullptr) {
    auto record = unit_.record(id);
    if (!record) {
      note(std::move(record).error());
      return nullptr;
    }
    if (*record && (*record)->organization != organization_) *record = {};
    known = &named_.add(id, std::move(*record));
  }
  if (!*known) return nullptr;
  const Family* family = find_family((*known)->family);
  const bool is_of_family =
      family != nullptr && (family->name == family_name || (family_name == "service" && is_service(*family)));
  return is_of_family ? &**known : nullptr;
}

const Value* UnitContext::find(std::string_view family_name, const Id& id) {
  if (const auto* const known = found_.find(id)) return known->get();
  const Record* record = named(family_name, id);
  if (record == nullptr) return nullptr;
  auto value = unit_.value_of(*record);
  if (!value) {
    note(std::move(value).error());
    return nullptr;
  }
  return found_.add(id, std::move(*value)).get();
}

Value UnitContext::members_of(std::string_view family_name, const Id& id, std::span<const std::string_view> names) {
  const Record* record = named(family_name, id);
  if (record == nullptr) return Value();
  constexpr std::size_t few = 8;
  std::array<std::string_view, few> texts;
  if (names.size() > few || !raw_members(record->body, names, std::span(texts).first(names.size())))
    return ValidationContext::members_of(family_name, id, names);
  Value held = Value::object();
  held.members().reserve(names.size());
  for (std::size_t at = 0; at < names.size(); ++at) {
    if (texts[at].empty()) continue;
    if (auto added = add_member(held, names[at], texts[at]); !added) {
      note(std::move(added).error());
      return Value();
    }
  }
  return held;
}

std::vector<Id> UnitContext::all(std::string_view family_name) {
  for (const auto& [name, ids] : lists_) {
    if (name == family_name) return ids;
  }
  const Family* family = find_family(family_name);
  std::vector<Id> ids;
  if (family == nullptr) return ids;
  RecordRange range;
  range.key = organization_;
  range.family = family->number;
  auto records = unit_.records(range);
  if (!records) {
    note(std::move(records).error());
    return ids;
  }
  for (const Record& record : *records) {
    if (!found_.contains(record.id)) {
      auto value = unit_.value_of(record);
      if (value) found_.add(record.id, std::move(*value));
    }
    ids.push_back(record.id);
  }
  lists_.emplace_back(family->name, ids);
  return ids;
}

std::size_t UnitContext::sibling_count() {
  if (siblings_) return *siblings_;
  RecordRange range;
  range.key = parent_;
  range.family = family_;
  range.fields = RecordRange::Fields::no_text;
  std::size_t count = 0;
  if (auto counted =
          unit_.visit(range, [&](const Record& record) { return count += record.id == self_ ? 0 : 1, true; });
      !counted)
    note(std::move(counted).error());
  siblings_ = count;
  return count;
}

const Value& UnitContext::value(ContextKey key) {
  static const Value nothing;
  for (const auto& [name, known] : values_) {
    if (name == key.name) return known;
  }
  auto value = context_value(unit_, organization_, key);
  if (!value) {
    note(std::move(value).error());
    return nothing;
  }
  return values_.emplace_front(key.name, std::move(*value)).second;
}

void UnitContext::turn_to(const Record& record) {
  self_ = record.id;
  family_ = record.family;
  parent_ = record.parent;
  previous_ = nullptr;
  siblings_.reset();
  if (organization_ == record.organization) return;
  organization_ = record.organization;
  named_.clear();
  found_.clear();
  lists_.clear();
  values_.clear();
}

}  // namespace orlop
