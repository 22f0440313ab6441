// A reward that a person has claimed with the referral code of another person: once for each account.
#include "base/family_number.h"
#include "model/family.h"

namespace orlop::families::reward_claim {
namespace {

constexpr std::string_view kinds[] = {"INVITATION"};

constexpr Field fields[] = {
    enumeration("type", kinds, "Kind of the reward.").required(),
    text("claimed_by", "ID of the person who has used the code.").required().unique_name(),
};

}  // namespace

extern const Family family;
constexpr Family family = {
    .number = reward_claim_number,
    .name = "reward_claim",
    .schema = "RewardClaimRecord",
    .about = "A claim of a reward. It lies below the account whose referral code was used.",
    .parent = "user",
    .fields = fields,
    .verbs = 0,
    .name_scope = NameScope::everywhere,
    .is_internal = true,
    .has_events = false,
    .is_counted = true,
    .is_cloned = false,
    .sample = R"({"type": "INVITATION", "claimed_by": "01900000-0000-7000-8000-000000000001"})",
};

}  // namespace orlop::families::reward_claim
