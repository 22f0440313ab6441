// Requests that control a simulation, the same for HTTP and for hosts in every language:
//
//   GET, POST, PUT, DELETE /-/sim/rules      rules, transitions and pack (rules/rule_set.h)
//   GET, POST, DELETE      /-/sim/faults     faults (faults.h)
//   GET, POST, DELETE      /-/sim/externals  answers of external systems (scripted_external_systems.h)
//   GET, POST, DELETE      /-/sim/domains    domains (domains.h)
//   GET, POST, DELETE      /-/sim/sources    images, charts and commits (sources/sources.h)
//   GET, POST              /-/sim/clock      the virtual time; {"advance": "2h"}, or {"until_idle": true} or
//                                            {"until_ended": deployment} with a "timeout"
//   POST                   /-/sim/state      {"resource": id}: releases it; with "state": sets it; with "hold": true:
//                                            holds it
//   GET, POST, DELETE      /-/sim/capacity   nodes of clusters (Simulator::set_capacity)
//   GET, POST              /-/sim/record     what the feed keeps
//   GET, PUT               /-/sim/snapshot   as orlop_snapshot; PUT goes back to it in place
//   GET                    /-/sim/openapi.json  description of these requests (control_description.h)
#pragma once

#include <string_view>

#include "base/result.h"
#include "rest/exchange.h"

namespace orlop {

class Simulator;

bool is_control_path(std::string_view path);

// `request` must have such a path. A refusal is a reply.
Result<Reply> control(Simulator& simulator, const Request& request);

}  // namespace orlop
