#include "ops/unit/unit_context.h"

#include "model/registry.h"
#include "ops/unit/context_values.h"
#include "wire/json.h"

namespace orlop {

void UnitContext::note(Error error) {
  if (outcome_) outcome_ = std::move(error);
}

const Family* UnitContext::parent_family() {
  if (parent_.is_nil()) return nullptr;
  auto record = unit_.record(parent_);
  if (!record) {
    note(std::move(record).error());
    return nullptr;
  }
  return *record ? find_family((*record)->family) : nullptr;
}

const Value* UnitContext::find(std::string_view family_name, const Id& id) {
  if (const auto known = found_.find(id); known != found_.end()) return known->second.get();
  auto record = unit_.record(id);
  if (!record) {
    note(std::move(record).error());
    return nullptr;
  }
  if (!*record || (*record)->organization != organization_) return nullptr;
  const Family* family = find_family((*record)->family);
  if (family == nullptr || (family->name != family_name && !(family_name == "service" && is_service(*family)))) return nullptr;
  auto value = unit_.value_of(**record);
  if (!value) {
    note(std::move(value).error());
    return nullptr;
  }
  return found_.emplace(id, std::move(*value)).first->second.get();
}

std::vector<Id> UnitContext::all(std::string_view family_name) {
  if (const auto known = lists_.find(family_name); known != lists_.end()) return known->second;
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
      if (value) found_.emplace(record.id, std::move(*value));
    }
    ids.push_back(record.id);
  }
  lists_.emplace(family->name, ids);
  return ids;
}

const Value& UnitContext::value(ContextKey key) {
  static const Value nothing;
  if (const auto known = values_.find(key.name); known != values_.end()) return *known->second;
  auto value = context_value(unit_, organization_, key);
  if (!value) {
    note(std::move(value).error());
    return nothing;
  }
  return *values_.emplace(key.name, std::make_unique<Value>(std::move(*value))).first->second;
}

void UnitContext::turn_to(const Record& record) {
  self_ = record.id;
  parent_ = record.parent;
  previous_ = nullptr;
  if (organization_ == record.organization) return;
  organization_ = record.organization;
  found_.clear();
  lists_.clear();
  values_.clear();
}

}  // namespace orlop
