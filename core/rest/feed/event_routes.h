// The feed over HTTP: what answers below /-/events, beside the interface of the platform.
//
//   GET /-/events?since=&limit=&organization=&request=&subject=&kind=   {"events": […], "next": N}; with `Accept:
//   text/event-stream` the same as events of a stream, behind
//                                                                       which an event without data has the number N as
//                                                                       its id
//   DELETE /-/events?through=N                                          removes events, as far as no consumer needs
//   them GET /-/events/consumers                                             {"results": […]} GET, PUT, DELETE
//   /-/events/consumers/{name}                         PUT registers, or acknowledges: {"acknowledged": N}
//
// A caller sees the events of its organizations; one with a custom role those of what it may look at. All but the first
// line is for the host.
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

// What the feed needs of the engine.
struct FeedContext {
  Store& store;
  Committer& committer;
  RandomSource& random_source;
  const Settings& settings;
  Instant now;
};

// Errors: those of the interface (invalid, forbidden, not_found, method_not_allowed, conflict, events_forgotten) and of
// the store.
Result<Answer> answer_feed(const FeedContext& context, const Request& request, const RequestTarget& target,
                           const Caller& caller);

// Removes events up to `through`, in as many commits as that takes. The number of the first that is left.
Result<std::uint64_t> forget_events(Committer& committer, std::uint64_t through);

}  // namespace orlop
