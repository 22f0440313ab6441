// A webhook, read from its record, and its filters of events.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/id.h"
#include "base/result.h"
#include "model/family.h"
#include "store/store.h"

namespace orlop {

enum class WebhookKind : std::uint8_t { standard, slack };

// Events of webhooks, by their public names.
namespace webhook_events {
inline constexpr std::string_view started = "DEPLOYMENT_STARTED";
inline constexpr std::string_view cancelled = "DEPLOYMENT_CANCELLED";
inline constexpr std::string_view failure = "DEPLOYMENT_FAILURE";
inline constexpr std::string_view successful = "DEPLOYMENT_SUCCESSFUL";
inline constexpr std::string_view unhealthy = "SERVICE_UNHEALTHY";
inline constexpr std::string_view recovered = "SERVICE_RECOVERED";
}  // namespace webhook_events

struct Webhook {
  Id id;
  Id organization;
  WebhookKind kind = WebhookKind::standard;
  bool is_enabled = false;
  std::string url;
  std::string secret;              // empty if it has none
  bool is_secret_missing = false;  // a snapshot omitted it
  std::vector<std::string> events;
  std::vector<std::string> project_names;  // patterns; empty: any project
  std::vector<std::string> modes;          // of environments; empty: any mode
};

const Family& webhook_family();

// Errors: storage_corrupt.
Result<Webhook> parse_webhook(const Record& record);

// Reports whether the webhook selects the event in an environment of this mode and a project of this name. Names are
// compared without regard to case; * in a filter matches any text.
bool wants(const Webhook& webhook, std::string_view event, std::string_view project_name, std::string_view mode);

}  // namespace orlop
