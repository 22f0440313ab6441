#include "unit/webhooks/post_office.h"

#include <gtest/gtest.h>

#include <utility>

#include "wire/json.h"

namespace orlop::tests {

PostOffice::PostOffice(const std::string& path) : clock_({1'767'225'600'000}), random_source_(5), storage_("memory:") {
  if (!path.empty()) {
    for (const char* ending : {"", "-wal", "-shm"}) std::filesystem::remove(path + ending);
    storage_ = "sqlite:" + path;
  }
  open({});
  organization_ = ask("POST", "/organization", R"({"name": "acme", "plan": "FREE"})", 201).text_or("id", "");
  const std::string below = "/organization/" + organization_;
  ask("POST", below + "/cluster", R"({"name": "europe", "region": "eu-west-3", "cloud_provider": "AWS"})", 201);
  const std::string project(ask("POST", below + "/project", R"({"name": "shop"})", 200).text_or("id", ""));
  environment_ =
      ask("POST", "/project/" + project + "/environment", R"({"name": "production"})", 201).text_or("id", "");
  ask("POST", "/environment/" + environment_ + "/database",
      R"({"name": "orders", "type": "POSTGRESQL", "version": "16", "mode": "CONTAINER"})", 201);
}

void PostOffice::open(std::vector<std::string> webhook_allow) {
  EngineOptions options;
  options.storage = storage_;
  options.clock = &clock_;
  options.random_source = &random_source_;
  options.settings.require_cluster = false;
  options.settings.webhook_sender = has_webhook_sender_ ? &webhook_sender : nullptr;
  options.settings.webhook_allow = std::move(webhook_allow);
  auto opened = Engine::open(std::move(options));
  ASSERT_TRUE(opened);
  engine_ = std::move(*opened);
}

void PostOffice::crash(std::vector<std::string> webhook_allow) {
  engine_.reset();
  open(std::move(webhook_allow));
}

Value PostOffice::ask(std::string_view method, const std::string& path, std::string_view body, std::uint16_t status) {
  Request request;
  request.method = method;
  request.path = path;
  request.body = body;
  const auto reply = engine_->dispatch(request);
  EXPECT_TRUE(reply) << path;
  if (!reply) return {};
  EXPECT_EQ(reply->status, status) << path << ": " << reply->body;
  return reply->body.empty() ? Value() : *parse_json(reply->body);
}

std::string PostOffice::add_webhook(std::string_view more, std::string_view url) {
  const std::string body = R"({"kind": "STANDARD", "events": ["DEPLOYMENT_STARTED"], "target_url": ")" +
                           std::string(url) + "\"" + std::string(more) + "}";
  return std::string(ask("POST", "/organization/" + organization_ + "/webhook", body, 201).text_or("id", ""));
}

void PostOffice::deploy() {
  ask("POST", "/environment/" + environment_ + "/deploy", "", 202);
  settle();
}

std::vector<Value> PostOffice::events(const std::string& webhook) {
  return ask("GET", "/organization/" + organization_ + "/webhook/" + webhook + "/event", "", 200)
      .find("results")
      ->items();
}

void PostOffice::settle() {
  for (int round = 0; round < 10'000; ++round) {
    const auto due = engine_->tick();
    ASSERT_TRUE(due) << due.error().message;
    const bool is_due = *due && **due <= clock_.now();
    if (!engine_->is_ready() && !is_due) return;
  }
  FAIL() << "it never comes to rest";
}

void PostOffice::pass(Duration time) {
  clock_.move_to(clock_.now() + time);
  settle();
}

void PostOffice::answer(const Delivery& delivery, std::uint16_t status, std::string text) {
  engine_->report_delivery({delivery.id, status, std::move(text)});
  settle();
}

std::vector<Delivery> PostOffice::take() { return std::exchange(webhook_sender.taken, {}); }

}  // namespace orlop::tests
