// The scripted webhook sender of a simulation: rules determine what the receivers of messages answer, and how often.
#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "base/port.h"

namespace orlop {

// Answer of receivers whose address matches the pattern.
struct ScriptedAnswer {
  std::string url = "*";
  std::uint16_t status = 200;  // 0: the receiver cannot be reached
  std::string text;
  std::uint32_t times = 0;  // number of messages before it is used up; 0: no limit
};

// Threads: every function may be called from any thread.
class ScriptedWebhookSender final : public WebhookSender {
 public:
  // Called from inside deliver().
  using Report = std::function<void(DeliveryReport report)>;
  explicit ScriptedWebhookSender(Report report) : report_(std::move(report)) {}

  // Adds the answer before all others.
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
  // Answers at once: by the first answer that matches, else with 200.
  Result<void> deliver(const Delivery& delivery) override;

 private:
  DeliveryReport answer(const Delivery& delivery);

  Report report_;
  mutable std::mutex mutex_;
  std::vector<ScriptedAnswer> answers_;
};

}  // namespace orlop
