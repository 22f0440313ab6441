#include "unit/describe/filled_members.h"

#include <algorithm>
#include <iterator>

#include "model/form.h"
#include "model/registry.h"
#include "unit/describe/json.h"
#include "wire/json.h"

namespace orlop {
namespace {

bool is_family(std::string_view component) {
  return std::ranges::any_of(all_families(), [component](const Family* family) { return family->schema == component; });
}

std::string name_in(std::string_view reference) { return std::string(reference.substr(reference.rfind('/') + 1)); }

}  // namespace

void FilledMembers::note(const Value& document, const Route& route, const Reply& reply) {
  const Value* operation = document.find_path({"paths", route.path, lower_case(to_string(route.operation.method))});
  const Value* response =
      operation == nullptr ? nullptr : operation->find_path({"responses", std::to_string(reply.status)});
  if (response != nullptr && response->has("$ref")) response = resolve(document, response->text_or("$ref", ""));
  const Value* schema = response == nullptr ? nullptr : response->find_path({"content", "application/json", "schema"});
  const auto given = parse_stored(reply.body.empty() ? "null" : reply.body);
  if (schema != nullptr && given) walk(document, *schema, *given, route.name, false);
}

void FilledMembers::add(const FilledMembers& other) {
  described_.insert(other.described_.begin(), other.described_.end());
  filled_.insert(other.filled_.begin(), other.filled_.end());
}

void FilledMembers::walk(const Value& document, const Value& schema, const Value& given, const std::string& name,
                         bool is_resource) {
  if (const Value* reference = schema.find("$ref")) {
    const std::string component = name_in(reference->as_text());
    const Value* target = resolve(document, reference->as_text());
    if (target != nullptr) walk(document, *target, given, component, is_resource || is_family(component));
    return;
  }
  if (const Value* all = schema.find("allOf")) {
    for (const Value& part : all->items()) walk(document, part, given, name, is_resource);
  }
  if (const Value* mapping = schema.find_path({"discriminator", "mapping"})) {
    const std::string_view enum_value = given.text_or(schema.find("discriminator")->text_or("propertyName", ""), "");
    const std::string_view target = mapping->text_or(enum_value, "");
    const Value* alternative = resolve(document, target);
    if (alternative != nullptr) walk(document, *alternative, given, name_in(target), is_resource);
  }
  if (const Value* items = schema.find("items"); items != nullptr && given.is_list()) {
    for (const Value& item : given.items()) walk(document, *items, item, name, is_resource);
  }
  const Value* properties = schema.find("properties");
  if (properties == nullptr || !given.is_object()) return;
  for (const Member& property : properties->members()) {
    const std::string member = name + "." + std::string(property.name);
    const bool is_ours = !property.value.boolean_or("writeOnly", false) &&
                         (!is_resource || property.value.boolean_or("readOnly", false));
    if (is_ours) described_.insert(member);
    const Value* held = given.find(property.name);
    if (held == nullptr || held->is_null()) continue;
    filled_.insert(member);
    walk(document, property.value, *held, member, is_resource);
  }
}

std::set<std::string> FilledMembers::never_filled() const {
  std::set<std::string> never;
  std::ranges::set_difference(described_, filled_, std::inserter(never, never.end()));
  return never;
}

}  // namespace orlop
