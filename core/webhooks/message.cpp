#include "webhooks/message.h"

#include <algorithm>

#include "base/brand.h"
#include "base/text/base64.h"
#include "base/text/digest.h"
#include "base/text/webhook_secret.h"
#include "wire/writer.h"

namespace orlop {
namespace {

// Returns the type of an event: "deployment.started" for DEPLOYMENT_STARTED.
std::string type_of(std::string_view event) {
  std::string type(event);
  std::ranges::transform(type, type.begin(), [](char letter) {
    return letter == '_' ? '.' : letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
  });
  return type;
}

void write_named(Writer& out, std::string_view key, const Id& id, std::string_view name) {
  out.key(key).begin_object().field("id", id).field("name", name).end_object();
}

std::string standard_payload(const News& news) {
  Writer out;
  out.begin_object().field("type", type_of(news.event)).field("timestamp", news.at).key("data").begin_object();
  write_named(out, "organization", news.organization, news.organization_name);
  write_named(out, "project", news.project, news.project_name);
  out.key("environment").begin_object().field("id", news.environment).field("name", news.environment_name);
  out.field("mode", news.environment_mode).end_object();
  if (!news.service.is_nil()) {
    write_named(out, "service", news.service, news.service_name);
    out.field("running_state", news.running_state).field_raw("observation", news.observation);
    out.end_object().end_object();
    return std::move(out).take();
  }
  out.field("deployment_request_id", news.request).field("execution_id", news.execution_id);
  out.field("action", news.action).field("status", news.status);
  out.field("origin", news.origin).field("triggered_by", news.triggered_by).end_object().end_object();
  return std::move(out).take();
}

// Escapes the three characters with a meaning in Slack, so that a name cannot notify a whole channel.
std::string escaped(std::string_view text) {
  std::string out;
  for (const char letter : text) {
    if (letter == '&') out += "&amp;";
    else if (letter == '<') out += "&lt;";
    else if (letter == '>') out += "&gt;";
    else out += letter;
  }
  return out;
}

std::string_view verb_of(std::string_view event) {
  if (event == webhook_events::started) return "started";
  if (event == webhook_events::cancelled) return "was cancelled";
  if (event == webhook_events::failure) return "failed";
  return "succeeded";
}

std::string slack_payload(const News& news) {
  std::string text = "*" + escaped(news.project_name) + " / " + escaped(news.environment_name) + "*: ";
  if (!news.service.is_nil()) {
    text.append(escaped(news.service_name)).append(news.event == webhook_events::unhealthy ? " is" : " has recovered:");
    text.append(" ").append(news.running_state);
    if (!news.reason.empty()) text.append(" (").append(escaped(news.reason)).append(")");
    return std::move(Writer().begin_object().field("text", text).end_object()).take();
  }
  text += news.action;
  text.append(" ").append(verb_of(news.event)).append(" (").append(news.status).append(")");
  if (!news.triggered_by.empty()) text += ", asked for by " + escaped(news.triggered_by);
  return std::move(Writer().begin_object().field("text", text).end_object()).take();
}

// The secret of a webhook of another kind may be any text, which then is the key itself.
std::string key_of(std::string_view secret) { return webhook_key(secret).value_or(std::string(secret)); }

}  // namespace

std::string payload_of(WebhookKind kind, const News& news) {
  switch (kind) {
    case WebhookKind::standard: return standard_payload(news);
    case WebhookKind::slack: return slack_payload(news);
  }
  return {};
}

std::string signature_of(std::string_view message, std::string_view timestamp, std::string_view body,
                         std::string_view secret) {
  std::string content;
  content.reserve(message.size() + timestamp.size() + body.size() + 2);
  content.append(message).append(".").append(timestamp).append(".").append(body);
  return "v1," + to_base64(hmac_sha256(key_of(secret), content));
}

Headers headers_of(const Id& message, Instant at, std::string_view body, std::string_view secret,
                   std::string_view brand) {
  const std::string id = to_text(message);
  const std::string timestamp = std::to_string(at.milliseconds / 1000);
  Headers headers = {{"content-type", "application/json"}, {"webhook-id", id}, {"webhook-timestamp", timestamp}};
  if (secret.empty()) return headers;
  const std::string signature = signature_of(id, timestamp, body, secret);
  headers.emplace_back("webhook-signature", signature);
  headers.emplace_back(branded(branded_names::webhook_signature, brand), signature);
  return headers;
}

}  // namespace orlop
