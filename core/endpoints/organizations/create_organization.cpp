// Makes the person who creates an organization its owner.
#include <utility>

#include "endpoints/access/parts/membership.h"
#include "endpoints/operation_set.h"
#include "model/role.h"
#include "records/render_records.h"
#include "records/write_record.h"

namespace orlop::operation_sets::organizations::create_organization {
namespace {

// Error forbidden for an API token.
Result<Answer> create_organization(Unit& unit, const Call& call) {
  if (call.caller->kind == Caller::Kind::token) {
    return make_error(ErrorCode::forbidden, "an API token belongs to one organization and cannot make another");
  }
  ORLOP_TRY(organization, create_record(unit, *call.family, {}, *call.body));
  if (call.caller->kind == Caller::Kind::user) {
    ORLOP_TRY(owner, add_member(unit, *call.caller, organization.id, *parse_id(owner_role.id), owner_role.name));
    (void)owner;
  }
  ORLOP_TRY(text, render(unit, *call.family, organization));
  return Answer{call.family->create_status, std::move(text)};
}

constexpr ReplacedVerb replaced[] = {{.verb = Verb::create, .handle = create_organization}};

}  // namespace

extern const OperationSet set;
constexpr OperationSet set = {
    .families = families_named("organization"),
    .replaced = replaced,
};

}  // namespace orlop::operation_sets::organizations::create_organization
