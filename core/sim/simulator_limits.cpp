// Events about the limits of a simulation's external systems.
#include <string>
#include <utility>
#include <vector>

#include "model/registry.h"
#include "sim/simulator.h"
#include "wire/writer.h"

namespace orlop {
namespace {

Event event_of(const ExternalRefusal& refusal) {
  Event event;
  event.kind = EventKind::progress;
  event.family = find_family("organization")->number;
  event.subject = refusal.organization;
  event.organization = refusal.organization;
  Writer out;
  out.begin_object().field("rule", refusal.rule).field("question", refusal.question).field("error", refusal.error);
  out.field("over", static_cast<std::int64_t>(refusal.allowance.over));
  if (refusal.allowance.per) out.field("per", static_cast<double>(refusal.allowance.per->milliseconds) / 1000);
  out.end_object();
  event.detail = std::move(out).take();
  return event;
}

}  // namespace

// Emits an event for each refusal, as soon as no transaction is open.
Result<void> Simulator::settle_limits() {
  if (!external_systems_.has_refusals()) return {};
  const std::vector<ExternalRefusal> refusals = external_systems_.take_refusals();
  return engine_->perform([&](Unit& unit) -> Result<void> {
    for (const ExternalRefusal& refusal : refusals) unit.emit(event_of(refusal));
    return {};
  });
}

}  // namespace orlop
