#include "lifecycle/event.h"

namespace orlop {

std::string_view word_of(ServiceEvent event) {
  switch (event) {
#define ORLOP_SERVICE_EVENT(name, number) \
  case ServiceEvent::name:                \
    return #name;
#include "lifecycle/events.def"
  }
  return "";
}

std::string_view word_of(ClusterEvent event) {
  switch (event) {
#define ORLOP_CLUSTER_EVENT(name, number) \
  case ClusterEvent::name:                \
    return #name;
#include "lifecycle/events.def"
  }
  return "";
}

std::optional<ServiceEvent> parse_service_event(std::string_view word) {
#define ORLOP_SERVICE_EVENT(name, number) \
  if (word == #name) return ServiceEvent::name;
#include "lifecycle/events.def"
  return std::nullopt;
}

std::optional<ClusterEvent> parse_cluster_event(std::string_view word) {
#define ORLOP_CLUSTER_EVENT(name, number) \
  if (word == #name) return ClusterEvent::name;
#include "lifecycle/events.def"
  return std::nullopt;
}

}  // namespace orlop
