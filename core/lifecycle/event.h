// What happens to a service, a cluster or a task, as enums.
#pragma once

#include <cstdint>
#include <string_view>

namespace orlop {

enum class ServiceEvent : std::uint8_t {
#define ORLOP_SERVICE_EVENT(name, number, ...) name = number,
#include "lifecycle/events.def"
};

enum class ClusterEvent : std::uint8_t {
#define ORLOP_CLUSTER_EVENT(name, number, ...) name = number,
#include "lifecycle/events.def"
};

enum class TaskEvent : std::uint8_t {
#define ORLOP_TASK_EVENT(name, number, ...) name = number,
#include "lifecycle/events.def"
};

// The number of events of a kind. Their numbers count from 1.
template <typename Event>
inline constexpr int event_count = 0;
template <>
inline constexpr int event_count<ServiceEvent> = 0
#define ORLOP_SERVICE_EVENT(...) +1
#include "lifecycle/events.def"
    ;
template <>
inline constexpr int event_count<ClusterEvent> = 0
#define ORLOP_CLUSTER_EVENT(...) +1
#include "lifecycle/events.def"
    ;
template <>
inline constexpr int event_count<TaskEvent> = 0
#define ORLOP_TASK_EVENT(...) +1
#include "lifecycle/events.def"
    ;

// "request_deploy"; static storage.
std::string_view to_string(ServiceEvent event);
std::string_view to_string(ClusterEvent event);
std::string_view to_string(TaskEvent event);

}  // namespace orlop
