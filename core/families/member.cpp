// A member is a person who may act in an organization, in a role.
#include "families/shapes/role.h"

namespace orlop::families {
namespace {

using namespace shapes;

// Its `id` in answers is the person's, which is the same in every organization.
constexpr Field fields[] = {
    text("name", "The name of the person.").read_only(),
    text("email", "The person's mail address.").read_only(),
    enumeration("role", role_values, "The built-in role that is held, if it is one.").read_only(),
    text("role_name", "The name of the role.").read_only(),
    uuid("role_id", "The role.").read_only(),
};


}  // namespace

extern const Family member;
constexpr Family member = {
    .number = member_number,
    .name = "member",
    .schema = "Member",
    .segment = "member",
    .id_name = "memberId",
    .about = "A member is a person who may act in an organization, in a role. Its id is the person's.",
    .parent = "organization",
    .path = PathForm::nested,
    .fields = fields,
    .verbs = static_cast<std::uint8_t>(Verb::list),
    .name_scope = NameScope::none,
    .present = present_role,
};

}  // namespace orlop::families
