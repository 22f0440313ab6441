// The capacity of the clusters of a simulation.
#include <cmath>
#include <string>
#include <string_view>

#include "guard.h"
#include "instance.h"
#include "ports/callbacks.h"
#include "sim/capacity/capacity_settings.h"
#include "sim/rules/distribution.h"
#include "versioned.h"

using namespace orlop;
using namespace orlop::c;

namespace {

Result<void> set_duration(Value& out, std::string_view name, std::int64_t milliseconds) {
  if (milliseconds < 0 || milliseconds > simulated_ms_max) {
    return make_error(ErrorCode::invalid, "capacity." + std::string(name) + "_ms must be 0 to " +
                                              std::to_string(simulated_ms_max) + ", not " +
                                              std::to_string(milliseconds));
  }
  if (milliseconds != 0) out.set(name, Value(std::to_string(milliseconds) + "ms"));
  return {};
}

// Converts the struct to the JSON form of a capacity.
Result<Value> read_members(orlop_text cluster, const orlop_capacity* given) {
  ORLOP_TRY(capacity, read_versioned(given, orlop_capacity{}, sizeof(orlop_capacity), "the capacity"));
  ORLOP_CHECK(check_text(cluster, "cluster"));
  if (!std::isfinite(capacity.price))
    return make_error(ErrorCode::invalid,
                      "capacity.price must be the price of a node for an hour, 0 to 1000000000, not " +
                          std::to_string(capacity.price));
  if (capacity.cpu_milli < 1 || capacity.cpu_milli > 1'000'000) {
    return make_error(ErrorCode::invalid,
                      "capacity.cpu_milli must be 1 to 1000000, not " + std::to_string(capacity.cpu_milli));
  }
  Value out = Value::object();
  out.set("cluster", Value(view_of(cluster)));
  out.set("nodes", Value(static_cast<std::int64_t>(capacity.nodes)));
  out.set("nodes_max", Value(static_cast<std::int64_t>(capacity.nodes_max == 0 ? capacity.nodes : capacity.nodes_max)));
  out.set("cpu", Value(std::to_string(capacity.cpu_milli) + "m"));
  out.set("memory", Value(capacity.memory_mb));
  if (capacity.pods != 0) out.set("pods", Value(static_cast<std::int64_t>(capacity.pods)));
  out.set("price", Value(capacity.price));
  ORLOP_CHECK(set_duration(out, "scale_up_after", capacity.scale_up_after_ms));
  ORLOP_CHECK(set_duration(out, "scale_down_after", capacity.scale_down_after_ms));
  ORLOP_CHECK(set_duration(out, "reschedule_after", capacity.reschedule_after_ms));
  ORLOP_CHECK(set_duration(out, "start_after", capacity.start_after_ms));
  return out;
}

}  // namespace

extern "C" {

orlop_error* orlop_capacity_set(orlop_engine* engine, orlop_text cluster, const orlop_capacity* capacity) {
  return guard([&]() -> Result<void> {
    ORLOP_TRY(host, host_of(engine));
    ORLOP_TRY(simulator, host->simulator());
    ORLOP_TRY(given, read_members(cluster, capacity));
    return simulator->set_capacity(given);
  });
}

orlop_error* orlop_nodes_lose(orlop_engine* engine, orlop_text cluster, uint32_t nodes, int64_t back_after_ms) {
  return guard([&]() -> Result<void> {
    ORLOP_TRY(host, host_of(engine));
    ORLOP_TRY(simulator, host->simulator());
    ORLOP_CHECK(check_text(cluster, "cluster"));
    if (back_after_ms < 0 || back_after_ms > simulated_ms_max) {
      return make_error(ErrorCode::invalid, "back_after_ms must be 0 to " + std::to_string(simulated_ms_max) +
                                                ", not " + std::to_string(back_after_ms));
    }
    if (nodes < 1 || nodes > nodes_max) {
      return make_error(ErrorCode::invalid,
                        "nodes must be 1 to " + std::to_string(nodes_max) + ", not " + std::to_string(nodes));
    }
    Value given = Value::object();
    given.set("cluster", Value(view_of(cluster)));
    given.set("lose", Value(static_cast<std::int64_t>(nodes)));
    if (back_after_ms != 0) given.set("for", Value(std::to_string(back_after_ms) + "ms"));
    return simulator->set_capacity(given);
  });
}

orlop_error* orlop_capacity_clear(orlop_engine* engine) {
  return guard([&]() -> Result<void> {
    ORLOP_TRY(host, host_of(engine));
    ORLOP_TRY(simulator, host->simulator());
    return simulator->clear_capacity();
  });
}

}  // extern "C"
