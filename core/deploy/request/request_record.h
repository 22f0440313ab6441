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
  std::vector<Id> services;  // of a selection, ascending; empty with `has_rows`
  // Included services that another request held when this one was made: they are queued when this one begins.
  // Ascending.
  std::vector<Id> following;
  // Each order that is merged into a waiting request rewrites its lists. If a list is long, what is added is therefore
  // marked in the rows of the services instead.
  bool has_rows = false;            // the rows of the selected services name this request; `services` is empty
  bool has_following_rows = false;  // services whose Machine::number is this request's follow, too
  // Included services left to later commits while the request is in the state `queuing`. Ascending.
  std::vector<Id> queuing;
  Value overrides = Value::object();  // by service id
  ForcedEvent forced = ForcedEvent::none;
  std::optional<CancelMode> cancel;
  std::optional<Instant> started_at;
  std::optional<Instant> ended_at;
  std::optional<ServiceState> status;
  std::string reason;  // why nothing could be done; empty if something was done
  // Services of a delete as they were when it began: JSON list of entries of "stages"; empty if none.
  std::string planned;
  std::string stages;  // JSON text; empty until the request has ended

  // Action detail of its services when the action begins, shared by all of them.
  const CopyOnWrite<ActionDetail>& action_detail() const {
    if (action_detail_->execution_id != execution_id) action_detail_.edit().execution_id = execution_id;
    return action_detail_;
  }

 private:
  mutable CopyOnWrite<ActionDetail> action_detail_;
};

Result<RequestBody> parse_request(std::string_view text);

// Appends the entries of another list in the form of `planned` to the request's.
void add_planned(RequestBody& body, std::string_view planned);
std::size_t planned_count(const RequestBody& body);

std::string to_json(const RequestBody& body);

// "<uuid>-<epoch seconds>".
std::string make_execution_id(const Id& id, Instant at);

}  // namespace orlop
