// Sets options by name, and the defaults.
#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "base/instant.h"
#include "base/options/option.h"
#include "catalogs/nearest.h"
#include "guard.h"
#include "options/options.h"

using namespace orlop;
using namespace orlop::c;

namespace {

// Offset of each option in orlop_options.
struct OptionMember {
  std::string_view name;
  std::size_t offset;
};

#define ORLOP_MEMBER_text(name) offsetof(orlop_options, name)
#define ORLOP_MEMBER_name(name) offsetof(orlop_options, name)
#define ORLOP_MEMBER_path(name) offsetof(orlop_options, name)
#define ORLOP_MEMBER_bytes(name) offsetof(orlop_options, name)
#define ORLOP_MEMBER_folder(name) offsetof(orlop_options, name)
#define ORLOP_MEMBER_key(name) offsetof(orlop_options, name)
#define ORLOP_MEMBER_keys(name) offsetof(orlop_options, name)
#define ORLOP_MEMBER_texts(name) offsetof(orlop_options, name)
#define ORLOP_MEMBER_count(name) offsetof(orlop_options, name)
#define ORLOP_MEMBER_limit(name) offsetof(orlop_options, name)
#define ORLOP_MEMBER_size(name) offsetof(orlop_options, name)
#define ORLOP_MEMBER_flag(name) offsetof(orlop_options, name)
#define ORLOP_MEMBER_duration(name) offsetof(orlop_options, name##_ms)
#define ORLOP_MEMBER_instant(name) offsetof(orlop_options, name##_ms)
#define ORLOP_MEMBER_seed(name) offsetof(orlop_options, name)

#define ORLOP_ROW_opening(name, offset) {#name, offset},
#define ORLOP_ROW_rules(name, offset) {#name, offset},
#define ORLOP_ROW_simulation(name, offset) {#name, offset},
#define ORLOP_ROW_keys(name, offset) {#name, offset},

constexpr OptionMember members[] = {
#define ORLOP_OPTION(group, kind, name, ...) ORLOP_ROW_##group(name, ORLOP_MEMBER_##kind(name))
#define ORLOP_CHOICE(group, name, ...) ORLOP_ROW_##group(name, offsetof(orlop_options, name))
#define ORLOP_PORT(group, name, ...) {#name, offsetof(orlop_options, name)},
#include "base/options/options.def"
};

std::string shown(std::string_view given) {
  constexpr std::size_t shown_max = 64;
  return "\"" + std::string(given.substr(0, shown_max)) + "\"";
}

// Like out_of_bounds(), but with the plain name of the option and its bounds as text.
Error refused(const Option& option, std::string_view given, std::string_view hint = "") {
  return misuse(std::string(option.name) + " must be " + allowed_text(option) + std::string(hint) + ", not " +
                shown(given));
}

template <typename Number>
Result<Number> number_of(std::string_view text, const Option& option) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const auto most = option.kind == OptionKind::seed ? std::numeric_limits<std::uint64_t>::max()
                                                    : static_cast<std::uint64_t>(option.most);
  const bool is_number = !text.empty() && error == std::errc() && end == text.data() + text.size();
  if (!is_number || number > most || number < static_cast<std::uint64_t>(option.least)) return refused(option, text);
  return static_cast<Number>(number);
}

// Parses whole numbers, each with its unit: "1h30m", "250ms"; not "0.5s".
Result<std::int64_t> duration_of(std::string_view text, const Option& option) {
  constexpr std::string_view hint = ", such as 30s, 1h30m or 250ms";
  std::string_view rest = text;
  std::int64_t milliseconds = 0;
  while (!rest.empty()) {
    std::int64_t count = 0;
    const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), count);
    if (error != std::errc() || count < 0) return refused(option, text, hint);
    rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
    const std::string_view unit = rest.substr(0, std::min(rest.find_first_of("0123456789"), rest.size()));
    rest.remove_prefix(unit.size());
    const std::int64_t scale = unit == "ms"  ? 1
                               : unit == "s" ? 1000
                               : unit == "m" ? 60'000
                               : unit == "h" ? 3'600'000
                               : unit == "d" ? 86'400'000
                                             : 0;
    if (scale == 0 || count > option.most / scale || milliseconds > option.most - count * scale)
      return refused(option, text, hint);
    milliseconds += count * scale;
  }
  if (milliseconds < option.least || text.empty()) return refused(option, text, hint);
  return milliseconds;
}

class Setter {
 public:
  Setter(orlop_options& options, const Option& option, std::size_t offset)
      : options_(options), option_(option), offset_(offset) {}

