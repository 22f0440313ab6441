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

struct Opening {
  EngineOptions engine;
  std::optional<orlop_log> log;
  std::optional<orlop_driver> driver;
  std::optional<orlop_clock> clock;
  std::optional<orlop_entropy> entropy;
  std::optional<orlop_verifier> verifier;
  std::optional<orlop_judge> judge;
  std::optional<orlop_git_host> git_host;
  std::optional<orlop_courier> courier;
  std::optional<orlop_store> store;
  bool is_simulation = false;
  bool is_seeded = false;
  std::uint64_t seed = 0;
  Instant start;
};

// `options` may be NULL, older (smaller), or newer (larger, if what this library does not know is 0). Errors: misuse, invalid.
Result<Opening> read_options(const orlop_options* options);

}  // namespace orlop::c
