// A receiver of messages about alerts.
#include <string_view>

#include "families/shapes/rule_functions.h"
#include "model/family.h"

namespace orlop::families::alert_receiver {
namespace {

using namespace shapes;

constexpr std::string_view types[] = {"SLACK", "EMAIL"};
constexpr Field fields[] = {
    uuid("organization_id", "ID of the organization.").required().immutable(),
    text("name", "Name of the receiver, 1 to 255 bytes.").required().unique_name(),
    text("description", "Free text that describes the receiver.").required(),
    enumeration("type", types, "Channel of the messages: a Slack incoming webhook, or email.").required().immutable(),
    boolean("send_resolved", "Send a message when an alert has ended too.").required(),
    text("owner", "Name of those who handle the alerts.").nullable().at_most(255),
    text("severity", "Severity of the alerts that are sent. Null: any.").nullable().at_most(255),
    uri("webhook_url",
        "URL of the Slack incoming webhook. Required for `SLACK`. Never returned; an edit that omits it keeps the "
        "stored value.")
        .nullable()
        .secret(),
    text("to", "Email address to which messages are sent. Required for `EMAIL`.").at_most(255),
    text("from", "Email address from which messages are sent. Required for `EMAIL`.").at_most(255),
    text("smarthost", "SMTP server with its port, as in `smtp.example.com:587`. Required for `EMAIL`.").at_most(255),
    text("auth_username", "User name at the SMTP server. Null: none.").nullable().at_most(255),
    text("auth_password", "Password at the SMTP server. Never returned; an edit that omits it keeps the stored value.")
        .nullable()
        .secret(),
    boolean("require_tls", "Refuse SMTP servers without TLS. Required for `EMAIL`."),
};

void require_member(const Value& record, std::string_view member, std::string_view type, Violations& violations) {
  if (!record.has(member)) refuse(violations, member, "is required for " + std::string(type));
}

// Reports whether the record has the secret, or keeps it from before the edit.
bool has_secret(const Value& record, std::string_view member, const ValidationContext& context) {
  return record.has(member) || (context.previous() != nullptr && context.previous()->has(member));
}

void check(const Value& record, ValidationContext& context, Violations& violations) {
  const std::string_view type = record.text_or("type", "");
  if (type == "SLACK") {
    if (!has_secret(record, "webhook_url", context)) refuse(violations, "webhook_url", "is required for SLACK");
    return;
  }
  for (const std::string_view member : {"to", "from", "smarthost", "require_tls"})
    require_member(record, member, type, violations);
  if (!has_secret(record, "auth_password", context)) refuse(violations, "auth_password", "is required for EMAIL");
  for (const std::string_view member : {"to", "from"}) {
    const std::string_view address = record.text_or(member, "");
    if (record.has(member) && address.find('@') == std::string_view::npos)
      refuse(violations, member, "must be an email address, not " + quoted(address));
  }
}

void complete(Value& record, ValidationContext& context) {
  drop_nulls(record, {"webhook_url", "auth_password"});
  keep_from(record, context.previous(), {"webhook_url", "auth_password"});
}

}  // namespace

extern const Family family;
constexpr Family family = {
    .number = 80,
    .name = "alert_receiver",
    .schema = "AlertReceiver",
    .segment = "alert-receivers",
    .id_name = "alertReceiverId",
    .about =
        "An alert receiver is an address to which messages about alerts are sent: a Slack channel or an email address.",
    .parent = "organization",
    .parent_field = {.body = "organization_id"},
    .fields = fields,
    .name_scope = NameScope::none,
    .sample = R"({"organization_id": "{organization}", "name": "on call", "description": "", "type": "SLACK", )"
              R"("send_resolved": true,
                  "webhook_url": "https://hooks.example.com/secret"})",
    .check = check,
    .complete = complete,
};

}  // namespace orlop::families::alert_receiver
