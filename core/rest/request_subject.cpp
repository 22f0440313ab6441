#include "rest/request_subject.h"

#include <vector>

#include "model/registry.h"
#include "records/path.h"
#include "unit/unique_name.h"

namespace orlop {
namespace {

bool names_parent_in_body(const Route& route) {
  return route.verb == Verb::create && route.parent == nullptr && !route.family->parent_field.body.empty();
}

// Returns the ids that the request names, in the order of the path.
std::vector<Id> named_ids(const Route& route, const Call& call) {
  std::vector<Id> ids(call.ids.begin(), call.ids.end());
  if (!ids.empty()) return ids;
  for (const Field& field : route.operation.query) {
    const auto text = field.kind == FieldKind::id ? call.query->find(field.name) : std::nullopt;
    if (const auto id = text ? parse_id(*text) : std::nullopt) ids.push_back(*id);
  }
  if (!names_parent_in_body(route) || call.body == nullptr) return ids;
  if (const auto parent = named_parent(call)) ids.push_back(*parent);
  return ids;
}

// Returns the noun of the last path parameter, such as "container registry".
std::string words_of(const Route& route) {
  if (route.parameters.empty()) return "resource";
  for (const Family* family : all_families()) {
    if (family->id_name == route.parameters.back()) return words_for(*family);
  }
  return "resource";
}

}  // namespace

Result<Shared<Record>> subject_of(Unit& unit, const Route& route, const Call& call) {
  const std::vector<Id> ids = named_ids(route, call);
  for (auto id = ids.rbegin(); id != ids.rend(); ++id) {
    ORLOP_TRY(record, unit.record(*id));
    if (record) return std::move(record);
  }
  return Shared<Record>();
}

bool needs_subject(const Route& route) {
  if (route.operation.access == Access::read || route.operation.has_no_subject) return false;
  return !(route.verb == Verb::create && is_root(*route.family));
}

Error no_subject(const Route& route, const Call& call) {
  if (names_parent_in_body(route) && call.body != nullptr) {
    if (const auto parent = named_parent(call); !parent) return parent.error();
  }
  const std::vector<Id> ids = named_ids(route, call);
  if (!ids.empty()) return not_found(words_of(route), ids.back());
  return make_error(ErrorCode::forbidden, "the request names no resource in which the caller could have a permission");
}

}  // namespace orlop
