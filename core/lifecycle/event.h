// Events of services, clusters and tasks as enums.
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

// Number of events of a kind. Event numbers start at 1.
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

// Returns the name in lower case, as in "request_deploy"; static storage.
std::string_view to_string(ServiceEvent event);
std::string_view to_string(ClusterEvent event);
std::string_view to_string(TaskEvent event);

}  // namespace orlop