  Result<void> set(const char* given) {
    const std::string_view text(given);
    switch (option_.kind) {
      case OptionKind::text:
      case OptionKind::name:
      case OptionKind::path: return set_text<std::string>(text);
      case OptionKind::texts: return set_text<std::vector<std::string>>(text);
      case OptionKind::count:
      case OptionKind::limit: return set_number<std::uint32_t>(text);
      case OptionKind::size: return set_number<std::uint64_t>(text);
      case OptionKind::seed:
        ORLOP_CHECK(set_number<std::uint64_t>(text));
        options_.seeded = 1;
        return {};
      case OptionKind::flag:
        if (text != "true" && text != "false") return refused(option_, text);
        return put(std::int32_t{text == "true" ? 1 : 0});
      case OptionKind::duration: {
        ORLOP_TRY(milliseconds, duration_of(text, option_));
        return put(milliseconds);
      }
      case OptionKind::instant: {
        const auto instant = parse_instant(text);
        if (!instant || instant->milliseconds < option_.least || instant->milliseconds > option_.most)
          return refused(option_, text);
        return put(instant->milliseconds);
      }
      case OptionKind::choice: return set_choice(text);
      case OptionKind::bytes:
      case OptionKind::folder:
      case OptionKind::key:
      case OptionKind::keys:
      case OptionKind::port:
        return misuse(std::string(option_.name) + " is not text: set options." + std::string(option_.name) + " itself");
    }
    return {};
  }

 private:
  template <typename Value>
  Result<void> put(Value value) {
    std::memcpy(reinterpret_cast<char*>(&options_) + offset_, &value, sizeof value);
    return {};
  }

  template <typename Value>
  Result<void> set_text(std::string_view text) {
    Value read;
    ORLOP_CHECK(read_option(text_of(text), read, option_));
    return put(text_of(text));
  }

  template <typename Number>
  Result<void> set_number(std::string_view text) {
    ORLOP_TRY(number, number_of<Number>(text, option_));
    return put(number);
  }

  Result<void> set_choice(std::string_view text) {
    const auto found = std::ranges::find(option_.values, text, &OptionValue::name);
    if (found == option_.values.end()) return refused(option_, text);
    return put(static_cast<std::int32_t>(found - option_.values.begin()));
  }

  orlop_options& options_;
  const Option& option_;
  std::size_t offset_;
};

Error unknown_option(std::string_view name) {
  std::vector<std::string_view> known;
  for (const OptionMember& member : members) known.push_back(member.name);
  return misuse("there is no option named " + shown(name) + nearest_hint(name, known));
}

// Finds the member of an option. Error misuse: unknown option, or the struct ends before the member.
Result<const OptionMember*> find_member(const orlop_options& options, std::string_view name) {
  const auto member = std::ranges::find(members, name, &OptionMember::name);
  if (member == std::end(members)) return unknown_option(name);
  if (options.size <= member->offset)
    return misuse("options.size is too small for " + std::string(name) + "; initialize it with ORLOP_OPTIONS_INIT");
  return member;
}

}  // namespace

extern "C" {

void orlop_options_init(orlop_options* options, size_t size) {
  const orlop_options defaults = ORLOP_OPTIONS_INIT;
  if (options == nullptr || size < sizeof defaults.size) return;
  std::memset(options, 0, size);
  std::memcpy(options, &defaults, std::min(size, sizeof defaults));
  std::memcpy(options, &size, sizeof size);
}

orlop_error* orlop_options_set(orlop_options* options, const char* name, const char* value) {
  return guard([&]() -> Result<void> {
    if (options == nullptr) return misuse("options is NULL");
    if (name == nullptr || value == nullptr) return misuse(name == nullptr ? "name is NULL" : "value is NULL");
    ORLOP_TRY(member, find_member(*options, name));
    return Setter(*options, *find_option(name), member->offset).set(value);
  });
}

orlop_error* orlop_options_set_port(orlop_options* options, const char* name, const void* port) {
  return guard([&]() -> Result<void> {
    if (options == nullptr) return misuse("options is NULL");
    if (name == nullptr) return misuse("name is NULL");
    ORLOP_TRY(member, find_member(*options, name));
    if (find_option(name)->kind != OptionKind::port)
      return misuse(std::string(name) + " is not a port: set it with orlop_options_set");
    std::memcpy(reinterpret_cast<char*>(options) + member->offset, &port, sizeof port);
    return {};
  });
}

}  // extern "C"
