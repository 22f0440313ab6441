// What the answers about variables consist of.
#pragma once

#include <string>
#include <string_view>

#include "endpoints/variables/parts/variable_answer.h"
#include "wire/writer.h"

namespace orlop {

// What an alias or override says of the variable that it names: JSON texts.
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
// The text of a record, which must live as long.
Named named_of(const Id& id, std::string_view body);

bool is_link(VariableType type);

// What every variable of an owner says of it: `,"service_id":…`; "" for what is no service.
std::string service_text(const Record& owner);

// Appends the object of a variable, but for its closing brace.
void write_stored(Writer& out, std::string_view body, VariableType type, const Named* target, VariableForm form);

// Appends the whole object.
void write_built_in(Writer& out, const BuiltIn& built_in, VariableForm form, std::string_view service);

}  // namespace orlop
