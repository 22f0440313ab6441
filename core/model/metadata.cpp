#include "model/metadata.h"

#include <string>

#include "model/validate.h"

namespace orlop {
namespace {

void check_entry(const Member& entry, Violations& violations) {
  const std::string_view name = entry.name;
  const std::string path = "metadata." + std::string(name.substr(0, metadata_key_size_max));
  if (name.empty() || name.size() > metadata_key_size_max) {
    violations.push_back({"metadata", "must have keys of 1 to " + std::to_string(metadata_key_size_max) +
                                          " bytes, not of " + std::to_string(name.size())});
  }
  if (!entry.value.is_text()) {
    violations.push_back({path, "must be a string, not " + std::string(describe(entry.value.type()))});
  } else if (entry.value.as_text().size() > metadata_value_size_max) {
    violations.push_back({path, "must have at most " + std::to_string(metadata_value_size_max) + " bytes, not " +
                                    std::to_string(entry.value.as_text().size())});
  }
}

}  // namespace

void take_metadata(const Value& body, const Value* previous, Value& record, Violations& violations) {
  const std::string_view name = metadata_field.name;
  const Value* given = body.find(name);
  if (given == nullptr) {
    const Value* kept = previous == nullptr ? nullptr : previous->find(name);
    if (kept != nullptr) record.set(name, *kept);
    return;
  }
  if (given->is_null()) return;
  if (!given->is_object()) {
    violations.push_back({std::string(name), "must be an object, not " + std::string(describe(given->type()))});
    return;
  }
  if (given->members().empty()) return;
  if (given->members().size() > metadata_entries_max) {
    violations.push_back({std::string(name), "must have at most " + std::to_string(metadata_entries_max) +
                                                 " entries, not " + std::to_string(given->members().size())});
    return;
  }
  for (const Member& entry : given->members()) check_entry(entry, violations);
  record.set(name, *given);
}

}  // namespace orlop
