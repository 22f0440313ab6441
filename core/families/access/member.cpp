// A member is a person who may act in an organization, in a role.
#include "families/shapes/role_field.h"

namespace orlop::families::member {
namespace {

using namespace shapes;

// The `id` of a member in responses is the id of the person, which is the same in every organization.
constexpr Field fields[] = {
    text("name", "Name of the person.").read_only(),
    text("email", "Email address of the person.").read_only().always_present(),
    enumeration("role", role_values, "Built-in role of the member. Absent for a custom role.").read_only(),
    text("role_name", "Current name of the role.").read_only(),
    uuid("role_id", "ID of the built-in or custom role of the member.").read_only(),
};

}  // namespace

extern const Family family;
constexpr Family family = {
    .number = member_number,
    .name = "member",
    .schema = "Member",
    .segment = "member",
    .id_name = "memberId",
    .about =
        "A member is a person who has a role in an organization. The ID of a member is the ID of the person, the same "
        "in every "
        "organization.",
    .parent = "organization",
    .path = PathForm::nested,
    .fields = fields,
    .verbs = static_cast<std::uint8_t>(Verb::list),
    .name_scope = NameScope::none,
    .present = present_role,
};

}  // namespace orlop::families::member
