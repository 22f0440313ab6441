#include "options/options.h"

#include <cstddef>
#include <string>
#include <string_view>

#include "guard.h"
#include "ports/callbacks.h"
#include "ports/external_systems.h"
#include "storage/host_store.h"
#include "versioned.h"

namespace orlop::c {
namespace {

const Option& option_of(std::string_view name) { return *find_option(name); }

// Reads a port, if it is set. Accepts every version that has the first function, which must not be NULL.
template <typename Port, typename Function>
Result<void> read_port(const Port* given, std::optional<Port>& read, Function Port::*required, const char* function,
                       const Option& option) {
  if (given == nullptr) return {};
  const std::string name = port_noun(option.name);
  const Port layout{};
  const auto first_end =
      reinterpret_cast<const char*>(&(layout.*required)) + sizeof(Function) - reinterpret_cast<const char*>(&layout);
  ORLOP_TRY(port, read_versioned(given, Port{}, static_cast<std::size_t>(first_end), name.c_str()));
  if (port.*required == nullptr) return misuse(name + "'s " + function + " is NULL");
  read = port;
  return {};
}

// Reads a store, which must have its required functions (read_store).
Result<void> read_port(const orlop_store* given, std::optional<orlop_store>& read,
                       decltype(orlop_store::begin) orlop_store::*, const char*, const Option&) {
  if (given == nullptr) return {};
  ORLOP_TRY(store, read_store(given));
  read = store;
  return {};
}

// Reads an AEAD, which must have both functions.
Result<void> read_port(const orlop_aead* given, std::optional<orlop_aead>& read,
                       decltype(orlop_aead::encrypt) orlop_aead::*, const char*, const Option&) {
  if (given == nullptr) return {};
  ORLOP_TRY(aead, read_versioned(given, orlop_aead{}, offsetof(orlop_aead, release), "the aead"));
  if (aead.encrypt == nullptr || aead.decrypt == nullptr)
    return misuse(std::string("the aead's ") + (aead.encrypt == nullptr ? "encrypt" : "decrypt") + " is NULL");
  read = aead;
  return {};
}

// Name of the member of orlop_options for each kind of option.
#define ORLOP_GIVEN_text(name) name
#define ORLOP_GIVEN_name(name) name
#define ORLOP_GIVEN_path(name) name
#define ORLOP_GIVEN_bytes(name) name
#define ORLOP_GIVEN_folder(name) name
#define ORLOP_GIVEN_key(name) name
#define ORLOP_GIVEN_keys(name) name
#define ORLOP_GIVEN_texts(name) name
#define ORLOP_GIVEN_count(name) name
#define ORLOP_GIVEN_limit(name) name
#define ORLOP_GIVEN_size(name) name
#define ORLOP_GIVEN_flag(name) name
#define ORLOP_GIVEN_duration(name) name##_ms
#define ORLOP_GIVEN_instant(name) name##_ms
#define ORLOP_GIVEN_seed(name) name

// Reads an option into the struct of its group.
#define ORLOP_READ_opening(member, name) ORLOP_CHECK(read_option(given.member, parsed.engine.name, option_of(#name)));
#define ORLOP_READ_rules(member, name) \
  ORLOP_CHECK(read_option(given.member, parsed.engine.settings.name, option_of(#name)));
#define ORLOP_READ_simulation(member, name) ORLOP_CHECK(read_option(given.member, parsed.name, option_of(#name)));
#define ORLOP_READ_keys(member, name) ORLOP_CHECK(read_option(given.member, parsed.name, option_of(#name)));

Result<void> read_values(const orlop_options& given, ParsedOptions& parsed) {
#define ORLOP_OPTION(group, kind, name, ...) ORLOP_READ_##group(ORLOP_GIVEN_##kind(name), name)
#define ORLOP_CHOICE(group, name, ...) ORLOP_READ_##group(name, name)
#define ORLOP_PORT(group, name, Type, required, ...) \
  ORLOP_CHECK(read_port(given.name, parsed.name, &orlop_##name::required, #required, option_of(#name)));
#include "base/options/options.def"
  if (given.seeded == 0) parsed.seed.reset();
  return {};
}

// Checks the options that depend on each other.
Result<void> check_together(ParsedOptions& parsed) {
  const std::string_view storage = parsed.engine.storage;
  if (parsed.store && !storage.empty() && storage != option_of("storage").initial.text) {
    return misuse("options.storage must be left at its default where options.store is given");
  }
  if (!parsed.previous_secret_keys.empty() && parsed.secret_key.empty()) {
    return misuse("options.previous_secret_keys needs a secret_key that takes over from them");
  }
  if (parsed.simulation && parsed.clock)
    return misuse("a simulation has a clock of its own; options.clock must be NULL");
  if (parsed.simulation && !parsed.seed) parsed.seed = 0;
  if (parsed.seed && parsed.random_source)
    return misuse("random numbers cannot follow from both options.seed and options.random_source");
  if (parsed.external_systems) ORLOP_CHECK(questions_of(*parsed.external_systems));
  return {};
}

}  // namespace

Result<ParsedOptions> read_options(const orlop_options* options) {
  constexpr std::uint32_t usual_rate_limit = 1000;
  const orlop_options defaults = ORLOP_OPTIONS_INIT;
  ORLOP_TRY(given, read_versioned(options == nullptr ? &defaults : options, defaults, offsetof(orlop_options, log),
                                  "options"));
  ParsedOptions parsed;
  ORLOP_CHECK(read_values(given, parsed));
  ORLOP_CHECK(check_together(parsed));
  parsed.engine.keys.current = parsed.secret_key;
  parsed.engine.keys.previous = parsed.previous_secret_keys;
  Settings& settings = parsed.engine.settings;
  if (!settings.rate_limit && settings.authentication == Authentication::required)
    settings.rate_limit = usual_rate_limit;
  return parsed;
}

}  // namespace orlop::c
