// What the ports of a simulation say.
#include <cstddef>
#include <string>
#include <string_view>

#include "guard.h"
#include "instance.h"
#include "orlop/ports.h"
#include "versioned.h"

using namespace orlop;
using namespace orlop::c;

namespace {

constexpr std::size_t event_count_max = 1000;
constexpr std::int32_t status_max = 599;

Error invalid(std::string message) { return make_error(ErrorCode::invalid, std::move(message)); }

std::string pattern_of(orlop_text text) { return text.size == 0 ? "*" : std::string(view_of(text)); }

Result<ScriptedHook> read_hook(const orlop_hook* given) {
  ORLOP_TRY(hook, read_versioned(given, orlop_hook{}, sizeof(orlop_hook), "the hook"));
  ORLOP_CHECK(check_text(hook.provider, "hook.provider"));
  ORLOP_CHECK(check_text(hook.url, "hook.url"));
  if (hook.presence < ORLOP_HOOK_UNKNOWN || hook.presence > ORLOP_HOOK_PRESENT) {
    return invalid("hook.presence must be one of ORLOP_HOOK_…, not " + std::to_string(hook.presence));
  }
  if (hook.event_count > event_count_max) return invalid("hook.event_count must be 0 to 1000, not " + std::to_string(hook.event_count));
  if (hook.events == nullptr && hook.event_count != 0) return invalid("hook.events is NULL but its count is not 0");
  ScriptedHook read{pattern_of(hook.provider), pattern_of(hook.url), {static_cast<HookPresence>(hook.presence), {}}};
  for (std::size_t index = 0; index < hook.event_count; ++index) {
    ORLOP_CHECK(check_text(hook.events[index], "an event of the hook"));
    read.hook.events.emplace_back(view_of(hook.events[index]));
  }
  return read;
}

Result<ScriptedAnswer> read_receiver(const orlop_receiver* given) {
  ORLOP_TRY(receiver, read_versioned(given, orlop_receiver{}, sizeof(orlop_receiver), "the receiver"));
  ORLOP_CHECK(check_text(receiver.url, "receiver.url"));
  ORLOP_CHECK(check_text(receiver.text, "receiver.text"));
  if (receiver.status < 0 || receiver.status > status_max) {
    return invalid("receiver.status must be 0 to 599, not " + std::to_string(receiver.status));
  }
  return ScriptedAnswer{pattern_of(receiver.url), static_cast<std::uint16_t>(receiver.status), std::string(view_of(receiver.text)),
                        receiver.times};
}

}  // namespace

extern "C" {

orlop_error* orlop_hook_add(orlop_engine* engine, const orlop_hook* hook) {
  return guard([&]() -> Result<void> {
    ORLOP_TRY(host, host_of(engine));
    ORLOP_TRY(git_provider, host->scripted_git_provider());
    ORLOP_TRY(read, read_hook(hook));
    git_provider->add(std::move(read));
    return {};
  });
}

orlop_error* orlop_hooks_clear(orlop_engine* engine) {
  return guard([&]() -> Result<void> {
    ORLOP_TRY(host, host_of(engine));
    ORLOP_TRY(git_provider, host->scripted_git_provider());
    git_provider->clear();
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
