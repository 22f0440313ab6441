// The body, headers and signature of a webhook message. Pure functions.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/id.h"
#include "base/instant.h"
#include "webhooks/subscription.h"

namespace orlop {

// An event of a deployment request, or of a service's running state. It contains no secrets.
struct News {
  std::string_view event;  // one of webhook_events
  Instant at;
  Id organization;
  std::string organization_name;
  Id project;
  std::string project_name;
  Id environment;
  std::string environment_name;
  std::string environment_mode;
  Id request;
  std::string execution_id;
  std::string_view action;  // "DEPLOY" …
  std::string_view status;  // of the environment: "DEPLOYING", "DEPLOYED" …
  std::string origin;
  std::string triggered_by;
  // Of an event of a service, instead of the members from `request` on.
  Id service;
  std::string service_name;
  std::string_view running_state;
  std::string observation;  // JSON object text
  std::string reason;       // in it
};

// STANDARD: {"type", "timestamp", "data"}; SLACK: {"text"}.
std::string payload_of(WebhookKind kind, const News& news);

using Headers = std::vector<std::pair<std::string, std::string>>;

// Returns "v1," and the signature by the Standard Webhooks specification. A `secret` in the form of webhook_secret.h is
// decoded; any other text is the key itself.
std::string signature_of(std::string_view message, std::string_view timestamp, std::string_view body,
                         std::string_view secret);

// Returns the headers of an attempt at `at`, with a signature if there is a secret.
Headers headers_of(const Id& message, Instant at, std::string_view body, std::string_view secret,
                   std::string_view brand);

}  // namespace orlop
