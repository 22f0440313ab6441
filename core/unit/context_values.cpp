#include "unit/context_values.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

#include "catalogs/kubernetes_version.h"
#include "model/registry.h"
#include "wire/json.h"

namespace orlop {
namespace {

struct Source {
  std::string_view name;
  Result<Value> (*value)(Unit& unit, const Id& organization);
};

// Returns the id of the oldest cluster with is_default, else that of the oldest cluster. Reads one cluster first: an
// organization's first one is the default unless its create set otherwise.
Result<Value> default_cluster(Unit& unit, const Id& organization) {
  RecordRange range;
  range.key = organization;
  range.family = find_family("cluster")->number;
  Value oldest;
  for (const std::size_t limit : {std::size_t{1}, SIZE_MAX}) {
    range.limit = limit;
    ORLOP_TRY(clusters, unit.records(range));
    for (const Record& record : clusters) {
      ORLOP_TRY(body, parse_stored(record.body));
      if (body.boolean_or("is_default", false)) return Value(to_text(record.id));
      if (oldest.is_null()) oldest = Value(to_text(record.id));
    }
    if (clusters.empty()) break;
  }
  return oldest;
}

Result<Value> webhook_allow(Unit& unit, const Id&) {
  Value allowed = Value::list();
  for (const std::string& target : unit.settings().webhook_allow) allowed.append(Value(target));
  return allowed;
}

constexpr Source sources[] = {
    {"author", [](Unit& unit, const Id&) { return Result<Value>(Value(unit.author())); }},
    {"default_cluster", default_cluster},
    {"kubernetes_version",
     [](Unit& unit, const Id&) {
       return Result<Value>(Value(first_kubernetes_version(unit.settings().kubernetes_versions)));
     }},
    {"open_catalogs",
     [](Unit& unit, const Id&) { return Result<Value>(Value(unit.settings().catalogs == Catalogs::open)); }},
    {"webhook_allow", webhook_allow},
};

}  // namespace

Result<Value> context_value(Unit& unit, const Id& organization, ContextKey key) {
  const Source* source = std::ranges::find(sources, key.name, &Source::name);
  if (source == std::end(sources))
    return make_error(ErrorCode::internal, "no function answers the context key " + std::string(key.name));
  return source->value(unit, organization);
}

std::vector<std::string_view> context_value_names() {
  std::vector<std::string_view> names;
  for (const Source& source : sources) names.push_back(source.name);
  return names;
}

}  // namespace orlop
