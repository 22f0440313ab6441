// What the driver last saw of a service's workload: the parts of its running state that its row has no room for.
#include <algorithm>
#include <array>
#include <iterator>

#include "base/family_number.h"
#include "catalogs/observation_shape.h"
#include "model/family.h"

namespace orlop::families::observation {
namespace {

constexpr auto fields = [] {
  std::array<Field, std::size(observation_fields) + 1> made;
  *std::ranges::copy(observation_fields, made.begin()).out =
      boolean("is_unhealthy", "True since the service was last unhealthy, until it has recovered. Absent: false.");
  return made;
}();

}  // namespace

extern const Family family;
constexpr Family family = {
    .number = observation_number,
    .name = "observation",
    .schema = "ObservationRecord",
    .about = "What the driver last saw of a service's workload.",
    .parents = {"application", "container", "database", "helm", "job", "terraform", "argocd_app"},
    .fields = fields,
    .verbs = 0,
    .name_scope = NameScope::none,
    .is_internal = true,
    .has_events = false,
    .is_cloned = false,
    .sample = R"({"restarts": 1})",
};

}  // namespace orlop::families::observation
