// Alert rules: their states, the messages to their receivers, and both after failures of systems or the end of the
// engine.
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/registry.h"
#include "whole/external_platform.h"
#include "wire/json.h"
#include "wire/writer.h"

namespace orlop {
namespace {

// A metrics store with one value, and receivers.
class Systems final : public ExternalSystems {
 public:
  Result<std::string> ask(std::string_view question, std::string_view input) override {
    if (question == "send_alert") {
      sent.emplace_back(input);
      return refusals > 0 ? Result<std::string>((--refusals, "\"no such channel\"")) : Result<std::string>("\"\"");
    }
    if (question != "query_cluster_metrics") return make_error(ErrorCode::unanswered, "not this");
    ++queries;
    if (value.empty()) return make_error(ErrorCode::external_timeout, "the metrics store does not answer");
    const std::string response =
        R"({"status":"success","data":{"resultType":"vector","result":[{"metric":{},"value":[1,")" + value +
        R"("]}]}})";
    std::string quoted = "\"";
    for (const char letter : response) {
      if (letter == '"') quoted += '\\';
      quoted += letter;
    }
    return quoted + "\"";
  }
  bool answers(std::string_view question) const override {
    return question == "send_alert" || question == "query_cluster_metrics";
  }

  std::string value = "0.5";  // "": the store does not answer
  int queries = 0;
  int refusals = 0;  // refusals of receivers before they accept a message
  std::vector<std::string> sent;
};

class AlertRules : public ExternalPlatform<Systems> {
 protected:
  AlertRules() { platform_->id_of("alert_receiver"); }

  // The sample's rule: above 0.9 for five minutes.
  std::string rule() { return platform_->id_of("alert_rule"); }
  Value shown() {
    const Reply reply = platform_->ask("GET", "/alert-rules/" + rule());
    EXPECT_EQ(reply.status, 200) << reply.body;
    return *parse_stored(reply.body);
  }
  std::string state() { return std::string(shown().text_or("state", "")); }

  Reply edit(const std::function<void(Value& body)>& change) {
    Value body = platform_->sample_of(*find_family("alert_rule"));
    for (const std::string_view member : {"organization_id", "cluster_id", "target"}) body.erase(member);
    change(body);
    return platform_->ask("PUT", "/alert-rules/" + rule(), to_json(body));
  }

  std::vector<std::string> state_changes() {
    std::vector<std::string> changes;
    const auto events = parse_stored(*engine_->events({}));
    for (const Value& event : events->items()) {
      if (event.text_or("family", "") == "alert_rule" && event.has("from"))
        changes.emplace_back(event.text_or("to", ""));
    }
    return changes;
  }
};

TEST_F(AlertRules, FireOnceTheConditionHoldsForLongEnoughAndEnd) {
  EXPECT_EQ(state(), "UNDEPLOYED");
  EXPECT_FALSE(shown().boolean_or("is_up_to_date", true));
  pass(1);
  EXPECT_EQ(state(), "OK");
  EXPECT_TRUE(shown().boolean_or("is_up_to_date", false));
  systems_.value = "0.95";
  pass(60);
  EXPECT_EQ(state(), "TRIGGERED");
  EXPECT_EQ(shown().text_or("starts_at", ""), "2026-01-01T00:01:00.000Z");
  pass(239);
  EXPECT_EQ(state(), "TRIGGERED");
  EXPECT_TRUE(systems_.sent.empty());
  pass(61);
  EXPECT_EQ(state(), "NOTIFIED");
  ASSERT_EQ(systems_.sent.size(), 1U);
  EXPECT_NE(systems_.sent[0].find("\"is_resolved\":false"), std::string::npos);
  EXPECT_NE(systems_.sent[0].find("https://hooks.example.com/secret"), std::string::npos);
  pass(600);
  EXPECT_EQ(systems_.sent.size(), 1U);
  systems_.value = "0.1";
  pass(60);
  EXPECT_EQ(state(), "OK");
  ASSERT_EQ(systems_.sent.size(), 2U);
  EXPECT_NE(systems_.sent[1].find("\"is_resolved\":true"), std::string::npos);
  EXPECT_TRUE(shown().find("starts_at") == nullptr || shown().find("starts_at")->is_null());
  EXPECT_EQ(state_changes(), (std::vector<std::string>{"OK", "TRIGGERED", "PENDING_NOTIFICATION", "NOTIFIED", "OK"}));
}

// The metrics store answers late, and the rule is edited meanwhile.
TEST_F(AlertRules, AreNotEvaluatedByTheAnswerToAnOlderCondition) {
  (void)rule();
  systems_.value = "0.95";
  ASSERT_TRUE(engine_->tick());
  ASSERT_EQ(systems_.queries, 1);
  systems_.value = "0.5";
  ASSERT_EQ(edit([](Value& body) { body.set("for_duration", Value("PT0S")); }).status, 200);
  pass(1);
  EXPECT_EQ(systems_.queries, 2);
  EXPECT_EQ(state_changes(), (std::vector<std::string>{"OK"}));
  EXPECT_TRUE(systems_.sent.empty());
}

TEST_F(AlertRules, ThatEndBeforeTheirTimeSendNothing) {
  (void)rule();
  systems_.value = "0.95";
  pass(200);
  systems_.value = "0.5";
  pass(600);
  EXPECT_EQ(state(), "OK");
  EXPECT_TRUE(systems_.sent.empty());
}

