// Acceptance of invitations.
#include <string>
#include <utility>

#include "base/text/case_folding.h"
#include "endpoints/access/parts/membership.h"
#include "endpoints/operation_set.h"
#include "records/render_records.h"
#include "unit/computations.h"
#include "unit/find_record.h"
#include "wire/json.h"

namespace orlop::operation_sets::access::invitations {
namespace {

// Only the invited person can accept: for other callers the invitation does not exist.
Result<Answer> accept_invitation(Unit& unit, const Call& call) {
  ORLOP_TRY(invitation, require(unit, *call.family, call.ids.back()));
  ORLOP_TRY(body, parse_stored(invitation.body));
  const Caller& caller = *call.caller;
  const bool is_invited = invitation.parent == call.ids.front() && caller.kind == Caller::Kind::user &&
                          !caller.email.empty() && fold_case(caller.email) == fold_case(body.text_or("email", ""));
  if (!is_invited) return not_found("invitation", call.ids.back());
  ORLOP_TRY(text, render(unit, *call.family, invitation));
  ORLOP_TRY(expiry, unit.expiry());
  if (is_expired(invitation, expiry)) {
    return make_error(ErrorCode::conflict, "the invitation has expired; ask for another one");
  }
  const Id role = parse_id(body.text_or("role_id", "")).value_or(Id{});
  ORLOP_TRY(member, add_member(unit, caller, invitation.organization, role, body.text_or("role_name", "")));
  (void)member;
  unit.erase(invitation.id);
  return Answer{201, std::move(text)};
}

constexpr Operation operations[] = {
    {.method = Method::post,
     .path = "{item}",
     .name = "accept_{family}",
     .status = 201,
     .access = Access::write,
     .handle = accept_invitation,
     .form = AnswerForm::record,
     .summary = "Accept an invitation",
     .about = "The invited person becomes a member of the organization with the role of the invitation.",
     .bypasses_tenancy = true},
};

}  // namespace

extern const OperationSet set;
constexpr OperationSet set = {
    .families = families_named("invitation"),
    .operations = operations,
};

}  // namespace orlop::operation_sets::access::invitations
