// Writes of variables. Each write checks all rules before it puts anything, marks the services that see the variable
// OUT_OF_DATE, and emits an event with the key, never a value.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "records/variables/visible_variables.h"
#include "unit/unit.h"

namespace orlop {

inline constexpr std::size_t variable_description_max = 255;  // characters
inline constexpr std::size_t mount_path_max = 4096;           // bytes

struct NewVariable {
  std::string key;
  std::string value;
  std::string mount_path;   // "": none
  std::string description;  // "": none
  bool interpolates_file = false;
  bool is_secret = false;
  std::string secret_manager_access;  // "": none
};

// Adds violations of the syntax, each with its field; `prefix` precedes the field's name.
void check_variable(const NewVariable& given, std::string_view prefix, Violations& violations);

// `part`: one of many writes in the owner; finish_batch() then searches for cycles and marks services once.
enum class Batch : std::uint8_t { single, part };
// `references`: some values of the batch have references; without them there is no cycle.
enum class BatchReferences : std::uint8_t { none, some };
Result<void> finish_batch(Unit& unit, const Record& owner, BatchReferences references);

// Errors: invalid (syntax, an unknown secret manager access, references in a cycle), conflict (the key is taken in this
// owner).
Result<Record> create_variable(Unit& unit, const Record& owner, const NewVariable& given, Batch batch = Batch::single);

// Creates another key for `target`. Errors: invalid (the target is an alias, or not visible in `owner`), conflict.
Result<Record> create_alias(Unit& unit, const NamedVariable& target, const Record& owner, const NewVariable& given);
// Creates another value for `target`, under its key.
Result<Record> create_override(Unit& unit, const NamedVariable& target, const Record& owner, const NewVariable& given);

struct VariableEdit {
  std::string key;
  std::optional<std::string> value;       // nullopt: the stored one stays
  std::optional<std::string> mount_path;  // nullopt: the stored one stays
  std::string description;
  bool interpolates_file = false;
  std::optional<std::string> secret_manager_access;
  std::optional<bool> is_secret;  // set by imports only
};
// Edits the variable; its overrides take its new key. Errors: forbidden (a built-in), invalid, conflict.
Result<Record> edit_variable(Unit& unit, const NamedVariable& variable, const VariableEdit& given,
                             Batch batch = Batch::single);

// Deletes the variable with its aliases and overrides, and theirs. Error forbidden for a built-in.
Result<void> delete_variable(Unit& unit, const NamedVariable& variable);

}  // namespace orlop
