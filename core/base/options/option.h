// Options of an engine: the rows of options.def as data, for documents, generated code and setters by name.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace orlop {

// Kinds of options, with the type of the value in C and in Python.
enum class OptionKind : std::uint8_t {
  text,   // orlop_text; str
  name,   // orlop_text of lower case letters; str
  path,   // orlop_text without a zero byte; str or os.PathLike
  bytes,  // orlop_text, NULL: not given; bytes or None. Read before orlop_open returns, and not kept
  // orlop_text, a tar archive of the folder, NULL: not given; str or os.PathLike, its path, or None. Read before
  // orlop_open returns, and not kept.
  folder,
  key,       // orlop_text of 32 bytes, NULL: not given; bytes or None
  keys,      // orlop_text, keys one after the other; an iterable of bytes
  texts,     // orlop_text, entries separated by commas; an iterable of str
  count,     // uint32_t; int
  limit,     // uint32_t, UINT32_MAX: not given; int or None
  size,      // uint64_t; int
  flag,      // int32_t, 0 or 1; bool
  duration,  // int64_t in milliseconds, the member's name ends in _ms; seconds or a text like "1h30m"
  instant,   // int64_t in milliseconds, the member's name ends in _ms; a text like "2026-01-01T00:00:00Z"
  seed,      // uint64_t and the flag `seeded`; int or None
  choice,    // int32_t, ORLOP_<NAME>_<VALUE>; a text
  port,      // a pointer to orlop_<name>; a callable
};

// APIs that have an option.
using OptionApis = std::uint8_t;
inline constexpr OptionApis on_c = 1;           // C and C++
inline constexpr OptionApis on_engine = 2;      // orlop.Engine
inline constexpr OptionApis on_simulation = 4;  // orlop.Simulation
inline constexpr OptionApis on_serve = 8;       // orlop serve
inline constexpr OptionApis on_all = on_c | on_engine | on_simulation | on_serve;

struct OptionValue {
  std::string_view name;
  std::string_view text;
};

// The default: text for kinds of text, else a number.
struct OptionDefault {
  constexpr OptionDefault(const char* given) : text(given) {}
  constexpr OptionDefault(std::int64_t given) : number(given) {}
  constexpr OptionDefault(int given) : number(given) {}
  constexpr OptionDefault(bool given) : number(given ? 1 : 0) {}

  std::string_view text = {};
  std::int64_t number = 0;
};

struct Option {
  OptionKind kind;
  std::string_view name;
  std::string_view unit;
  OptionDefault initial;
  std::int64_t least = 0;
  std::int64_t most = 0;
  OptionApis apis = on_all;
  std::string_view text;
  std::span<const OptionValue> values = {};  // only for a choice
  std::string_view cpp_type = {};            // only for a port
  std::string_view python_type = {};         // only for a port

  bool is_on(OptionApis api) const { return (apis & api) != 0; }
};

// Returns the options in the order of options.def.
std::span<const Option> all_options();
// Returns the option of that name, or null if there is none.
const Option* find_option(std::string_view name);

// Returns the default in readable form: "4", "queue", "1h", "2026-01-01T00:00:00Z"; empty if there is none.
std::string default_text(const Option& option);
// Returns the allowed values as the end of "must be": "1 to 100000", "one of queue, reject", "a duration of 1 ms to 366
// d, such as 30s or 1h30m".
std::string allowed_text(const Option& option);
// Formats a duration: "1h30m", "250ms".
std::string duration_text(std::int64_t milliseconds);

}  // namespace orlop
