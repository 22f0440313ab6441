// What is set of the capacity of a cluster, as JSON: {"nodes": 3, "nodes_max": 10, "cpu": 4, "memory": "16GiB", "pods":
// 110, "price": 0.2, "scale_up_after": "2m", "scale_down_after": "10m", "reschedule_after": "1m", "start_after":
// "10s"}.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "base/result.h"
#include "deploy/driver/driver.h"
#include "model/value.h"
#include "sim/capacity/nodes.h"
#include "wire/writer.h"

namespace orlop {

inline constexpr std::uint32_t nodes_max = 10'000;

// The members beside the cluster.
std::span<const std::string_view> capacity_members();

// What is given, on top of `before`; without it nodes, cpu and memory are required. Error invalid: the member, what was
// given and what is allowed.
Result<CapacitySettings> read_capacity(const Value& given, const std::optional<CapacitySettings>& before);
// The members, as read_capacity() takes them.
void write_capacity(Writer& out, const CapacitySettings& settings);

// What this step of a service, task or cluster needs; nothing if it needs no room. `configuration`: the record, perhaps
// with more.
std::optional<CapacityNeed> need_of(StepKind kind, const Value& configuration);
// The same, with what a roll-out of it needs.
std::optional<CapacityNeed> need_of(const Step& step, const Value& configuration);

}  // namespace orlop
