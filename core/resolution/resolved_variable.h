// A variable for the functions of this folder. All of them are pure: no store, no clock, no JSON.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/id.h"

namespace orlop {

// From the widest to the nearest. Services share one scope; the interface has a name of it for each kind of service.
enum class VariableScope : std::uint8_t { built_in = 0, project = 1, environment = 2, service = 3 };

enum class VariableType : std::uint8_t {
  value = 1,
  file = 2,                  // mounted at mount_path
  alias = 3,                 // second key of another variable
  override_ = 4,             // replaces the value of a variable of a wider scope
  built_in = 5,              // made by the engine
  external_secret = 6,       // the value is the name of a secret in a secret manager
  file_external_secret = 7,  // the same, mounted at mount_path
};

std::string_view to_string(VariableType type);  // as in "EXTERNAL_SECRET"
std::optional<VariableType> parse_variable_type(std::string_view name);

constexpr bool is_external(VariableType type) {
  return type == VariableType::external_secret || type == VariableType::file_external_secret;
}
constexpr bool is_file(VariableType type) {
  return type == VariableType::file || type == VariableType::file_external_secret;
}

// The texts belong to the caller and must outlive the results.
struct Variable {
  Id id;
  VariableScope scope = VariableScope::project;
  VariableType type = VariableType::value;
  bool is_secret = false;
  bool is_interpolated = true;  // false: `{{KEY}}` in the value is not replaced
  bool is_missing = false;      // a secret whose value the store does not have
  std::string_view key;
  std::string_view value;                  // empty for an alias
  std::string_view mount_path;             // empty if it is not mounted
  std::string_view secret_manager_access;  // id as text; empty if it is not an external secret
  Id target;                               // variable that an alias or an override names
};

// Reports whether a text is a valid key: 1 to 255 bytes without blanks, control characters, "=" and braces.
bool is_key(std::string_view text);

// Reports whether the value contains a reference `{{KEY}}`.
bool has_reference(std::string_view value);

}  // namespace orlop
