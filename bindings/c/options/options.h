// orlop_options as the core's: versions made up for, bounds checked, texts copied.
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

// `options` may be NULL, older (smaller), or newer (larger, if what this library does not know is 0). Errors: misuse,
// invalid.
Result<ParsedOptions> read_options(const orlop_options* options);

// Checks one value by the bounds of its option, and copies it. Errors: misuse, which names the member, what was given
// and what is allowed.
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
// Of a choice: its number.
Result<void> check_choice(std::int32_t given, const Option& option);
template <typename Enum>
requires std::is_enum_v<Enum> Result<void> read_option(std::int32_t given, Enum& value, const Option& option) {
  ORLOP_CHECK(check_choice(given, option));
  value = static_cast<Enum>(given);
  return {};
}
// `given` as the message shows it.
Error out_of_bounds(const Option& option, const std::string& given);

}  // namespace orlop::c
