#include "records/bulk_jobs/part_bound.h"

namespace orlop {

std::size_t PartBound::cost() {
  const Changes& changes = unit_.changes();
  for (; seen_ < changes.records.size(); ++seen_)
    text_ += changes.records[seen_].record.body.size() + changes.records[seen_].record.secrets.size();
  return changes.erasures.size() * change_cost::erasure + changes.records.size() * change_cost::record +
         text_ / 1024 * change_cost::kilobyte + changes.machines.size() * change_cost::machine +
         changes.events.size() * change_cost::event;
}

}  // namespace orlop
