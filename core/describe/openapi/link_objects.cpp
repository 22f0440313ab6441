#include "describe/openapi/link_objects.h"

#include <algorithm>
#include <string>

namespace orlop {
namespace {

// Reports whether the operation is about the new resource, and the request that created it had all other path
// parameters. Families that share a parameter, such as the credentials of all clouds, link to their own operations
// only.
bool can_follow(const Route& target, const Route& create) {
  if (target.parameters.empty() || target.parameters.back() != create.family->id_name) return false;
  const bool is_other = target.family != nullptr && target.family != create.family;
  if (is_other && target.family->id_name == create.family->id_name) return false;
  return std::ranges::all_of(target.parameters.begin(), target.parameters.end() - 1, [&](const std::string& name) {
    return std::ranges::find(create.parameters, name) != create.parameters.end();
  });
}

Value link_to(const Route& target) {
  Value parameters = Value::object();
  for (const std::string& name : target.parameters) {
    parameters.set(name, Value(name == target.parameters.back() ? "$response.body#/id" : "$request.path." + name));
  }
  Value link = Value::object();
  link.set("operationId", Value(target.name));
  link.set("parameters", std::move(parameters));
  return link;
}

}  // namespace

Value links_of(const Route& create) {
  Value links = Value::object();
  for (const Route& target : all_routes()) {
    if (can_follow(target, create)) links.set(target.name, link_to(target));
  }
  return links;
}

}  // namespace orlop
