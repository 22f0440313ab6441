// Functions that search JSON documents.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "model/value.h"

namespace orlop {

// Returns the target of a pointer such as "#/components/schemas/Container", or nullptr.
inline const Value* resolve(const Value& document, std::string_view pointer) {
  if (!pointer.starts_with("#/")) return nullptr;
  const Value* at = &document;
  for (pointer.remove_prefix(2); at != nullptr && !pointer.empty();) {
    const std::string_view name = pointer.substr(0, pointer.find('/'));
    pointer.remove_prefix(std::min(name.size() + 1, pointer.size()));
    at = at->find(name);
  }
  return at;
}

// Collects the texts of "$ref", and those that a discriminator maps to.
inline void collect_references(const Value& value, std::vector<std::string>& found) {
  if (value.is_list()) {
    for (const Value& item : value.items()) collect_references(item, found);
  }
  if (!value.is_object()) return;
  for (const Member& member : value.members()) {
    if (member.name == "$ref") found.push_back(member.value.as_text());
    if (member.name == "mapping") {
      for (const Member& entry : member.value.members()) found.push_back(entry.value.as_text());
    }
    collect_references(member.value, found);
  }
}

}  // namespace orlop
