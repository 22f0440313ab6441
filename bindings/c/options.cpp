#include "options.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/target.h"
#include "guard.h"
#include "storage.h"
#include "store/cipher.h"
#include "versioned.h"

namespace orlop::c {
namespace {

constexpr std::int64_t default_start_ms = 1'767'225'600'000;   // 2026-01-01T00:00:00Z
constexpr std::int64_t last_start_ms = 253'402'300'799'999;    // the end of the year 9999
constexpr std::int64_t deadline_ms_max = 366LL * 86'400'000;   // a year
constexpr std::uint32_t parallel_max = 100'000;
constexpr std::uint32_t history_min = 20;
constexpr std::size_t brand_size_max = 32;
constexpr std::size_t version_count_max = 1000;
constexpr std::size_t version_size_max = 64;
constexpr std::size_t allow_count_max = 1000;
constexpr std::size_t key_count_max = 100;

Error out_of_bounds(const char* member, std::int64_t given, std::int64_t from, std::int64_t to) {
  return misuse("options." + std::string(member) + " must be " + std::to_string(from) + " to " + std::to_string(to) + ", or 0 for the default; not " +
                std::to_string(given));
}

// Puts a number that was given (not 0) into a setting.
template <typename Number, typename Setting>
Result<void> put(const char* member, Number given, std::int64_t from, std::int64_t to, Setting& setting) {
  const auto number = static_cast<std::int64_t>(given);
  if (number == 0) return {};
  if (number < from || number > to) return out_of_bounds(member, number, from, to);
  setting = static_cast<Setting>(number);
  return {};
}

Result<void> put_brand(orlop_text given, std::string& brand) {
  ORLOP_CHECK(check_text(given, "options.brand"));
  const std::string_view text = view_of(given);
  if (text.empty()) return {};
  if (text.size() > brand_size_max || text.find_first_not_of("abcdefghijklmnopqrstuvwxyz") != std::string_view::npos) {
    return misuse("options.brand must be 1 to 32 lower case letters, not \"" + std::string(text.substr(0, brand_size_max)) + "\"");
  }
  brand = text;
  return {};
}

Result<void> put_storage(const orlop_options& given, ParsedOptions& parsed) {
  ORLOP_CHECK(check_text(given.storage, "options.storage"));
  const std::string_view text = view_of(given.storage);
  if (text.find('\0') != std::string_view::npos) return misuse("options.storage holds a zero byte");
  if (!text.empty()) parsed.engine.storage = text;
  ORLOP_CHECK(check_text(given.snapshot, "options.snapshot"));
  parsed.engine.snapshot = view_of(given.snapshot);
  if (given.store == nullptr) return {};
  if (!text.empty()) return misuse("options.storage must be empty where options.store is given");
  ORLOP_TRY(store, read_store(given.store));
  parsed.store = store;
  return {};
}

Result<void> put_key(orlop_text given, const char* what, std::string& key) {
  ORLOP_CHECK(check_text(given, what));
  if (given.size != 0 && given.size != Cipher::key_size) {
    return misuse(std::string(what) + " must have " + std::to_string(Cipher::key_size) + " bytes, not " + std::to_string(given.size));
  }
  key = view_of(given);
  return {};
}

Result<void> put_keys(const orlop_options& given, SealingKeys& keys) {
  ORLOP_CHECK(put_key(given.secret_key, "options.secret_key", keys.current));
  if (given.previous_secret_key_count > key_count_max) {
    return out_of_bounds("previous_secret_key_count", static_cast<std::int64_t>(given.previous_secret_key_count), 1, key_count_max);
  }
  if (given.previous_secret_key_count == 0) return {};
  if (given.previous_secret_keys == nullptr) return misuse("options.previous_secret_keys is NULL but its count is not 0");
  if (keys.current.empty()) return misuse("options.previous_secret_keys needs a secret_key that takes over from them");
  for (std::size_t index = 0; index < given.previous_secret_key_count; ++index) {
    const char* what = "a key of options.previous_secret_keys";
    ORLOP_CHECK(put_key(given.previous_secret_keys[index], what, keys.previous.emplace_back()));
    if (keys.previous.back().empty()) return misuse(std::string(what) + " is empty");
  }
  return {};
}

// The host's callbacks, where it gave some.
Result<void> put_callbacks(const orlop_options& given, ParsedOptions& parsed) {
  if (given.driver != nullptr) {
    ORLOP_TRY(driver, read_versioned(given.driver, orlop_driver{}, offsetof(orlop_driver, cancel), "the driver"));
    if (driver.start == nullptr) return misuse("the driver's start is NULL");
    parsed.driver = driver;
  }
  if (given.clock != nullptr) {
    ORLOP_TRY(clock, read_versioned(given.clock, orlop_clock{}, offsetof(orlop_clock, release), "the clock"));
    if (clock.now == nullptr) return misuse("the clock's now is NULL");
    parsed.clock = clock;
  }
  if (given.random_source != nullptr) {
    ORLOP_TRY(random_source, read_versioned(given.random_source, orlop_random_source{}, offsetof(orlop_random_source, release), "the random source"));
    if (random_source.draw == nullptr) return misuse("the random source's draw is NULL");
    parsed.random_source = random_source;
  }
  return {};
}

Result<void> put_ports(const orlop_options& given, ParsedOptions& parsed) {
  if (given.log != nullptr) {
    ORLOP_TRY(log, read_versioned(given.log, orlop_log{}, offsetof(orlop_log, release), "the log"));
    if (log.write == nullptr) return misuse("the log's write is NULL");
    parsed.log = log;
  }
  if (given.token_authenticator != nullptr) {
    ORLOP_TRY(token_authenticator, read_versioned(given.token_authenticator, orlop_token_authenticator{}, offsetof(orlop_token_authenticator, release), "the token authenticator"));
    if (token_authenticator.verify == nullptr) return misuse("the token authenticator's verify is NULL");
    parsed.token_authenticator = token_authenticator;
  }
  if (given.policy_evaluator != nullptr) {
    ORLOP_TRY(policy_evaluator, read_versioned(given.policy_evaluator, orlop_policy_evaluator{}, offsetof(orlop_policy_evaluator, release), "the policy evaluator"));
    if (policy_evaluator.allows == nullptr) return misuse("the policy evaluator's allows is NULL");
    parsed.policy_evaluator = policy_evaluator;
  }
  if (given.git_provider != nullptr) {
    ORLOP_TRY(git_provider, read_versioned(given.git_provider, orlop_git_provider{}, offsetof(orlop_git_provider, release), "the git provider"));
    if (git_provider.find_hook == nullptr) return misuse("the git provider's find_hook is NULL");
    parsed.git_provider = git_provider;
  }
  if (given.webhook_sender != nullptr) {
    ORLOP_TRY(webhook_sender, read_versioned(given.webhook_sender, orlop_webhook_sender{}, offsetof(orlop_webhook_sender, release), "the webhook sender"));
    if (webhook_sender.deliver == nullptr) return misuse("the webhook sender's deliver is NULL");
    parsed.webhook_sender = webhook_sender;
  }
  return {};
}

Result<void> put_versions(const orlop_options& given, std::vector<std::string>& versions) {
  if (given.kubernetes_version_count > version_count_max) {
    return out_of_bounds("kubernetes_version_count", static_cast<std::int64_t>(given.kubernetes_version_count), 1, version_count_max);
  }
  if (given.kubernetes_version_count != 0 && given.kubernetes_versions == nullptr) {
    return misuse("options.kubernetes_versions is NULL but its count is not 0");
  }
  for (std::size_t index = 0; index < given.kubernetes_version_count; ++index) {
    ORLOP_CHECK(check_text(given.kubernetes_versions[index], "a version of options.kubernetes_versions"));
    const std::string_view version = view_of(given.kubernetes_versions[index]);
    if (version.empty() || version.size() > version_size_max) return misuse("a version of options.kubernetes_versions must have 1 to 64 bytes");
    if (std::ranges::find(versions, version) != versions.end()) {
      return misuse("options.kubernetes_versions names \"" + std::string(version) + "\" twice");
    }
    versions.emplace_back(version);
  }
  return {};
}

Result<void> put_webhook_allow(const orlop_options& given, std::vector<std::string>& allow) {
  if (given.webhook_allow_count > allow_count_max) {
    return out_of_bounds("webhook_allow_count", static_cast<std::int64_t>(given.webhook_allow_count), 1, allow_count_max);
  }
  if (given.webhook_allow_count != 0 && given.webhook_allow == nullptr) return misuse("options.webhook_allow is NULL but its count is not 0");
  for (std::size_t index = 0; index < given.webhook_allow_count; ++index) {
    ORLOP_CHECK(check_text(given.webhook_allow[index], "an entry of options.webhook_allow"));
    const std::string_view entry = view_of(given.webhook_allow[index]);
    if (!is_allow_entry(entry)) {
      return misuse("options.webhook_allow must hold names of hosts, addresses and ranges like 10.0.0.0/8, not \"" +
                    std::string(entry.substr(0, 64)) + "\"");
    }
    allow.emplace_back(entry);
  }
  return {};
}

// Who proves who they are has a bound, unless another or none is chosen.
void put_rate_limit(std::uint32_t given, Settings& settings) {
  constexpr std::uint32_t usual = 1000;
  if (given == 0) given = settings.authentication == Authentication::required ? usual : UINT32_MAX;
  settings.rate_limit = given == UINT32_MAX ? 0 : given;
}

Result<void> put_simulation(const orlop_options& given, ParsedOptions& parsed) {
  parsed.is_simulation = given.simulation != 0;
  parsed.is_seeded = given.seeded != 0 || parsed.is_simulation;
  parsed.seed = given.seed;
  parsed.start = {given.start_ms == 0 ? default_start_ms : given.start_ms};
  if (given.start_ms < 0 || given.start_ms > last_start_ms) return out_of_bounds("start_ms", given.start_ms, 1, last_start_ms);
  if (parsed.is_simulation && parsed.clock) return misuse("a simulation has a clock of its own; options.clock must be NULL");
  if (parsed.is_seeded && parsed.random_source) return misuse("random numbers cannot come from both options.seed and options.random_source");
  return {};
}

Result<void> put_settings(const orlop_options& given, Settings& settings) {
  ORLOP_CHECK(put_brand(given.brand, settings.brand));
  ORLOP_CHECK(put("busy", given.busy, ORLOP_BUSY_QUEUE, ORLOP_BUSY_REJECT, settings.busy));
  ORLOP_CHECK(put("max_parallel_builds", given.max_parallel_builds, 1, parallel_max, settings.max_parallel_builds));
  ORLOP_CHECK(put("max_parallel_deploys", given.max_parallel_deploys, 1, parallel_max, settings.max_parallel_deploys));
  ORLOP_CHECK(put("step_deadline_ms", given.step_deadline_ms, 1, deadline_ms_max, settings.step_deadline.milliseconds));
  ORLOP_CHECK(put("cancel_deadline_ms", given.cancel_deadline_ms, 1, deadline_ms_max, settings.cancel_deadline.milliseconds));
  ORLOP_CHECK(put("history_kept", given.history_kept, history_min, UINT32_MAX, settings.history_kept));
  ORLOP_CHECK(put("authentication", given.authentication, ORLOP_AUTHENTICATION_OFF, ORLOP_AUTHENTICATION_REQUIRED, settings.authentication));
  put_rate_limit(given.rate_limit, settings);
  bool is_cluster_optional = false;
  ORLOP_CHECK(put("require_cluster", given.require_cluster, ORLOP_REQUIRE_CLUSTER_YES, ORLOP_REQUIRE_CLUSTER_NO, is_cluster_optional));
  settings.require_cluster = !is_cluster_optional;
  ORLOP_CHECK(put("catalogs", given.catalogs, ORLOP_CATALOGS_KNOWN, ORLOP_CATALOGS_OPEN, settings.open_catalogs));
  ORLOP_CHECK(put_webhook_allow(given, settings.webhook_allow));
  return put_versions(given, settings.kubernetes_versions);
}

}  // namespace

Result<ParsedOptions> read_options(const orlop_options* options) {
  const orlop_options defaults = ORLOP_OPTIONS_INIT;
  ORLOP_TRY(given, read_versioned(options == nullptr ? &defaults : options, defaults, offsetof(orlop_options, durability), "options"));
  ParsedOptions parsed;
  ORLOP_CHECK(put_storage(given, parsed));
  ORLOP_CHECK(put_keys(given, parsed.engine.keys));
  ORLOP_CHECK(put("durability", given.durability, ORLOP_DURABILITY_FULL, ORLOP_DURABILITY_NORMAL, parsed.engine.durability));
  if (given.mmap_size > mmap_size_max) {
    return misuse("options.mmap_size must be 0 to " + std::to_string(mmap_size_max) + ", not " + std::to_string(given.mmap_size));
  }
  parsed.engine.mmap_size = given.mmap_size;
  ORLOP_CHECK(put_settings(given, parsed.engine.settings));
  ORLOP_CHECK(put_callbacks(given, parsed));
  ORLOP_CHECK(put_ports(given, parsed));
  ORLOP_CHECK(put_simulation(given, parsed));
  return parsed;
}

}  // namespace orlop::c
