// The stored text of a variable. It is the answer of the unified operations, except for members that follow from other
// records: the names of the service, and the variable that an alias or override names. Members have this order, so that
// an answer is made without parsing:
//
//   {"id", "created_at", "updated_at", "key", "value", "mount_path", "description", "enable_interpolation_in_file",
//    "secret_manager_access_id", "target_id", "scope", "is_secret", "variable_type"}
//
// `secret_manager_access_id` and `target_id` (of an alias or override) are omitted if absent. `value` is null for a
// secret, whose value is in the record's secrets, and for an alias.
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <string_view>

#include "base/instant.h"
#include "base/result.h"
#include "resolution/resolved_variable.h"
#include "store/store.h"

namespace orlop {

struct VariableContent {
  Id id;
  Instant created_at;
  Instant updated_at;
  std::string key;
  std::string value;
  std::string mount_path;   // "": none
  std::string description;  // "": none
  bool interpolates_file = false;
  std::string secret_manager_access;  // "": none
  Id target;
  VariableScope scope = VariableScope::project;
  std::string_view scope_text;  // "CONTAINER"; static storage
  VariableType type = VariableType::value;
  bool is_secret = false;
  // Secret that a snapshot left out (model/missing_secret.h): `value` is "" and not part of the content until it is
  // set.
  bool is_missing = false;
};

void write_content(const VariableContent& content, Record& record);
Result<VariableContent> content_of(const Record& record);

// Reads the variable for resolve.h without copies: refers to texts of the record, which must outlive it, or in `texts`.
// `scope`: that of the record's parent.
Result<Variable> variable_of(const Record& record, VariableScope scope, std::deque<std::string>& texts);

// Members at the end of the text.
struct VariableEnd {
  VariableType type = VariableType::value;
  bool is_secret = false;
};
std::optional<VariableEnd> end_of_text(std::string_view body);

// Returns an event's detail about a variable: {"name", "scope", "is_secret"}, never its value.
std::string event_text_of(const Record& variable);

// Name key of a variable: unique in its scope, case-sensitive.
std::string variable_key(const Id& owner, std::string_view key);

}  // namespace orlop
