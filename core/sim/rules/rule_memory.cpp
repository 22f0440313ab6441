#include "sim/rules/rule_set.h"

namespace orlop {

class RuleSet::Memory {
 public:
  Layers layers;
  std::vector<Reader> readers;
  FlatMap<Id, std::shared_ptr<const Rule>> running;
};

std::shared_ptr<const RuleSet::Memory> RuleSet::memory() const {
  const std::lock_guard lock(mutex_);
  auto memory = std::make_shared<Memory>();
  memory->layers = layers_;
  memory->readers = readers_;
  memory->running = running_;
  return memory;
}

void RuleSet::go_back(const Memory& memory) {
  const std::lock_guard lock(mutex_);
  layers_ = memory.layers;
  readers_ = memory.readers;
  restored_ = UINT64_MAX;  // the driver knows its steps
  running_ = memory.running;
}

}  // namespace orlop
