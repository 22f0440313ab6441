// An organization owns projects, clusters, credentials and registries; nothing refers across its border.
#include <utility>

#include "model/family.h"

namespace orlop::families {
namespace {

constexpr std::int64_t audit_logs_retention_days = 30;

constexpr std::string_view plans[] = {"FREE",           "TEAM",     "TEAM_YEARLY", "ENTERPRISE", "ENTERPRISE_YEARLY",
                                      "PROFESSIONAL",   "BUSINESS", "USER_2025",   "TEAM_2025",  "BUSINESS_2025",
                                      "ENTERPRISE_2025"};

constexpr Field plan_fields[] = {
    enumeration("plan", plans, "The plan's word."),
    number("audit_logs_retention_in_days", "How many days the audit log is kept."),
};
constexpr Shape plan_details{.name = "OrganizationPlan", .fields = plan_fields};

constexpr VerbNeed needs[] = {{Verb::edit, Level::administer}, {Verb::remove, Level::own}};

constexpr Field fields[] = {
    text("name", "Its name, different from that of every other organization.").required().unique_name(),
    text("description", "What it is for.").nullable(),
    enumeration("plan", plans, "The plan it is on.").required().preserved(),
    text("website_url", "The address of its site.").nullable(),
    text("repository", "The address of its source code.").nullable(),
    text("logo_url", "The address of its logo.").nullable(),
    text("icon_url", "The address of its icon.").nullable(),
    list_of("admin_emails", FieldKind::text, "The mail addresses of those who administer it.").at_most(100).nullable(),
    object("organization_plan", plan_details, "What its plan gives.").read_only(),
};

void complete(Value& record, ValidationContext&) {
  Value plan = Value::object();
  plan.set("plan", Value(record.text_or("plan", "")));
  plan.set("audit_logs_retention_in_days", Value(audit_logs_retention_days));
  record.set("organization_plan", std::move(plan));
}

}  // namespace

extern const Family organization;
constexpr Family organization = {
    .number = 1,
    .name = "organization",
    .schema = "Organization",
    .segment = "organization",
    .id_name = "organizationId",
    .about = "An organization owns projects, clusters, credentials and registries; nothing refers across its border.",
    .fields = fields,
    .name_scope = NameScope::everywhere,
    .needs = needs,
    .sample = R"({"name": "acme", "plan": "FREE"})",
    .complete = complete,
};

}  // namespace orlop::families
