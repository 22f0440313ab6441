// Progress of an organization in the introduction to the platform.
#include <string_view>

#include "model/family.h"

namespace orlop::families::organization_onboarding {
namespace {

constexpr std::string_view statuses[] = {"IN_PROGRESS", "DISMISSED", "COMPLETED"};
constexpr Field fields[] = {
    enumeration("status", statuses,
                "State of the introduction: under way, dismissed or complete. Default: `IN_PROGRESS`.")
        .defaults_to("IN_PROGRESS"),
};

}  // namespace

extern const Family family;
constexpr Family family = {
    .number = 79,
    .name = "organization_onboarding",
    .schema = "OrganizationOnboarding",
    .segment = "onboarding",
    .id_name = "onboardingId",
    .about = "The onboarding of an organization says how far it has come with the introduction to the platform.",
    .parent = "organization",
    .path = PathForm::single,
    .fields = fields,
    .verbs = static_cast<std::uint8_t>(Verb::read),
    .name_scope = NameScope::none,
    .sample = R"({"status": "COMPLETED"})",
};

}  // namespace orlop::families::organization_onboarding
