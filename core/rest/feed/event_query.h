// Which events a reader of the feed wants, and the reading of them.
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

// Events that fit all of it. Nil ids and an empty list stand for any.
struct EventQuery {
  std::uint64_t since = 0;  // only greater numbers; 0: from the first that is kept
  std::size_t limit = 1000;
  Id organization = {};
  Id request = {};
  Id subject = {};
  std::vector<std::string> kinds = {};  // as kind_of() names them, or "step.*" for all that begin with "step."
};

struct EventPage {
  std::vector<Event> events;
  std::uint64_t next = 0;  // `since` of the next call: events up to here were looked at
  bool has_more = false;   // there are events beyond it, which were not looked at
};

// A kind is up to 64 lower case letters, digits, '.', '_' and '-', or ends in ".*". Errors: invalid, naming the kind;
// more than event_kinds_max.
Result<void> check_kinds(const std::vector<std::string>& kinds);

// Whether the caller of a query may see the event.
using EventFilter = std::function<Result<bool>(const Event&)>;

// The next events, at most `limit`. Of a request or subject by an index; else the feed is walked, 10,000 events by call
// at most. `filter` may be null; it is called when the events have been read, and may use the transaction. Errors:
// events_forgotten (`since` is not 0, and events behind it were removed).
Result<EventPage> read_page(Transaction& store, const EventQuery& query, const EventFilter& filter = nullptr);

}  // namespace orlop
