#include "base/options/option.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "base/instant.h"

namespace orlop {
namespace {

// Defines the values of each choice.
#define ORLOP_OPTION(...)
#define ORLOP_PORT(...)
#define ORLOP_VALUE(value, text) OptionValue{#value, text},
#define ORLOP_CHOICE(group, name, Type, initial, apis, values, text) \
  constexpr OptionValue values_of_##name[] = {values};
#include "base/options/options.def"

// Returns the number of a choice's value.
template <std::size_t count>
constexpr std::int64_t number_of(const OptionValue (&values)[count], std::string_view name) {
  for (std::size_t number = 0; number < count; ++number) {
    if (values[number].name == name) return static_cast<std::int64_t>(number);
  }
  return -1;
}

constexpr Option options[] = {
#define ORLOP_OPTION(group, kind, name, unit, initial, least, most, apis, text) \
  {OptionKind::kind, #name, unit, initial, least, most, apis, text, {}, {}, {}},
#define ORLOP_VALUE(value, text)
#define ORLOP_CHOICE(group, name, Type, initial, apis, values, text) \
  {OptionKind::choice,                                               \
   #name,                                                            \
   "",                                                               \
   number_of(values_of_##name, #initial),                            \
   0,                                                                \
   static_cast<std::int64_t>(std::size(values_of_##name)) - 1,       \
   apis,                                                             \
   text,                                                             \
   values_of_##name,                                                 \
   {},                                                               \
   {}},
#define ORLOP_PORT(group, name, Type, required, apis, text, ...) \
  {OptionKind::port, #name, "", 0, 0, 0, apis, text, {}, #Type, #Type},
#define ORLOP_CUSTOM_PORT(group, name, Type, required, cpp_type, python_type, apis, text, ...) \
  {OptionKind::port, #name, "", 0, 0, 0, apis, text, {}, cpp_type, python_type},
#include "base/options/options.def"
};

std::string range_text(const Option& option) {
  return std::to_string(option.least) + " to " + std::to_string(option.most);
}

}  // namespace

std::span<const Option> all_options() { return options; }

const Option* find_option(std::string_view name) {
  const auto found = std::ranges::find(options, name, &Option::name);
  return found == std::end(options) ? nullptr : found;
}

std::string duration_text(std::int64_t milliseconds) {
  struct Unit {
    std::string_view name;
    std::int64_t milliseconds;
  };
  static constexpr std::array<Unit, 5> units = {
      {{"d", 86'400'000}, {"h", 3'600'000}, {"m", 60'000}, {"s", 1000}, {"ms", 1}}};
  std::string text;
  for (const Unit& unit : units) {
    const std::int64_t count = milliseconds / unit.milliseconds;
    milliseconds %= unit.milliseconds;
    if (count != 0) text.append(std::to_string(count)).append(unit.name);
  }
  return text.empty() ? "0s" : text;
}

std::string default_text(const Option& option) {
  switch (option.kind) {
    case OptionKind::text:
    case OptionKind::name:
    case OptionKind::path: return std::string(option.initial.text);
    case OptionKind::count:
    case OptionKind::size: return std::to_string(option.initial.number);
    case OptionKind::flag: return option.initial.number != 0 ? "true" : "false";
    case OptionKind::duration: return duration_text(option.initial.number);
    case OptionKind::instant: {
      std::string text = to_text(Instant{option.initial.number});
      if (text.ends_with(".000Z")) text.replace(text.size() - 5, 5, "Z");
      return text;
    }
    case OptionKind::choice: return std::string(option.values[static_cast<std::size_t>(option.initial.number)].name);
    case OptionKind::bytes:
    case OptionKind::folder:
    case OptionKind::key:
    case OptionKind::keys:
    case OptionKind::texts:
    case OptionKind::limit:
    case OptionKind::seed:
    case OptionKind::port: return "";
  }
  return "";
}

std::string allowed_text(const Option& option) {
  switch (option.kind) {
    case OptionKind::count:
    case OptionKind::limit:
    case OptionKind::size: return range_text(option);
    case OptionKind::seed: return "0 to " + std::to_string(UINT64_MAX);
    case OptionKind::name: return range_text(option) + " lower case letters";
    case OptionKind::path: return range_text(option) + " bytes";
    case OptionKind::text:
    case OptionKind::folder: return "at most " + std::to_string(option.most) + " bytes";
    case OptionKind::flag: return "true or false";
    case OptionKind::duration: return duration_text(option.least) + " to " + duration_text(option.most);
    case OptionKind::instant: return to_text(Instant{option.least}) + " to " + to_text(Instant{option.most});
    case OptionKind::key: return std::to_string(option.most) + " bytes";
    case OptionKind::keys: return "at most " + std::to_string(option.most) + " keys";
    case OptionKind::texts: return "at most " + std::to_string(option.most) + " entries";
    case OptionKind::choice: {
      std::string text = "one of ";
      for (const OptionValue& value : option.values)
        text.append(&value == &option.values.front() ? "" : ", ").append(value.name);
      return text;
    }
    case OptionKind::bytes:
    case OptionKind::port: return "";
  }
  return "";
}

}  // namespace orlop
