// Consumers of the feed that have registered a name. What the slowest of them has not acknowledged is not removed from
// the feed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "feed/consumer.h"
#include "unit/unit.h"

namespace orlop {

inline constexpr std::size_t consumers_max = 100;

// Registers the consumer: what the feed holds now is kept for it. One that is registered stays as it is. Errors:
// invalid (the name has 1 to 64 characters of a to z, A to Z, 0 to 9, '.', '_' and '-'), conflict (there are
// consumers_max).
Result<EventConsumer> register_consumer(Unit& unit, std::string_view name);
// Events up to `number` may be removed. One that was acknowledged before is no error and changes nothing. Errors:
// not_found, invalid (there is no such event yet).
Result<EventConsumer> acknowledge_events(Unit& unit, std::string_view name, std::uint64_t number);
// Error not_found.
Result<void> unregister_consumer(Unit& unit, std::string_view name);
// Error not_found.
Result<EventConsumer> find_consumer(Unit& unit, std::string_view name);
// In ascending order of their registration.
Result<std::vector<EventConsumer>> all_consumers(Unit& unit);

// The number of the first event that the feed holds; that of the next one if it holds none.
Result<std::uint64_t> first_event(Transaction& store);

}  // namespace orlop
