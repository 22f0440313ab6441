// Converts orlop_options to the options of the core: accepts other versions of the struct, checks bounds, copies texts.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "base/options/settings.h"
#include "base/result.h"
#include "engine.h"
#include "orlop/aead.h"
#include "orlop/driver.h"
#include "orlop/orlop.h"
#include "orlop/ports.h"
#include "orlop/storage.h"

namespace orlop::c {

struct ParsedOptions {
  EngineOptions engine;  // without its ports
  // std::optional<orlop_driver> driver; and so on.
#define ORLOP_OPTION(...)
#define ORLOP_CHOICE(...)
#define ORLOP_PORT(group, name, ...) std::optional<orlop_##name> name;
#include "base/options/options.def"
  // seed, simulation, start and the keys.
#define ORLOP_IN_rules(...)
#define ORLOP_IN_opening(...)
#undef ORLOP_IN_simulation
#undef ORLOP_IN_keys
#define ORLOP_IN_simulation(...) __VA_ARGS__
#define ORLOP_IN_keys(...) __VA_ARGS__
#define ORLOP_OPTION ORLOP_OPTION_MEMBER
#define ORLOP_CHOICE ORLOP_CHOICE_MEMBER
#define ORLOP_PORT(...)
#include "base/options/options.def"
};

// `options` may be NULL, smaller (older), or larger (newer; the members that this library does not know must be 0).
// Errors: misuse, invalid.
Result<ParsedOptions> read_options(const orlop_options* options);

// Checks a value against the bounds of its option and copies it. Errors: misuse; the message has the member, the value
// and the allowed values.
Result<void> read_option(orlop_text given, std::string& value, const Option& option);
Result<void> read_option(orlop_text given, std::string_view& value, const Option& option);
Result<void> read_option(orlop_text given, std::vector<std::string>& value, const Option& option);
Result<void> read_option(std::uint32_t given, std::uint32_t& value, const Option& option);
Result<void> read_option(std::uint32_t given, std::optional<std::uint32_t>& value, const Option& option);
Result<void> read_option(std::uint64_t given, std::uint64_t& value, const Option& option);
Result<void> read_option(std::uint64_t given, std::optional<std::uint64_t>& value, const Option& option);
Result<void> read_option(std::int32_t given, bool& value, const Option& option);
Result<void> read_option(std::int64_t given, Duration& value, const Option& option);
Result<void> read_option(std::int64_t given, Instant& value, const Option& option);
// Checks the number of a choice.
Result<void> check_choice(std::int32_t given, const Option& option);
template <typename Enum>
requires std::is_enum_v<Enum> Result<void> read_option(std::int32_t given, Enum& value, const Option& option) {
  ORLOP_CHECK(check_choice(given, option));
  value = static_cast<Enum>(given);
  return {};
}
// Makes the error for a value out of its bounds. `given`: the value as text for the message.
Error out_of_bounds(const Option& option, const std::string& given);

}  // namespace orlop::c
