// Settings of a cluster's capacity, as JSON: {"nodes": 3, "nodes_max": 10, "cpu": 4, "memory": "16GiB", "pods": 110,
// "price": 0.2, "scale_up_after": "2m", "scale_down_after": "10m", "reschedule_after": "1m", "start_after": "10s"}.
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

std::span<const std::string_view> capacity_members();

// Applies the members of `given` to `before`; without it nodes, cpu and memory are required. Error invalid, with the
// member, its value and the values allowed.
Result<CapacitySettings> read_capacity(const Value& given, const std::optional<CapacitySettings>& before);
// Writes the members as read_capacity() reads them.
void write_capacity(Writer& out, const CapacitySettings& settings);

// Returns what this step of a service, task or cluster needs; nullopt if it needs no capacity. `configuration`: the
// record, perhaps with more members.
std::optional<CapacityNeed> need_of(StepKind kind, const Value& configuration);
// Returns the need of a step, including that of its roll-out.
std::optional<CapacityNeed> need_of(const Step& step, const Value& configuration);

}  // namespace orlop
