// The scripted webhook sender of a simulation: rules say what the receivers of messages answer, and how often.
#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "base/port.h"

namespace orlop {

// What receivers answer whose address fits the pattern.
struct ScriptedAnswer {
  std::string url = "*";
  std::uint16_t status = 200;  // 0: the receiver cannot be reached
  std::string text;
  std::uint32_t times = 0;  // how many messages it answers before it is used up; 0: no bound
};

// Threads: every function may be called from any thread.
class ScriptedWebhookSender final : public WebhookSender {
 public:
  // Called from inside deliver().
  using Report = std::function<void(DeliveryReport report)>;
  explicit ScriptedWebhookSender(Report report) : report_(std::move(report)) {}

  // Before all others.
  void add(ScriptedAnswer answer);
  void clear();
  std::vector<ScriptedAnswer> all() const {
    const std::lock_guard lock(mutex_);
    return answers_;
  }
  void set_all(std::vector<ScriptedAnswer> all) {
    const std::lock_guard lock(mutex_);
    answers_ = std::move(all);
  }
  // Answered at once: as the first that fits says; where none does, with 200.
  Result<void> deliver(const Delivery& delivery) override;

 private:
  DeliveryReport answer(const Delivery& delivery);

  Report report_;
  mutable std::mutex mutex_;
  std::vector<ScriptedAnswer> answers_;
};

}  // namespace orlop
