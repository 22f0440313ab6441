#include "virtual_calls.h"

#include <utility>

#include "call.h"
#include "host.h"

namespace orlop_python {

std::uint64_t VirtualCalls::add(orlop::Engine& engine, orlop::Instant at, const py::object& callable) {
  const std::uint64_t number = ++last_;
  Waiting& waiting = waiting_.emplace(number, Waiting{this, number, callable}).first->second;
  try {
    call([&] { engine.call_at(at, &VirtualCalls::make, &waiting); });
  } catch (...) {
    waiting_.erase(number);
    throw;
  }
  return number;
}

void VirtualCalls::cancel(orlop::Engine& engine, std::uint64_t number) {
  const auto found = waiting_.find(number);
  if (found == waiting_.end()) return;
  Waiting& waiting = found->second;
  if (call([&] { return engine.cancel_call(&VirtualCalls::make, &waiting); }) != 0) waiting_.erase(number);
}

void VirtualCalls::make(void* waiting) {
  with_python([waiting] {
    Waiting& due = *static_cast<Waiting*>(waiting);
    const py::object callable = std::move(due.callable);
    due.owner->waiting_.erase(due.number);
    try {
      callable();
    } catch (const py::error_already_set& raised) { keep(raised); }
  });
}

}  // namespace orlop_python
