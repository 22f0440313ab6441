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
  // `path`: path of a new SQLite file; "" for memory. Creates an organization with an environment.
  explicit PostOffice(const std::string& path = "");

  // Destroys the engine without closing it, and opens another one on its file.
  void crash(std::vector<std::string> webhook_allow = {});
  void lose_webhook_sender() { has_webhook_sender_ = false, crash(); }
  void find_webhook_sender() { has_webhook_sender_ = true, crash(); }

  // Sends a request; returns the body of the answer, which must have this status.
  Value ask(std::string_view method, const std::string& path, std::string_view body, std::uint16_t status);
  // Creates a webhook for every start of a deployment and returns its id; `more`: further members, each preceded by a
  // comma.
  std::string add_webhook(std::string_view more = "", std::string_view url = "https://hooks.example.com/x");
  // Runs a deployment from begin to end: each webhook gets one message.
  void deploy();
  std::vector<Value> events(const std::string& webhook);

  // Ticks until nothing is left to do now.
  void settle();
  void pass(Duration time);
  void answer(const Delivery& delivery, std::uint16_t status, std::string text = "");
  // Returns the deliveries that the webhook sender received since the last call.
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
