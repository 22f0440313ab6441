#include "ops/unit_context.h"

#include "model/registry.h"

namespace orlop {

void UnitContext::note(Error error) {
  if (outcome_) outcome_ = std::move(error);
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
  return ids;
}

// The oldest cluster that says so; else the oldest. An organization's first cluster says so unless it was told otherwise, so that the
// others are hardly ever read.
std::optional<Id> UnitContext::default_cluster() {
  const Family* cluster = find_family("cluster");
  if (cluster == nullptr) return std::nullopt;
  RecordRange range;
  range.key = organization_;
  range.family = cluster->number;
  range.with_text = false;
  std::optional<Id> oldest;
  for (const std::size_t limit : {std::size_t{1}, SIZE_MAX}) {
    range.limit = limit;
    auto clusters = unit_.records(range);
    if (!clusters) {
      note(std::move(clusters).error());
      return std::nullopt;
    }
    for (const Record& record : *clusters) {
      const Value* value = find("cluster", record.id);
      if (value != nullptr && value->boolean_or("is_default", false)) return record.id;
      if (!oldest) oldest = record.id;
    }
    if (clusters->empty()) break;
  }
  return oldest;
}

}  // namespace orlop
