// Rules of the scripted external systems and webhook receivers of a simulation.
#include <cstddef>
#include <string>
#include <string_view>

#include "guard.h"
#include "instance.h"
#include "orlop/ports.h"
#include "sim/scripted_external_systems.h"
#include "versioned.h"

using namespace orlop;
using namespace orlop::c;

namespace {

constexpr std::int32_t status_min = 100;
constexpr std::int32_t status_max = 599;
constexpr std::int64_t delay_max = 366LL * 86'400'000;

std::string pattern_of(orlop_text text) { return text.size == 0 ? "*" : std::string(view_of(text)); }

Result<ScriptedExternalRule> read_rule(const orlop_external_rule* given, std::string_view brand) {
  ORLOP_TRY(rule, read_versioned(given, orlop_external_rule{}, sizeof(orlop_external_rule), "the rule"));
  ORLOP_CHECK(check_text(rule.question, "rule.question"));
  ORLOP_CHECK(check_text(rule.where, "rule.where"));
  ORLOP_CHECK(check_text(rule.answer, "rule.answer"));
  ORLOP_CHECK(check_text(rule.error, "rule.error"));
  if (rule.delay_ms < 0 || rule.delay_ms > delay_max) {
    return invalid("rule.delay_ms must be 0 to " + std::to_string(delay_max) + ", not " +
                   std::to_string(rule.delay_ms));
  }
  return make_external_rule(view_of(rule.question), view_of(rule.where), view_of(rule.answer), view_of(rule.error),
                            Duration{rule.delay_ms}, rule.times, brand);
}

Result<ScriptedAnswer> read_receiver(const orlop_receiver* given) {
  ORLOP_TRY(receiver, read_versioned(given, orlop_receiver{}, sizeof(orlop_receiver), "the receiver"));
  ORLOP_CHECK(check_text(receiver.url, "receiver.url"));
  ORLOP_CHECK(check_text(receiver.text, "receiver.text"));
  if (receiver.status != 0 && (receiver.status < status_min || receiver.status > status_max)) {
    return invalid("receiver.status must be 0 or 100 to 599, not " + std::to_string(receiver.status));
  }
  return ScriptedAnswer{pattern_of(receiver.url), static_cast<std::uint16_t>(receiver.status),
                        std::string(view_of(receiver.text)), receiver.times};
}

}  // namespace

extern "C" {

orlop_error* orlop_external_rule_add(orlop_engine* engine, const orlop_external_rule* rule) {
  return guard([&]() -> Result<void> {
    ORLOP_TRY(host, host_of(engine));
    ORLOP_TRY(systems, host->scripted_external_systems());
    ORLOP_TRY(read, read_rule(rule, systems->brand()));
    systems->add(std::move(read));
    return {};
  });
}

orlop_error* orlop_external_rules_clear(orlop_engine* engine) {
  return guard([&]() -> Result<void> {
    ORLOP_TRY(host, host_of(engine));
    ORLOP_TRY(systems, host->scripted_external_systems());
    systems->clear();
    return {};
  });
}

orlop_error* orlop_receiver_add(orlop_engine* engine, const orlop_receiver* receiver) {
  return guard([&]() -> Result<void> {
    ORLOP_TRY(host, host_of(engine));
    ORLOP_TRY(webhook_sender, host->scripted_webhook_sender());
    ORLOP_TRY(read, read_receiver(receiver));
    webhook_sender->add(std::move(read));
    return {};
  });
}

orlop_error* orlop_receivers_clear(orlop_engine* engine) {
  return guard([&]() -> Result<void> {
    ORLOP_TRY(host, host_of(engine));
    ORLOP_TRY(webhook_sender, host->scripted_webhook_sender());
    webhook_sender->clear();
    return {};
  });
}

}  // extern "C"
