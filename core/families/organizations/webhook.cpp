// A webhook sends messages about the deployments and the services of an organization.
#include "base/text/target.h"
#include "base/text/webhook_secret.h"
#include "families/shapes/rule_functions.h"
#include "families/shapes/shared_enumerations.h"
#include "model/family.h"

namespace orlop::families::webhook {
namespace {

using namespace shapes;

constexpr std::string_view kinds[] = {"STANDARD", "SLACK"};
constexpr std::string_view events[] = {"DEPLOYMENT_STARTED",    "DEPLOYMENT_CANCELLED", "DEPLOYMENT_FAILURE",
                                       "DEPLOYMENT_SUCCESSFUL", "SERVICE_UNHEALTHY",    "SERVICE_RECOVERED"};

constexpr Field fields[] = {
    enumeration("kind", kinds,
                "Format of the messages: JSON as in the Standard Webhooks specification, or a text message for a Slack "
                "incoming "
                "webhook.")
        .required(),
    text(
        "target_url",
        "URL to which messages are sent with POST. It begins with `https://` and names a public host, or a host on the "
        "engine's allow list, for which `http://` is accepted too.")
        .required(),
    text("target_secret",
         "Key that signs the messages (HMAC-SHA256), in base64 after the prefix `whsec_`, as in "
         "`whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw`; the prefix may be left out. Of the "
         "kind `SLACK` any other text is the key itself. Empty: messages are not signed. Never returned; an edit that "
         "omits it keeps the stored value.")
        .secret(),
    boolean("target_secret_set", "True if messages are signed.").read_only().always_present(),
    text("description", "Free text that describes the webhook."),
    boolean("enabled",
            "Send messages. False: pending messages are dropped and new ones are not queued. The engine sets it to "
            "false when the "
            "receiver answers 410 (Gone). Default: true.")
        .defaults_to(true),
    enumeration_list("events", events,
                     "Events that are sent, at least one: of deployments, and of the running states of services.")
        .required()
        .at_least(1)
        .at_most(100),
    list_of("project_names_filter", FieldKind::text,
            "Send only events of projects with these names, at most 100; `*` matches any text, case is ignored. "
            "Default: empty, all "
            "projects.")
        .at_most(100)
        .defaults_to_empty(),
    enumeration_list("environment_types_filter", environment_modes,
                     "Send only events of environments with these modes, at most 10. Default: empty, all modes.")
        .at_most(10)
        .defaults_to_empty(),
};

// The address may be a secret, so reading requires `administer` too.
constexpr VerbNeed needs[] = {{Verb::create, Level::administer},
                              {Verb::list, Level::administer},
                              {Verb::read, Level::administer},
                              {Verb::edit, Level::administer},
                              {Verb::remove, Level::administer}};

// List of texts: hosts and ranges of addresses to which webhooks may send although they are not public.
constexpr ContextKey webhook_allow{"webhook_allow"};

std::vector<std::string> allowed_targets(ValidationContext& context) {
  std::vector<std::string> allowed;
  for (const Value& target : context.value(webhook_allow).items()) allowed.push_back(target.as_text());
  return allowed;
}

void check(const Value& record, ValidationContext& context, Violations& violations) {
  std::string refusal = target_refusal(record.text_or("target_url", ""), allowed_targets(context));
  if (!refusal.empty()) refuse(violations, "target_url", std::move(refusal));
  const std::string_view secret = record.text_or("target_secret", "");
  const bool is_standard = record.text_or("kind", "") == "STANDARD" || secret.starts_with("whsec_");
  if (is_standard && !secret.empty() && !webhook_key(secret)) {
    refuse(violations, "target_secret",
           "must be `whsec_` and base64 with its padding, as in whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw: no library of "
           "Standard Webhooks takes another text");
  }
}

void complete(Value& record, ValidationContext&) {
  const bool is_signed = is_given(record, "target_secret");
  if (!is_signed) record.erase("target_secret");
  record.set("target_secret_set", Value(is_signed));
}

}  // namespace

extern const Family family;
constexpr Family family = {
    .number = 45,
    .name = "webhook",
    .schema = "OrganizationWebhook",
    .segment = "webhook",
    .id_name = "webhookId",
    .about =
        "A webhook sends messages about the deployments and the services of an organization to a URL. Failed messages "
        "are retried; the delivery log shows the attempts.",
    .parent = "organization",
    .path = PathForm::nested,
    .fields = fields,
    .name_scope = NameScope::none,
    .needs = needs,
    .sample =
        R"({"kind": "STANDARD", "target_url": "https://hooks.example.com/orlop", "events": ["DEPLOYMENT_STARTED", )"
        R"("DEPLOYMENT_FAILURE"]})",
    .check = check,
    .complete = complete,
};

}  // namespace orlop::families::webhook
