// A variable as the rules of this folder see it. Everything here is pure: no store, no clock, no JSON of its own.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/id.h"

namespace orlop {

// From the widest to the nearest. The scope of a service has one name for each kind of service.
enum class VariableScope : std::uint8_t { built_in = 0, project = 1, environment = 2, service = 3 };

enum class VariableType : std::uint8_t {
  value = 1,
  file = 2,                  // mounted at mount_path
  alias = 3,                 // another key for the variable that it names
  override_ = 4,             // another value for a variable of a wider scope
  built_in = 5,              // made by the engine
  external_secret = 6,       // the value is the name of a secret in a secret manager
  file_external_secret = 7,  // the same, mounted at mount_path
};

std::string_view to_string(VariableType type);  // "EXTERNAL_SECRET"
std::optional<VariableType> parse_variable_type(std::string_view name);

constexpr bool is_external(VariableType type) {
  return type == VariableType::external_secret || type == VariableType::file_external_secret;
}
constexpr bool is_file(VariableType type) {
  return type == VariableType::file || type == VariableType::file_external_secret;
}

// The texts belong to the caller and must outlive what is computed from them.
struct Variable {
  Id id;
  VariableScope scope = VariableScope::project;
  VariableType type = VariableType::value;
  bool is_secret = false;
  bool is_interpolated = true;  // false: `{{KEY}}` in the value stays as it is
  bool is_missing = false;      // a secret whose value the store does not have
  std::string_view key;
  std::string_view value;                  // "" for an alias
  std::string_view mount_path;             // "" if it is not mounted
  std::string_view secret_manager_access;  // id as text; "" if it is no external secret
  Id target;                               // of an alias or an override: the variable that it names
};

// Whether a variable can have the key: 1 to 255 bytes without blanks, control characters, "=" and braces.
bool is_key(std::string_view text);

// True if the value holds a reference `{{KEY}}`.
bool has_reference(std::string_view value);

}  // namespace orlop
