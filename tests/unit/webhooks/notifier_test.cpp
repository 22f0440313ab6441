// Messages from the event to the receiver: attempts, answers, recoveries, and the end of a webhook.
#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <string>

#include "store/open.h"
#include "store/store.h"
#include "unit/scratch.h"
#include "unit/webhooks/post_office.h"
#include "webhooks/delivery.h"
#include "webhooks/message.h"
#include "webhooks/queue.h"
#include "webhooks/schedule.h"

namespace orlop::tests {
namespace {

std::string header(const Delivery& delivery, std::string_view name) {
  for (const auto& [key, value] : delivery.headers) {
    if (key == name) return value;
  }
  return "";
}

TEST(Notifier, CarriesOutWhatWasStored) {
  PostOffice office;
  const std::string webhook = office.add_webhook(R"(, "target_secret": "hush")");
  office.deploy();
  const auto taken = office.take();
  ASSERT_EQ(taken.size(), 1U);
  const Delivery& delivery = taken[0];
  EXPECT_EQ(to_text(delivery.webhook), webhook);
  EXPECT_EQ(to_text(delivery.organization), office.organization());
  EXPECT_EQ(delivery.url, "https://hooks.example.com/x");
  EXPECT_EQ(delivery.attempt, 1U);
  EXPECT_EQ(header(delivery, "webhook-id"), to_text(delivery.id));
  EXPECT_EQ(header(delivery, "webhook-signature"),
            signature_of(header(delivery, "webhook-id"), header(delivery, "webhook-timestamp"), delivery.body, "hush"));
  EXPECT_EQ(header(delivery, "platform-signature"), header(delivery, "webhook-signature"));
  EXPECT_EQ(office.events(webhook)[0].text_or("status", ""), "SENDING");

  office.answer(delivery, 204);
  const Value event = office.events(webhook)[0];
  EXPECT_EQ(event.text_or("status", ""), "DELIVERED");
  EXPECT_EQ(event.integer_or("target_response_status_code", 0), 204);
  EXPECT_EQ(event.integer_or("attempts", 0), 1);
  EXPECT_FALSE(event.has("next_attempt_at"));
  EXPECT_EQ(office.wanted(), std::nullopt);
  EXPECT_TRUE(office.take().empty());
}

TEST(Notifier, TriesAgainByTheSchedule) {
  PostOffice office;
  const std::string webhook = office.add_webhook();
  office.deploy();
  Delivery first = office.take().at(0);
  std::uint32_t attempt = 1;
  for (const Duration delay : retry_delays) {
    office.answer(first, attempt % 2 == 0 ? 0 : 500, "no");
    EXPECT_EQ(office.events(webhook)[0].text_or("status", ""), "WAITING");
    EXPECT_EQ(office.events(webhook)[0].text_or("next_attempt_at", ""), to_text(office.now() + delay));
    EXPECT_EQ(office.wanted(), office.now() + delay);
    office.pass({delay.milliseconds - 1});
    EXPECT_TRUE(office.take().empty());
    office.pass({1});
    const auto taken = office.take();
    ASSERT_EQ(taken.size(), 1U);
    EXPECT_EQ(taken[0].id, first.id);
    EXPECT_EQ(taken[0].body, first.body);
    EXPECT_EQ(taken[0].attempt, ++attempt);
    EXPECT_EQ(header(taken[0], "webhook-timestamp"), std::to_string(office.now().milliseconds / 1000));
  }
  office.answer(first, 503, "still no");
  const Value event = office.events(webhook)[0];
  EXPECT_EQ(event.text_or("status", ""), "FAILED");
  EXPECT_EQ(event.integer_or("attempts", 0), 10);
  EXPECT_EQ(event.integer_or("target_response_status_code", 0), 503);
  EXPECT_EQ(event.text_or("target_response_body", ""), "still no");
  EXPECT_EQ(office.wanted(), std::nullopt);
}

TEST(Notifier, CountsSilenceAndRefusalAsFailures) {
  PostOffice office;
  const std::string webhook = office.add_webhook();
  office.deploy();
  EXPECT_EQ(office.wanted(), office.now() + answer_time_max);
  office.pass(answer_time_max);
  EXPECT_EQ(office.events(webhook)[0].text_or("target_response_body", ""),
            "the webhook sender did not say in time how it went");
  EXPECT_EQ(office.events(webhook)[0].text_or("status", ""), "WAITING");
  const Delivery first = office.take().at(0);
  // A late failure changes nothing, a late success ends the message.
  const Value waiting = office.events(webhook)[0];
  office.pass(seconds(1));
  office.answer(first, 500);
  EXPECT_EQ(office.events(webhook)[0], waiting);
  office.answer(first, 200);
  EXPECT_EQ(office.events(webhook)[0].text_or("status", ""), "DELIVERED");
  EXPECT_EQ(office.wanted(), std::nullopt);

  office.webhook_sender.refusal = "too many";
  office.deploy();
  EXPECT_EQ(office.events(webhook)[0].text_or("target_response_body", ""), "too many");
  EXPECT_EQ(office.wanted(), office.now() + retry_delays[0]);
}

TEST(Notifier, SendsTheSameAfterALossOfMemory) {
  PostOffice office(tests::scratch_file("notifier_crash.db"));
  const std::string webhook = office.add_webhook(R"(, "target_secret": "hush")");
  office.deploy();
  const Delivery before = office.take().at(0);
  office.crash();
  office.pass(seconds(7));
  const auto after = office.take();
  ASSERT_EQ(after.size(), 1U);
  EXPECT_EQ(after[0].id, before.id);
  EXPECT_EQ(after[0].attempt, before.attempt);
  EXPECT_EQ(after[0].headers, before.headers);
  EXPECT_EQ(after[0].body, before.body);
  office.answer(after[0], 500);
  office.crash();
  office.settle();
  EXPECT_TRUE(office.take().empty()) << "it waits for its time after a recovery too";
  office.pass(seconds(5));
  office.answer(office.take().at(0), 200);
  office.crash();
  office.pass(seconds(86'400));
  EXPECT_TRUE(office.take().empty());
  EXPECT_EQ(office.events(webhook).size(), 1U);
}

TEST(Notifier, LetsMessagesWaitForACourier) {
  PostOffice office(tests::scratch_file("notifier_without.db"));
  office.lose_webhook_sender();
  const std::string webhook = office.add_webhook();
  office.deploy();
  EXPECT_EQ(office.wanted(), std::nullopt);
  EXPECT_EQ(office.events(webhook)[0].text_or("status", ""), "WAITING");
  office.find_webhook_sender();
  office.settle();
  EXPECT_EQ(office.take().size(), 1U);
}

TEST(Notifier, DisablesAWebhookThatIsGone) {
  PostOffice office;
  const std::string webhook = office.add_webhook();
  office.deploy();
  office.deploy();
  const auto taken = office.take();
  ASSERT_EQ(taken.size(), 2U);
  office.answer(taken[0], 410);
  const std::string path = "/organization/" + office.organization() + "/webhook/" + webhook;
  EXPECT_FALSE(office.ask("GET", path, "", 200).boolean_or("enabled", true));
  EXPECT_EQ(office.events(webhook)[1].text_or("status", ""), "FAILED");
  EXPECT_EQ(office.events(webhook)[0].text_or("status", ""), "DROPPED");
  office.answer(taken[1], 200);
  EXPECT_EQ(office.events(webhook)[0].text_or("status", ""), "DROPPED");
  office.deploy();
  office.pass(seconds(200'000));
  EXPECT_TRUE(office.take().empty());
  EXPECT_EQ(office.events(webhook).size(), 2U);
}

TEST(Notifier, ForgetsADeletedWebhook) {
  PostOffice office;
  const std::string webhook = office.add_webhook();
  office.deploy();
  const Delivery delivery = office.take().at(0);
  office.answer(delivery, 500);
  office.ask("DELETE", "/organization/" + office.organization() + "/webhook/" + webhook, "", 204);
  office.pass(seconds(200'000));
  office.answer(delivery, 200);
  EXPECT_TRUE(office.take().empty());
  EXPECT_EQ(office.wanted(), std::nullopt);
}

TEST(Notifier, SendsAgainWhenAsked) {
  PostOffice office;
  const std::string webhook = office.add_webhook();
  const std::string events = "/organization/" + office.organization() + "/webhook/" + webhook + "/event/";
  office.deploy();
  const Delivery delivery = office.take().at(0);
  office.ask("POST", events + to_text(delivery.id) + "/replay", "", 202);
  office.settle();
  EXPECT_TRUE(office.take().empty()) << "it is on its way";
  office.answer(delivery, 200);
  EXPECT_EQ(office.ask("POST", events + to_text(delivery.id) + "/replay", "", 202).text_or("status", ""), "WAITING");
  office.settle();
  const auto again = office.take();
  ASSERT_EQ(again.size(), 1U);
  EXPECT_EQ(again[0].id, delivery.id);
  EXPECT_EQ(again[0].attempt, 1U);
  office.answer(again[0], 500);
  office.ask("POST", events + to_text(delivery.id) + "/replay", "", 202);
  office.settle();
  EXPECT_EQ(office.take().at(0).attempt, 2U) << "its next attempt, before its time";
}

TEST(Notifier, FollowsAnEditOfTheAddress) {
  PostOffice office;
  const std::string webhook = office.add_webhook();
  office.deploy();
  office.answer(office.take().at(0), 500);
  office.ask("PUT", "/organization/" + office.organization() + "/webhook/" + webhook,
             R"({"kind": "STANDARD", "events": ["DEPLOYMENT_STARTED"], "target_url": "https://other.example.com/"})",
             200);
  office.pass(seconds(5));
  EXPECT_EQ(office.take().at(0).url, "https://other.example.com/");
  EXPECT_EQ(office.events(webhook)[0].text_or("target_url_used", ""), "https://other.example.com/");
}

// The allow list may have become shorter since the webhook was created.
TEST(Notifier, LooksAtTheAddressAgainBeforeItSends) {
  PostOffice office(tests::scratch_file("notifier_allow.db"));
  office.crash({"10.0.0.0/8"});
  const std::string webhook = office.add_webhook("", "http://10.0.0.7/x");
  office.deploy();
  EXPECT_EQ(office.take().size(), 1U);
  office.crash();
  office.settle();
  EXPECT_TRUE(office.take().empty());
  EXPECT_TRUE(std::string(office.events(webhook)[0].text_or("target_response_body", ""))
                  .starts_with("target_url must begin with https://"));
}

TEST(Notifier, KeepsABoundedLog) {
  PostOffice office;
  const std::string webhook = office.add_webhook();
  for (std::size_t count = 0; count < log_kept + 20; ++count) {
    office.deploy();
    for (const Delivery& delivery : office.take()) office.answer(delivery, 200);
  }
  EXPECT_EQ(office.events(webhook).size(), log_kept);
}

TEST(Notifier, LetsNoReceiverHoldUpAnother) {
  PostOffice office;
  office.add_webhook("", "https://slow.example.com/");
  for (int count = 0; count < 6; ++count) office.deploy();
  EXPECT_EQ(office.take().size(), DeliveryQueue::sending_of_receiver_max);
  office.add_webhook("", "https://quick.example.com/");
  office.deploy();
  const auto taken = office.take();
  ASSERT_EQ(taken.size(), 1U);
  EXPECT_EQ(taken[0].url, "https://quick.example.com/");
}

TEST(Notifier, TriesNothingAtAReceiverThatGivesNoAnswer) {
  PostOffice office;
  const std::string webhook = office.add_webhook("", "https://dead.example.com/");
  for (int count = 0; count < 20; ++count) office.deploy();
  for (int round = 0; round < 2; ++round) {
    const auto sent = office.take();
    EXPECT_EQ(sent.size(), DeliveryQueue::sending_of_receiver_max);
    for (const Delivery& delivery : sent) office.answer(delivery, 0, "timeout");
  }
  EXPECT_TRUE(office.take().empty());
  office.add_webhook("", "https://quick.example.com/");
  office.deploy();
  EXPECT_EQ(office.take().size(), 1U) << "another host of the organization";
  office.pass(DeliveryQueue::pause_min);
  auto probe = office.take();
  ASSERT_EQ(probe.size(), 1U);
  office.answer(probe[0], 0, "timeout");
  std::map<std::string, int> reasons;
  for (const Value& event : office.events(webhook)) {
    EXPECT_EQ(event.text_or("status", ""), "WAITING");
    EXPECT_GE(event.integer_or("attempts", 0), 1);
    EXPECT_TRUE(event.has("next_attempt_at"));
    ++reasons[std::string(event.text_or("target_response_body", ""))];
  }
  EXPECT_EQ(reasons["not sent: the receiver has given no answer to 5 attempts or more in a row"], 13);
  EXPECT_EQ(reasons["timeout"], 8) << "those that were sent wait for their next attempt";
  office.pass(Duration{2 * DeliveryQueue::pause_min.milliseconds});
  probe = office.take();
  ASSERT_EQ(probe.size(), 1U);
  office.answer(probe[0], 200);
  for (int round = 0; round < 30; ++round) {
    office.pass(seconds(60));
    for (const Delivery& delivery : office.take()) office.answer(delivery, 200);
  }
  for (const Value& event : office.events(webhook)) EXPECT_EQ(event.text_or("status", ""), "DELIVERED");
}

void spoil(const std::string& path, const Id& id) {
  const auto store = open_store("sqlite:" + path, Durability::normal);
  ASSERT_TRUE(store);
  const auto transaction = (*store)->begin(Access::write);
  ASSERT_TRUE(transaction);
  auto record = (*transaction)->record(id);
  ASSERT_TRUE(record && *record);
  Record spoiled = **record;
  spoiled.body = "{";
  const std::uint64_t revision = spoiled.revision++;
  Changes changes;
  changes.records.push_back({std::move(spoiled), revision, std::nullopt, std::nullopt});
  ASSERT_TRUE((*transaction)->apply(changes));
  ASSERT_TRUE((*transaction)->commit());
}

// Another program has written into the store.
TEST(Notifier, LetsDeploymentsGoOnThoughAMessageCannotBeRead) {
  const std::string path = tests::scratch_file("notifier_spoiled.db");
  PostOffice office(path);
  const std::string webhook = office.add_webhook();
  office.deploy();
  office.deploy();
  const auto taken = office.take();
  ASSERT_EQ(taken.size(), 2U);
  spoil(path, taken[0].id);
  office.answer(taken[0], 200);
  spoil(path, taken[1].id);
  office.crash();
  office.settle();
  EXPECT_TRUE(office.take().empty());
  spoil(path, *parse_id(webhook));
  office.deploy();
  EXPECT_TRUE(office.take().empty());
  EXPECT_EQ(office.wanted(), std::nullopt);
}

// In every order of deliveries, failures and recoveries, each deployment is finally delivered, under one id.
TEST(Notifier, LosesAndDoublesNothing) {
  for (std::uint32_t seed = 1; seed <= 3; ++seed) {
    PostOffice office(tests::scratch_file("notifier_life.db"));
    office.add_webhook();
    std::mt19937 random(seed);
    std::size_t deployments = 0;
    std::map<Id, std::string> bodies;
    std::set<Id> delivered;
    const auto look = [&] {
      // A message may have been handed over twice since the last look: before a crash and after it.
      const std::set<Id> before = delivered;
      for (const Delivery& delivery : office.take()) {
        EXPECT_EQ(bodies.try_emplace(delivery.id, delivery.body).first->second, delivery.body);
        EXPECT_FALSE(before.contains(delivery.id)) << "sent again after it was taken";
        if (random() % 3 == 0) continue;  // no answer
        const bool is_taken = random() % 2 == 0;
        office.engine().report_delivery({delivery.id, static_cast<std::uint16_t>(is_taken ? 200 : 500), ""});
        if (random() % 4 == 0) continue;  // the report may be lost in a crash
        office.settle();
        if (is_taken) delivered.insert(delivery.id);
      }
    };
    for (int round = 0; round < 60; ++round) {
      if (random() % 3 == 0) office.deploy(), ++deployments;
      if (random() % 4 == 0) office.crash();
      office.pass(seconds(static_cast<std::int64_t>(random() % 200)));
      look();
    }
    for (int round = 0; round < 40; ++round) {
      office.pass(seconds(86'400));
      for (const Delivery& delivery : office.take()) {
        bodies.try_emplace(delivery.id, delivery.body);
        office.answer(delivery, 200);
      }
    }
    EXPECT_EQ(bodies.size(), deployments) << "seed " << seed;
    EXPECT_EQ(office.wanted(), std::nullopt);
  }
}

TEST(Notifier, IgnoresReportsOfWhatIsNoMessage) {
  PostOffice office;
  const std::string webhook = office.add_webhook();
  office.answer(Delivery{}, 200);
  office.engine().report_delivery({*parse_id(webhook), 200, "\xFF"});
  office.settle();
  office.deploy();
  office.answer(office.take().at(0), 200, std::string("\xFF\xFE broken"));
  EXPECT_EQ(office.events(webhook)[0].text_or("status", ""), "DELIVERED");
}

}  // namespace
}  // namespace orlop::tests
