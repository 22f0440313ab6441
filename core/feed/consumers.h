// Consumers of the feed that have registered a name. Events that the slowest of them has not acknowledged stay in the
// feed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "feed/consumer.h"
#include "unit/unit.h"

namespace orlop {

inline constexpr std::size_t consumers_max = 100;

// Registers the consumer: the events that the feed holds now are kept for it. A registered consumer is not changed.
// Errors: invalid (a name has 1 to 64 characters of a to z, A to Z, 0 to 9, '.', '_' and '-'), conflict (there are
// consumers_max).
Result<EventConsumer> register_consumer(Unit& unit, std::string_view name);
// Allows the removal of events up to `number`. A number at or before the last acknowledged one changes nothing. Errors:
// not_found, invalid (there is no such event yet).
Result<EventConsumer> acknowledge_events(Unit& unit, std::string_view name, std::uint64_t number);
// Error not_found.
Result<void> unregister_consumer(Unit& unit, std::string_view name);
// Error not_found.
Result<EventConsumer> find_consumer(Unit& unit, std::string_view name);
// In the order of registration.
Result<std::vector<EventConsumer>> all_consumers(Unit& unit);

// Returns the number of the first event in the feed; that of the next event if the feed is empty.
Result<std::uint64_t> first_event(Transaction& store);

}  // namespace orlop
