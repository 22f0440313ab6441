// Roles that an organization can assign.
#include <string>
#include <utility>

#include "endpoints/operation_set.h"
#include "model/registry.h"
#include "model/role.h"
#include "records/write_record.h"
#include "unit/find_record.h"
#include "unit/operation.h"
#include "unit/unique_name.h"
#include "wire/json.h"
#include "wire/writer.h"

namespace orlop::operation_sets::access::roles {
namespace {

Result<Answer> list_roles(Unit& unit, const Call& call) {
  ORLOP_TRY(organization, require(unit, *parent_of(*call.family), call.ids.front()));
  RecordRange range;
  range.key = organization.id;
  range.family = call.family->number;
  ORLOP_TRY(custom, unit.records(range));
  Writer out;
  out.begin_object().key("results").begin_list();
  for (const Role& role : built_in_roles) out.begin_object().field("id", role.id).field("name", role.name).end_object();
  for (const Record& role : custom) out.begin_object().field("id", role.id).field("name", name_of(role)).end_object();
  out.end_list().end_object();
  return Answer{200, std::move(out).take()};
}

// Error conflict while a member, an invitation or a token holds the role.
Result<Answer> remove_role(Unit& unit, const Call& call) {
  ORLOP_TRY(role, require(unit, *call.family, call.ids.back()));
  if (role.parent != call.ids.front()) return not_found(words_for(*call.family), role.id);
  constexpr std::pair<std::string_view, std::string_view> holders_known[] = {
      {"member", "a member"},
      {"invitation", "an invitation"},
      {"api_token", "an API token"},
      {"policy_api_token", "a policy API token"}};
  for (const auto& [holder, one] : holders_known) {
    RecordRange range;
    range.key = role.parent;
    range.family = find_family(holder)->number;
    ORLOP_TRY(holders, unit.records(range));
    for (const Record& held : holders) {
      ORLOP_TRY(body, parse_stored(held.body));
      if (parse_id(body.text_or("role_id", "")) != role.id) continue;
      return make_error(ErrorCode::conflict, "custom role \"" + name_of(role) + "\" is held by " + std::string(one) +
                                                 "; give it another role first");
    }
  }
  ORLOP_CHECK(remove_tree(unit, role));
  return Answer{204, ""};
}

constexpr Field role_fields[] = {
    uuid("id", "ID of the role.").required(),
    text("name",
         "Name of the role: owner, admin, devops, billing or viewer for the built-in ones, or that of a custom role.")
        .required(),
};
constexpr Shape available_role{.name = "OrganizationAvailableRole", .fields = role_fields};

constexpr Operation operations[] = {
    {.path = "/organization/{organizationId}/availableRole",
     .name = "list_available_roles",
     .handle = list_roles,
     .form = AnswerForm::shape_list,
     .answer = &available_role,
     .summary = "List the roles that are available in an organization",
     .about = "Returns the built-in roles, then the custom roles of the organization."},
};

constexpr ReplacedVerb replaced[] = {{.verb = Verb::remove, .handle = remove_role}};

}  // namespace

extern const OperationSet set;
constexpr OperationSet set = {
    .families = families_named("custom_role"),
    .operations = operations,
    .replaced = replaced,
};

}  // namespace orlop::operation_sets::access::roles
