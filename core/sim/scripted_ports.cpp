#include "sim/scripted_ports.h"

#include <algorithm>

#include "deploy/driver/scripted_driver.h"

namespace orlop {

void ScriptedWebhookSender::add(ScriptedAnswer answer) {
  const std::lock_guard lock(mutex_);
  answers_.insert(answers_.begin(), std::move(answer));
}

void ScriptedWebhookSender::clear() {
  const std::lock_guard lock(mutex_);
  answers_.clear();
}

DeliveryReport ScriptedWebhookSender::answer(const Delivery& delivery) {
  const std::lock_guard lock(mutex_);
  const auto found =
      std::ranges::find_if(answers_, [&](const ScriptedAnswer& answer) { return matches(answer.url, delivery.url); });
  if (found == answers_.end()) return {delivery.id, 200, ""};
  DeliveryReport report{delivery.id, found->status, found->text};
  if (found->times != 0 && --found->times == 0) answers_.erase(found);
  return report;
}

Result<void> ScriptedWebhookSender::deliver(const Delivery& delivery) {
  report_(answer(delivery));
  return {};
}

}  // namespace orlop
