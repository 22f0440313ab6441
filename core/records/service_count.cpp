#include "records/service_count.h"

#include "model/registry.h"

namespace orlop {

Result<bool> has_more_services(Unit& unit, std::span<const Id> environments, std::uint64_t than) {
  ORLOP_TRY(counts, unit.stored().counts({.keys = environments, .enough = than + 1}));
  std::uint64_t services = 0;
  for (const RecordCount& count : counts) {
    if (is_service(count.family)) services += count.count;
  }
  return services > than;
}

}  // namespace orlop
