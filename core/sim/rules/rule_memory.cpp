#include "sim/rules/rule_set.h"

namespace orlop {

class RuleSet::Memory {
 public:
  Layers layers;
  Readers configuration_readers;
  Readers name_readers;
  FlatMap<Id, std::shared_ptr<const Rule>> running;
};

std::shared_ptr<const RuleSet::Memory> RuleSet::memory() const {
  const std::lock_guard lock(mutex_);
  auto memory = std::make_shared<Memory>();
  memory->layers = layers_;
  memory->configuration_readers = configuration_readers_;
  memory->name_readers = name_readers_;
  memory->running = running_;
  return memory;
}

void RuleSet::go_back(const Memory& memory) {
  const std::lock_guard lock(mutex_);
  layers_ = memory.layers;
  configuration_readers_ = memory.configuration_readers;
  name_readers_ = memory.name_readers;
  note_readers();
  restored_ = UINT64_MAX;  // the driver has the rules of its steps
  running_ = memory.running;
  note_running();
}

}  // namespace orlop
