// An organization owns projects, clusters, credentials and registries; references do not cross its border.
#include <utility>

#include "model/family.h"

namespace orlop::families::organization {
namespace {

constexpr std::int64_t audit_logs_retention_days = 30;

constexpr std::string_view plans[] = {"FREE",           "TEAM",     "TEAM_YEARLY", "ENTERPRISE", "ENTERPRISE_YEARLY",
                                      "PROFESSIONAL",   "BUSINESS", "USER_2025",   "TEAM_2025",  "BUSINESS_2025",
                                      "ENTERPRISE_2025"};

constexpr Field plan_fields[] = {
    enumeration("plan", plans, "Identifier of the plan, as in `organization.plan`."),
    number("audit_logs_retention_in_days", "Retention of the audit log in days."),
};
constexpr Shape plan_details{.name = "OrganizationPlan", .fields = plan_fields};

constexpr VerbNeed needs[] = {{Verb::edit, Level::administer}, {Verb::remove, Level::own}};

constexpr Field fields[] = {
    text("name", "Name of the organization, unique among all organizations without regard to case.")
        .required()
        .unique_name(),
    text("description", "Free text that describes the organization.").nullable(),
    enumeration("plan", plans, "Plan of the organization. An edit that omits it keeps the stored plan.")
        .required()
        .preserved(),
    text("website_url", "URL of the organization's website.").nullable(),
    text("repository", "URL of the organization's source code.").nullable(),
    text("logo_url", "URL of the organization's logo.").nullable(),
    text("icon_url", "URL of the organization's icon.").nullable(),
    list_of("admin_emails", FieldKind::text, "Email addresses of the administrators, at most 100.")
        .at_most(100)
        .nullable(),
    object("organization_plan", plan_details, "Limits that follow from the plan.").read_only(),
};

void complete(Value& record, ValidationContext&) {
  Value plan = Value::object();
  plan.set("plan", Value(record.text_or("plan", "")));
  plan.set("audit_logs_retention_in_days", Value(audit_logs_retention_days));
  record.set("organization_plan", std::move(plan));
}

}  // namespace

extern const Family family;
constexpr Family family = {
    .number = 1,
    .name = "organization",
    .schema = "Organization",
    .segment = "organization",
    .id_name = "organizationId",
    .about =
        "An organization is the tenant of the platform. It owns projects, clusters, credentials, registries and "
        "members. "
        "Resources cannot refer to those of another organization.",
    .fields = fields,
    .name_scope = NameScope::everywhere,
    .needs = needs,
    .sample = R"({"name": "acme", "plan": "FREE"})",
    .complete = complete,
};

}  // namespace orlop::families::organization
