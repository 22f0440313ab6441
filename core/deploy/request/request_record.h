// A deployment request as its record stores it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/id.h"
#include "base/instant.h"
#include "base/result.h"
#include "deploy/request/deployment_request.h"
#include "lifecycle/state.h"
#include "model/value.h"

namespace orlop {

struct RequestBody {
  Id id;
  Id environment;
  Instant created_at;
  Action action = Action::none;
  std::string origin;
  std::string triggered_by;
  std::string execution_id;
  bool whole_environment = false;
  std::vector<Id> services;  // of a selection, ascending; none with `has_rows`
  // Included, but held by another request when this one was made: they are queued when this one begins. Ascending.
  std::vector<Id> following;
  // A waiting request that takes orders in would write its lists again with each. Once they are long, the services' own
  // rows say what is added.
  bool has_rows = false;            // the services of a selection are those whose rows name this request
  bool has_following_rows = false;  // those follow, too, whose rows have the number of this request (Machine::number)
  // Included, and left to later commits, while the request is in the state `queuing`. Ascending.
  std::vector<Id> queuing;
  Value overrides = Value::object();  // by service id
  ForcedEvent forced = ForcedEvent::none;
  std::optional<CancelMode> cancel;
  std::optional<Instant> started_at;
  std::optional<Instant> ended_at;
  std::optional<ServiceState> status;
  std::string reason;  // why nothing could be done; "" if something was done
  // Of a delete: the services as they were when it began, a JSON list of entries of "stages"; "" for none.
  std::string planned;
  std::string stages;  // JSON text; "" until it has ended

  // What is known of the action of each of its services when it begins, for all of them together.
  const CopyOnWrite<ActionDetail>& action_detail() const {
    if (action_detail_->execution_id != execution_id) action_detail_.edit().execution_id = execution_id;
    return action_detail_;
  }

 private:
  mutable CopyOnWrite<ActionDetail> action_detail_;
};

Result<RequestBody> parse_request(std::string_view text);

// Adds the entries of another list, which is in the form of `planned`, to a request's.
void add_planned(RequestBody& body, std::string_view planned);
// How many entries `planned` has.
std::size_t planned_count(const RequestBody& body);

std::string to_json(const RequestBody& body);

// "<uuid>-<epoch seconds>".
std::string make_execution_id(const Id& id, Instant at);

}  // namespace orlop
