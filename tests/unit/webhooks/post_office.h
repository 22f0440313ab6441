// A platform with webhooks, and a webhook sender that the test controls: it reports nothing by itself.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine.h"
#include "model/value.h"
#include "sim/seeded_random_source.h"
#include "sim/virtual_clock.h"

namespace orlop::tests {

class ManualWebhookSender final : public WebhookSender {
 public:
  Result<void> deliver(const Delivery& delivery) override {
    taken.push_back(delivery);
    if (!refusal.empty()) return make_error(ErrorCode::driver_failed, refusal);
    return {};
  }
  std::vector<Delivery> taken;
  std::string refusal;
};

class PostOffice {
 public:
  // `path`: of an SQLite file that is made anew; "" for memory. Makes an organization with an environment.
  explicit PostOffice(const std::string& path = "");

  // The engine is lost as it stands, and opened again on its file.
  void crash(std::vector<std::string> webhook_allow = {});
  void lose_webhook_sender() { has_webhook_sender_ = false, crash(); }
  void find_webhook_sender() { has_webhook_sender_ = true, crash(); }

  // The body of the answer, which must have that status.
  Value ask(std::string_view method, const std::string& path, std::string_view body, std::uint16_t status);
  // The id of a webhook that hears of every start; `more` are further members, each with its comma before it.
  std::string add_webhook(std::string_view more = "", std::string_view url = "https://hooks.example.com/x");
  // A deployment from begin to end: each webhook gets one message.
  void deploy();
  std::vector<Value> events(const std::string& webhook);

  // Ticks until nothing is left to do now.
  void settle();
  void pass(Duration time);
  void answer(const Delivery& delivery, std::uint16_t status, std::string text = "");
  // What the webhook sender was given since the last call.
  std::vector<Delivery> take();
  std::optional<Instant> wanted() { return *engine_->tick(); }

  ManualWebhookSender webhook_sender;
  Engine& engine() { return *engine_; }
  Instant now() { return clock_.now(); }
  const std::string& organization() const { return organization_; }

 private:
  void open(std::vector<std::string> webhook_allow);

  VirtualClock clock_;
  SeededRandomSource random_source_;
  std::string storage_;
  bool has_webhook_sender_ = true;
  std::unique_ptr<Engine> engine_;
  std::string organization_;
  std::string environment_;
};

}  // namespace orlop::tests
