#include "lifecycle/event.h"

#include <cstddef>
#include <iterator>

namespace orlop {
namespace {

// By number; 0 is not an event.
constexpr std::string_view service_spellings[] = {
    "",
#define ORLOP_SERVICE_EVENT(name, number, ...) #name,
#include "lifecycle/events.def"
};
constexpr std::string_view cluster_spellings[] = {
    "",
#define ORLOP_CLUSTER_EVENT(name, number, ...) #name,
#include "lifecycle/events.def"
};
constexpr std::string_view task_spellings[] = {
    "",
#define ORLOP_TASK_EVENT(name, number, ...) #name,
#include "lifecycle/events.def"
};

#define ORLOP_SERVICE_EVENT(name, number, ...) static_assert(service_spellings[number] == #name);
#define ORLOP_CLUSTER_EVENT(name, number, ...) static_assert(cluster_spellings[number] == #name);
#define ORLOP_TASK_EVENT(name, number, ...) static_assert(task_spellings[number] == #name);
#include "lifecycle/events.def"

template <std::size_t Count, typename Event>
std::string_view spelling(const std::string_view (&spellings)[Count], Event event) {
  const auto number = static_cast<std::size_t>(event);
  return spellings[number < Count ? number : 0];
}

}  // namespace

std::string_view to_string(ServiceEvent event) { return spelling(service_spellings, event); }
std::string_view to_string(ClusterEvent event) { return spelling(cluster_spellings, event); }
std::string_view to_string(TaskEvent event) { return spelling(task_spellings, event); }

}  // namespace orlop
