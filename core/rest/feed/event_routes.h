// The feed over HTTP: requests below /-/events.
//
//   GET /-/events?since=&limit=&organization=&request=&subject=&kind=
//     {"events": […], "next": N}. With `Accept: text/event-stream` an event stream, which ends in an event without data
//     whose id is N.
//   DELETE /-/events?through=N
//     Removes events that no consumer needs.
//   GET /-/events/consumers
//     {"results": […]}
//   GET, PUT, DELETE /-/events/consumers/{name}
//     PUT registers, or acknowledges: {"acknowledged": N}
//
// A caller sees the events of its organizations; a caller with a custom role those of the resources that it may view.
// All requests but the first are for the host only.
#pragma once

#include <string_view>

#include "base/options/settings.h"
#include "base/result.h"
#include "base/source.h"
#include "commit/commit.h"
#include "rest/exchange.h"
#include "rest/request.h"
#include "unit/operation.h"

namespace orlop {

bool is_feed_path(std::string_view path);

// Parts of the engine that the feed uses.
struct FeedContext {
  Store& store;
  Committer& committer;
  RandomSource& random_source;
  const Settings& settings;
  Instant now;
};

// Answers a request of the feed. Errors: invalid, forbidden, not_found, method_not_allowed, conflict, events_forgotten,
// those of the store.
Result<Answer> answer_feed(const FeedContext& context, const Request& request, const RequestTarget& target,
                           const Caller& caller);

// Removes events up to `through`, in several commits. Returns the number of the first event that is left.
Result<std::uint64_t> forget_events(Committer& committer, std::uint64_t through);

}  // namespace orlop
