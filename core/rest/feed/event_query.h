// Queries of the feed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/id.h"
#include "base/result.h"
#include "store/store.h"

namespace orlop {

inline constexpr std::size_t event_kinds_max = 100;

// A query for the events that match all members. Nil ids and an empty list match any.
struct EventQuery {
  std::uint64_t since = 0;  // only greater numbers; 0: from the first event that is kept
  std::size_t limit = 1000;
  Id organization = {};
  Id request = {};
  Id subject = {};
  std::vector<std::string> kinds = {};  // names of kind_of(), or "step.*" for all that begin with "step."
};

struct EventPage {
  std::vector<Event> events;
  std::uint64_t next = 0;  // `since` of the next call: the last event that was read
  bool has_more = false;   // there may be later events, which were not read
};

// Checks kinds: at most event_kinds_max, each up to 64 lower case letters, digits, '.', '_' and '-', or ending in ".*".
// Errors: invalid, with the kind in the message.
Result<void> check_kinds(const std::vector<std::string>& kinds);

// Reports whether the caller of a query may see the event.
using EventFilter = std::function<Result<bool>(const Event&)>;

// Reads the next matching events, at most `limit`. Uses an index for a request or subject; else reads the feed, at most
// 10,000 events for each call. `filter` may be null; it is called after the events were read, and may use the
// transaction. Errors: events_forgotten (`since` is not 0, and events after it were removed).
Result<EventPage> read_page(Transaction& store, const EventQuery& query, const EventFilter& filter = nullptr);

}  // namespace orlop
