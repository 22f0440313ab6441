// An invitation lets a person become a member of an organization.
#include "base/brand.h"
#include "families/shapes/context_keys.h"
#include "families/shapes/role_field.h"
#include "model/form.h"

namespace orlop::computations {
ComputeFunction invitation_status;
}

namespace orlop::families::invitation {
namespace {

using namespace shapes;

constexpr std::string_view statuses[] = {"EXPIRED", "PENDING"};

constexpr Field fields[] = {
    text("email",
         "Email address of the invited person. Unique among the invitations of the organization without regard to "
         "case.")
        .required()
        .unique_name(),
    enumeration("role", role_values,
                "Built-in role that the member gets, in any case of letters. Default: `VIEWER`. `OWNER` is refused. "
                "Ignored if `role_id` "
                "is given.")
        .any_case()
        .always_present(),
    uuid("role_id", "ID of the built-in or custom role that the member gets."),
    text("role_name", "Current name of the role.").read_only(),
    uri("invitation_link", "URL at which the invited person accepts the invitation.").read_only().always_present(),
    computed(enumeration("invitation_status", statuses,
                         "State of the invitation. `EXPIRED`: seven days have passed since it was created."),
             computations::invitation_status),
    text("organization_name", "Current name of the organization.").read_only(),
    text("inviter", "Name of the caller that created the invitation.").read_only().always_present(),
};

constexpr VerbNeed needs[] = {{Verb::create, Level::administer}, {Verb::remove, Level::administer}};

void check(const Value& record, ValidationContext& context, Violations& violations) {
  const std::string_view email = record.text_or("email", "");
  const std::size_t at = email.find('@');
  const bool is_address = at != std::string_view::npos && at > 0 && at + 1 < email.size() &&
                          email.find('@', at + 1) == std::string_view::npos &&
                          email.find_first_of(" \t\r\n<>") == std::string_view::npos;
  if (!is_address) refuse(violations, "email", "must be a mail address, not " + quoted(email));
  check_role(record, Ownership::transferred, context, violations);
}

void complete(Value& record, ValidationContext& context) {
  complete_role(record, context, viewer_role.name);
  const auto id = id_of(record, "role_id");
  const Role* built_in = id ? find_role(*id) : nullptr;
  record.set("role", Value(built_in == nullptr ? viewer_role.enum_value : built_in->enum_value));
  const std::string place = "invitation/" + to_text(context.organization()) + "/" + to_text(context.self());
  record.set("invitation_link", Value(branded(branded_names::icon, context.brand()) + place));
  const Value* organization = context.find("organization", context.organization());
  if (organization != nullptr) record.set("organization_name", Value(organization->text_or("name", "")));
  record.set("inviter", context.value(context_keys::author));
}

void present(Value& record, ValidationContext& context) {
  present_role(record, context);
  const Value* organization = context.find("organization", context.organization());
  if (organization != nullptr) record.set("organization_name", Value(organization->text_or("name", "")));
}

}  // namespace

extern const Family family;
constexpr Family family = {
    .number = 41,
    .name = "invitation",
    .schema = "InviteMember",
    .segment = "inviteMember",
    .id_name = "inviteId",
    .about =
        "An invitation lets a person become a member of an organization. It expires seven days after its creation.",
    .parent = "organization",
    .path = PathForm::nested,
    .fields = fields,
    .verbs = Verb::create | Verb::list | Verb::read | Verb::remove,
    .name_scope = NameScope::organization,
    .needs = needs,
    .sample = R"({"email": "ada@example.org"})",
    .check = check,
    .complete = complete,
    .present = present,
};

}  // namespace orlop::families::invitation
