// Parts of the answers about variables.
#pragma once

#include <string>
#include <string_view>

#include "endpoints/variables/parts/variable_answer.h"
#include "wire/writer.h"

namespace orlop {

// Members of an alias's or override's answer about its target: JSON texts.
struct Named {
  Id id;
  std::string key = "\"\"";
  std::string value = "null";
  std::string mount_path = "\"\"";
  std::string_view scope = "\"BUILT_IN\"";
  std::string type = "\"BUILT_IN\"";
  std::string description = "\"\"";
  std::string_view interpolates_file = "false";
};

Named named_of(const BuiltIn& built_in);
// Refers to texts in `body`, which must outlive the result.
Named named_of(const Id& id, std::string_view body);

bool is_link(VariableType type);

// Returns the members about the owner in each of its variables: `,"service_id":…`; "" if it is not a service.
std::string service_text(const Record& owner);

// Appends the object of a variable without its closing brace.
void write_stored(Writer& out, std::string_view body, VariableType type, const Named* target, VariableForm form);

// Appends the whole object of a built-in.
void write_built_in(Writer& out, const BuiltIn& built_in, VariableForm form, std::string_view service);

}  // namespace orlop