TEST_F(AlertRules, CostNothingButTheQuestionWhileNothingChanges) {
  (void)rule();
  pass(1);
  const auto events = *engine_->last_event();
  const auto revision = store_->begin(Access::read).value()->machine(*parse_id(rule())).value()->revision;
  const int queries = systems_.queries;
  pass(3600);
  EXPECT_EQ(systems_.queries, queries + 60);
  EXPECT_EQ(*engine_->last_event(), events);
  EXPECT_EQ(store_->begin(Access::read).value()->machine(*parse_id(rule())).value()->revision, revision);
}

TEST_F(AlertRules, KeepTheirStateWhileTheMetricsAreNotThere) {
  (void)rule();
  systems_.value = "0.95";
  pass(400);
  EXPECT_EQ(state(), "NOTIFIED");
  systems_.value = "";
  pass(600);
  EXPECT_EQ(state(), "NOTIFIED");
  systems_.value = "NaN";  // not above any bound
  pass(60);
  EXPECT_EQ(state(), "OK");
}

TEST_F(AlertRules, TryReceiversAgainUntilTheyTakeTheMessage) {
  (void)rule();
  systems_.refusals = 3;
  systems_.value = "0.95";
  pass(361);
  EXPECT_EQ(state(), "PENDING_NOTIFICATION");
  pass(180);
  EXPECT_EQ(state(), "NOTIFIED");
  EXPECT_EQ(systems_.sent.size(), 4U);
}

TEST_F(AlertRules, OutliveTheEngine) {
  (void)rule();
  systems_.refusals = 1000;
  systems_.value = "0.95";
  pass(361);
  EXPECT_EQ(state(), "PENDING_NOTIFICATION");
  open();
  systems_.refusals = 0;
  pass(61);
  EXPECT_EQ(state(), "NOTIFIED");
  open();
  systems_.sent.clear();
  pass(120);
  EXPECT_TRUE(systems_.sent.empty());
  systems_.value = "0.1";
  pass(60);
  EXPECT_EQ(systems_.sent.size(), 1U);
}

TEST_F(AlertRules, ThatAreNotEnabledAskAndSendNothing) {
  (void)rule();
  systems_.value = "0.95";
  pass(361);
  EXPECT_EQ(state(), "NOTIFIED");
  ASSERT_EQ(edit([](Value& body) { body.set("enabled", Value(false)); }).status, 200);
  EXPECT_EQ(state(), "SUPPRESSED");
  const int queries = systems_.queries;
  pass(3600);
  EXPECT_EQ(systems_.queries, queries);
  const Reply enabled = edit([](Value&) {});
  ASSERT_EQ(enabled.status, 200) << enabled.body;
  EXPECT_EQ(state(), "UNDEPLOYED");
  pass(400);
  EXPECT_EQ(state(), "NOTIFIED");
}

TEST_F(AlertRules, WithoutAReceiverForTheirSeverityAreUnrouted) {
  (void)rule();
  Value receiver = platform_->sample_of(*find_family("alert_receiver"));
  receiver.erase("organization_id");
  receiver.set("severity", Value("CRITICAL"));
  ASSERT_EQ(shown().text_or("severity", ""), "HIGH");
  const Reply edited =
      platform_->ask("PUT", "/alert-receivers/" + platform_->id_of("alert_receiver"), to_json(receiver));
  ASSERT_EQ(edited.status, 200) << edited.body;
  systems_.value = "0.95";
  pass(400);
  EXPECT_EQ(state(), "UNROUTED");
  systems_.value = "0.5";
  pass(60);
  EXPECT_EQ(state(), "OK");
  EXPECT_TRUE(systems_.sent.empty());
}

TEST_F(AlertRules, RefuseWhatCannotBeEvaluated) {
  const auto refusal = [&](const std::function<void(Value & body)>& change) {
    const Reply reply = edit(change);
    EXPECT_EQ(reply.status, 400) << reply.body;
    return reply.body;
  };
  EXPECT_NE(refusal([](Value& body) {
              body.find("condition")->set("promql", Value("sum(up{job=\"a\"}"));
            }).find("must close its brackets and quotation marks"),
            std::string::npos);
  EXPECT_NE(
      refusal([](Value& body) { body.find("condition")->erase("threshold"); }).find("condition.threshold is required"),
      std::string::npos);
  EXPECT_NE(refusal([](Value& body) {
              body.set("for_duration", Value("five minutes"));
            }).find("for_duration must be a duration"),
            std::string::npos);
  EXPECT_NE(refusal([](Value& body) {
              Value* ids = body.find("alert_receiver_ids");
              ids->append(Value(ids->items()[0].as_text()));
            }).find("alert_receiver_ids[1] must not repeat an item of the list"),
            std::string::npos);
  EXPECT_NE(refusal([](Value& body) {
              body.set("alert_receiver_ids", Value::list());
            }).find("alert_receiver_ids must hold 1 to 100 items, not 0"),
            std::string::npos);
  refusal([](Value& body) {
    Value ids = Value::list();
    ids.append(Value("00000000-0000-4000-8000-000000000000"));
    body.set("alert_receiver_ids", std::move(ids));
  });
}

TEST_F(AlertRules, GoWithTheirClusterAndKeepTheirReceivers) {
  (void)rule();
  EXPECT_EQ(platform_->ask("DELETE", "/alert-receivers/" + platform_->id_of("alert_receiver")).status, 409);
  EXPECT_EQ(platform_->ask("DELETE", "/alert-rules/" + rule()).status, 204);
  EXPECT_EQ(platform_->ask("DELETE", "/alert-receivers/" + platform_->id_of("alert_receiver")).status, 204);
  pass(120);
  EXPECT_EQ(systems_.queries, 0);
}

}  // namespace
}  // namespace orlop
