#include "webhooks/message.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "webhooks/schedule.h"
#include "wire/json.h"

namespace orlop {
namespace {

News news() {
  News news;
  news.event = webhook_events::failure;
  news.at = *parse_instant("2026-01-01T00:00:00Z");
  news.project_name = "shop <!channel> & co";
  news.environment_name = "production";
  news.environment_mode = "PRODUCTION";
  news.action = "DEPLOY";
  news.status = "DEPLOYMENT_ERROR";
  news.triggered_by = "ann";
  return news;
}

std::string header(const Headers& headers, std::string_view name) {
  const auto found = std::ranges::find(headers, name, [](const auto& pair) { return std::string_view(pair.first); });
  return found == headers.end() ? "" : found->second;
}

// The example of the libraries of the specification.
TEST(Signature, IsThatOfTheStandard) {
  EXPECT_EQ(signature_of("msg_p5jXN8AQM9LWM0D4loKWxJek", "1614265330", R"({"test": 2432232314})",
                         "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"),
            "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
}

// As the standard's libraries decode the secret; standardwebhooks 1.1.0 of PyPI has made this signature.
TEST(Signature, IsTheSameWithoutThePrefixOfTheSecret) {
  EXPECT_EQ(signature_of("msg_p5jXN8AQM9LWM0D4loKWxJek", "1614265330", R"({"test": 2432232314})",
                         "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"),
            "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
}

TEST(Signature, TakesAnyOtherSecretAsItIs) {
  const auto sign = [](std::string_view secret) { return signature_of("id", "1", "body", secret); };
  EXPECT_EQ(sign("whsec_Zm9v"), sign("foo"));
  EXPECT_EQ(sign("Zm9v"), sign("foo"));
  EXPECT_NE(sign("Zm9"), sign("fo"));
}

TEST(Headers, AreThoseOfTheStandard) {
  const Headers headers = headers_of(Id{{1}}, *parse_instant("2026-01-01T00:00:00.900Z"), "{}", "secret", "acme");
  EXPECT_EQ(header(headers, "webhook-id"), "01000000-0000-0000-0000-000000000000");
  EXPECT_EQ(header(headers, "webhook-timestamp"), "1767225600");
  EXPECT_EQ(header(headers, "webhook-signature"),
            signature_of("01000000-0000-0000-0000-000000000000", "1767225600", "{}", "secret"));
  EXPECT_EQ(header(headers, "acme-signature"), header(headers, "webhook-signature"));
  EXPECT_EQ(header(headers, "content-type"), "application/json");
}

TEST(Headers, HoldNoSignatureWithoutASecret) {
  const Headers headers = headers_of(Id{{1}}, Instant{}, "{}", "", "acme");
  EXPECT_EQ(header(headers, "webhook-signature"), "");
  EXPECT_EQ(header(headers, "acme-signature"), "");
}

TEST(Payload, OfTheStandardHasTypeTimestampAndData) {
  const auto payload = parse_json(payload_of(WebhookKind::standard, news()));
  ASSERT_TRUE(payload);
  EXPECT_EQ(payload->text_or("type", ""), "deployment.failure");
  EXPECT_EQ(payload->text_or("timestamp", ""), "2026-01-01T00:00:00.000Z");
  EXPECT_EQ(payload->find_path({"data", "environment", "mode"})->as_text(), "PRODUCTION");
  EXPECT_EQ(payload->find_path({"data", "project", "name"})->as_text(), "shop <!channel> & co");
  EXPECT_EQ(payload->find_path({"data", "status"})->as_text(), "DEPLOYMENT_ERROR");
}

TEST(Payload, OfSlackIsOneLineThatMentionsNoMember) {
  const auto payload = parse_json(payload_of(WebhookKind::slack, news()));
  ASSERT_TRUE(payload);
  EXPECT_EQ(payload->members().size(), 1U);
  EXPECT_EQ(payload->text_or("text", ""),
            "*shop &lt;!channel&gt; &amp; co / production*: DEPLOY failed (DEPLOYMENT_ERROR), asked for by ann");
}

TEST(Webhook, WantsWhatItsFiltersLetThrough) {
  Webhook webhook;
  webhook.is_enabled = true;
  webhook.events = {std::string(webhook_events::started)};
  EXPECT_TRUE(wants(webhook, webhook_events::started, "shop", "PRODUCTION"));
  EXPECT_FALSE(wants(webhook, webhook_events::failure, "shop", "PRODUCTION"));
  webhook.modes = {"STAGING", "PREVIEW"};
  EXPECT_FALSE(wants(webhook, webhook_events::started, "shop", "PRODUCTION"));
  EXPECT_TRUE(wants(webhook, webhook_events::started, "shop", "PREVIEW"));
  webhook.project_names = {"Sh*p", "x"};
  for (const char* name : {"shop", "SHOP", "shp", "ship-shop", "X"})
    EXPECT_TRUE(wants(webhook, webhook_events::started, name, "PREVIEW")) << name;
  for (const char* name : {"shops", "ashop", "xx", ""})
    EXPECT_FALSE(wants(webhook, webhook_events::started, name, "PREVIEW")) << name;
  webhook.is_enabled = false;
  EXPECT_FALSE(wants(webhook, webhook_events::started, "shop", "PREVIEW"));
}

TEST(RetrySchedule, IsThatOfTheStandard) {
  std::int64_t hours = 0;
  std::uint32_t attempt = 1;
  for (; retry_delay(attempt); ++attempt) hours += retry_delay(attempt)->milliseconds;
  EXPECT_EQ(attempt, 10U);
  EXPECT_EQ(hours, (5 + 5 * 60 + 30 * 60) * 1000 + (2 + 5 + 10 + 14 + 20 + 24) * 3'600'000LL);
  EXPECT_EQ(retry_delay(0), std::nullopt);
}

}  // namespace
}  // namespace orlop
