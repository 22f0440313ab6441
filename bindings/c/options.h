// orlop_options as the core's: versions made up for, bounds checked, texts copied.
#pragma once

#include <cstdint>
#include <optional>

#include "base/result.h"
#include "engine.h"
#include "orlop/driver.h"
#include "orlop/orlop.h"
#include "orlop/ports.h"
#include "orlop/storage.h"

namespace orlop::c {

struct ParsedOptions {
  EngineOptions engine;
  std::optional<orlop_log> log;
  std::optional<orlop_driver> driver;
  std::optional<orlop_clock> clock;
  std::optional<orlop_random_source> random_source;
  std::optional<orlop_token_authenticator> token_authenticator;
  std::optional<orlop_policy_evaluator> policy_evaluator;
  std::optional<orlop_git_provider> git_provider;
  std::optional<orlop_webhook_sender> webhook_sender;
  std::optional<orlop_store> store;
  bool is_simulation = false;
  bool is_seeded = false;
  std::uint64_t seed = 0;
  Instant start;
};

// `options` may be NULL, older (smaller), or newer (larger, if what this library does not know is 0). Errors: misuse, invalid.
Result<ParsedOptions> read_options(const orlop_options* options);

}  // namespace orlop::c
