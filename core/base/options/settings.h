// Options of an opened engine as the core holds them: the struct Settings is generated from options.def.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/instant.h"
#include "base/options/option.h"
#include "base/port.h"

namespace orlop {

class RequestGate;  // deploy/request/request_gate.h
class TimeZones;    // catalogs/time_zone.h

// Types of the values of options.
namespace option_type {
using text = std::string;
using name = std::string;
using path = std::string;
using bytes = std::string_view;
using folder = std::string_view;
using key = std::string;
using keys = std::vector<std::string>;
using texts = std::vector<std::string>;
using count = std::uint32_t;
using limit = std::optional<std::uint32_t>;
using size = std::uint64_t;
using flag = bool;
using duration = Duration;
using instant = Instant;
using seed = std::optional<std::uint64_t>;
}  // namespace option_type

// Returns the default of an option as a value; an empty one for limit, seed and lists.
template <typename Value>
Value initial_value(const OptionDefault& initial) {
  if constexpr (std::is_same_v<Value, std::string> || std::is_same_v<Value, std::string_view>) {
    return Value(initial.text);
  } else if constexpr (std::is_same_v<Value, Duration> || std::is_same_v<Value, Instant>) {
    return Value{initial.number};
  } else if constexpr (std::is_integral_v<Value>) {
    return static_cast<Value>(initial.number);
  } else {
    return Value{};
  }
}

// Expands to enum class BusyPolicy : std::uint8_t { queue, reject }; and so on.
#define ORLOP_OPTION(...)
#define ORLOP_PORT(...)
#define ORLOP_VALUE(value, text) value,
#define ORLOP_CHOICE(group, name, Type, initial, apis, values, text) enum class Type : std::uint8_t { values };
#include "base/options/options.def"

// Members of a struct for the options of its groups. Before options.def is included, define ORLOP_IN_<group>(…) as its
// arguments for the groups of the struct, and as empty for the others.
#define ORLOP_OPTION_MEMBER(group, kind, name, unit, initial, least, most, apis, text) \
  ORLOP_IN_##group(option_type::kind name = initial_value<option_type::kind>(initial);)
#define ORLOP_CHOICE_MEMBER(group, name, Type, initial, apis, values, text) ORLOP_IN_##group(Type name = Type::initial;)
#define ORLOP_PORT_MEMBER(group, name, Type, ...) ORLOP_IN_##group(Type* name = nullptr;)

// Options that requests and deployments read. The ports belong to the host and must outlive the engine; null if the
// host gives none.
struct Settings {
#define ORLOP_IN_rules(...) __VA_ARGS__
#define ORLOP_IN_opening(...)
#define ORLOP_IN_simulation(...)
#define ORLOP_IN_keys(...)
#define ORLOP_IN_store(...)
#define ORLOP_OPTION ORLOP_OPTION_MEMBER
#define ORLOP_CHOICE ORLOP_CHOICE_MEMBER
#define ORLOP_PORT ORLOP_PORT_MEMBER
#include "base/options/options.def"
#undef ORLOP_IN_rules
#undef ORLOP_IN_opening

  // Not an option: set by a simulation.
  RequestGate* request_gate = nullptr;
  // Not an option: true if the driver does not create what deployments name (EngineOptions::is_driver_scripted, or no
  // driver).
  bool is_driver_scripted = false;
  // From the option `time_zones`; null: the zones built into the library.
  std::shared_ptr<const TimeZones> zones = {};
};

}  // namespace orlop
