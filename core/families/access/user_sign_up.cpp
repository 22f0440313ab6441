// The answers of a person to the questionnaire of the sign-up.
#include <string_view>

#include "base/brand.h"
#include "model/family.h"

namespace orlop::families::user_sign_up {
namespace {

constexpr std::string_view types_of_use[] = {"PERSONAL", "SCHOOL", "WORK"};
constexpr std::string_view company_sizes[] = {"1-10", "11-50", "51-200", "201-500", "500+"};

constexpr Field fields[] = {
    text("first_name", "First name of the person.").required().at_most(255),
    text("last_name", "Last name of the person.").required().at_most(255),
    text("user_email", "Email address of the person, 3 to 255 bytes.").required().at_least(3).at_most(255),
    enumeration("type_of_use", types_of_use, "Purpose for which the platform is used.").required(),
    text(branded_names::usage, "Use that the person makes of the platform.").required().at_most(4096),
    text("company_name", "Name of the company.").nullable().at_most(255),
    enumeration("company_size", company_sizes, "Number of people in the company.").nullable(),
    text("user_role", "Role of the person in the company.").nullable().at_most(255),
    text(branded_names::usage_other, "Other use that the person makes of the platform.").nullable().at_most(4096),
    text("user_questions", "Questions that the person has.").nullable().at_most(4096),
    text("current_step", "Step of the sign-up that the person has reached.").nullable().at_most(255),
    boolean("dx_auth", "The person has confirmed the sign-up.").nullable(),
    text("infrastructure_hosting", "Hosting of the person's infrastructure, such as a cloud provider.")
        .nullable()
        .at_most(255),
};

}  // namespace

extern const Family family;
constexpr Family family = {
    .number = 73,
    .name = "user_sign_up",
    .schema = "SignUp",
    .segment = "userSignUp",
    .id_name = "userSignUpId",
    .about = "A sign-up holds the answers of a person to the questionnaire with which the use of the platform begins.",
    .parent = "user",
    .fields = fields,
    .verbs = 0,
    .name_scope = NameScope::none,
    .sample = R"({"first_name": "Ada", "last_name": "L", "user_email": "ada@example.com", "type_of_use": "WORK", )"
              R"("platform_usage": "Deployments."})",
};

}  // namespace orlop::families::user_sign_up
