#include "deploy/run/deadlines.h"

namespace orlop {

void Deadlines::take_due(Instant now, std::vector<Id>& steps) {
  while (!entries_.empty()) {
    const Entry entry = entries_.begin().key();
    if (entry.at > now) return;
    steps.push_back(entry.step);
    entries_.erase(entry);
  }
}

}  // namespace orlop
