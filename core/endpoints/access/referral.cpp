// Referrals: the code of an account, and the reward that another account claims with it.
#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "base/brand.h"
#include "base/family_number.h"
#include "endpoints/access/parts/user_account.h"
#include "endpoints/operation_set.h"
#include "endpoints/services/parts/resource_and_machine.h"
#include "model/registry.h"
#include "records/write_record.h"
#include "unit/operation.h"
#include "unit/unique_name.h"
#include "wire/writer.h"

namespace orlop::operation_sets::access::referral {
namespace {

std::string code_of(const Id& account) {
  std::string code = to_text(account);
  std::erase(code, '-');
  return code;
}

std::optional<Id> account_with(std::string code) {
  constexpr std::size_t code_size = 32;
  if (code.size() != code_size) return std::nullopt;
  for (const std::size_t hyphen : {8U, 13U, 18U, 23U}) code.insert(hyphen, "-");
  return parse_id(code);
}

Result<Answer> read_referral(Unit& unit, const Call& call) {
  ORLOP_TRY(id, account_of(call));
  const Id keys[] = {id};
  CountRange range;
  range.keys = keys;
  range.family = reward_claim_number;
  ORLOP_TRY(counts, unit.counts(range));
  const std::int64_t invited = counts.empty() ? 0 : static_cast<std::int64_t>(counts.front().count);
  Writer out;
  out.begin_object().field("total_invited", invited);
  out.field("invitation_link", "https://console" + branded(branded_names::external_domain, unit.settings().brand) +
                                   "/signup?code=" + code_of(id))
      .end_object();
  return Answer{200, std::move(out).take()};
}

Result<Answer> claim(Unit& unit, const Call& call) {
  const Family& family = *find_family(reward_claim_number);
  ORLOP_TRY(id, account_of(call));
  const std::string code(call.body->text_or("code", ""));
  const auto account = account_with(code);
  ORLOP_TRY(referrer, account ? unit.record(*account) : Result<Shared<Record>>(Shared<Record>()));
  if (!referrer || referrer->family != find_family("user")->number)
    return invalid_field("code", "must be the referral code of an account, not \"" + code.substr(0, 60) + "\"");
  if (referrer->id == id)
    return invalid_field("code", "must be the referral code of another account, not of the caller's own");
  ORLOP_TRY(claimed, unit.find(name_key(family, referrer->id, referrer->organization, to_text(id))));
  if (claimed) return make_error(ErrorCode::conflict, "the account has claimed a reward already; each can claim one");
  const Value body(Value::Object{{"type", *call.body->find("type")}, {"claimed_by", Value(to_text(id))}});
  ORLOP_CHECK(create_record(unit, family, referrer->id, body));
  return Answer{200, {}};
}

constexpr Field referral_fields[] = {
    integer("total_invited", "Number of accounts that have claimed a reward with the code."),
    text("invitation_link", "URL of the sign-up with the code of the account."),
};
constexpr Shape referral_shape = {.name = "Referral", .fields = referral_fields};
constexpr std::string_view kinds[] = {"INVITATION"};
constexpr Field claim_fields[] = {
    enumeration("type", kinds, "Kind of the reward: for an invitation.").required(),
    text("code", "Referral code of another account, as in the link of its referral.")
        .required()
        .at_least(1)
        .at_most(255),
};
constexpr Shape claim_shape = {.name = "RewardClaim", .fields = claim_fields};

constexpr Operation operations[] = {
    {.path = "/account/referral",
     .name = "get_account_referral",
     .handle = read_referral,
     .form = AnswerForm::shape,
     .answer = &referral_shape,
     .summary = "Get the referral code of the caller's account",
     .about = "The code can be used once the account was edited or has signed up. 403: the caller is an API token.",
     .bypasses_tenancy = true},
    {.method = Method::post,
     .path = "/account/rewardClaim",
     .name = "claim_account_reward",
     .access = Access::write,
     .handle = claim,
     .body = &claim_shape,
     .is_body_required = true,
     .summary = "Claim a reward with a referral code",
     .about = "Each account can claim one. 409: it has claimed one already. 403: the caller is an API token.",
     .bypasses_tenancy = true,
     .has_no_subject = true},
};

}  // namespace

extern const OperationSet set;
constexpr OperationSet set = {
    .operations = operations,
};

}  // namespace orlop::operation_sets::access::referral
