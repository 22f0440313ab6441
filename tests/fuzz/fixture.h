// A small platform for the inputs: created once, and opened from its snapshot for each input.
#pragma once

#include <memory>
#include <string>

#include "engine.h"
#include "fuzz/input.h"
#include "platform.h"
#include "sim/seeded_random_source.h"
#include "sim/virtual_clock.h"

namespace orlop::fuzz {

// Every family has a record, and a deployment is under way.
const std::string& sample_snapshot();
// Ids of its records.
const Platform& sample_platform();

// An engine in memory; null if the snapshot is refused.
class Fixture {
 public:
  explicit Fixture(std::string_view snapshot);
  bool is_open() const { return engine_ != nullptr; }
  const Error& refusal() const { return refusal_; }
  Engine& engine() { return *engine_; }
  Store& store() { return *store_; }
  // Ticks and advances the clock to the next due time, up to `ticks` times; ends at an error.
  void pass(std::uint64_t ticks);

 private:
  VirtualClock clock_{Instant{1'767'225'600'000}};
  SeededRandomSource random_source_{1};
  std::shared_ptr<Store> store_;
  std::unique_ptr<Engine> engine_;
  Error refusal_{ErrorCode::internal, {}, {}};
};

// Requires that every record's parent and references exist, and that a snapshot of the store can be restored and gives
// the same snapshot.
void require_whole(Fixture& fixture, std::string_view after);

}  // namespace orlop::fuzz
