// Digest of an API token, stored instead of the token. Requests find it by the name key of the record, the beginning of
// the digest (access/permission.h).
#include "base/family_number.h"
#include "model/family.h"

namespace orlop::families::token_digest {
namespace {

constexpr Field fields[] = {
    text("sha256", "SHA-256 digest of the token's value, in hexadecimal digits.")
        .required()
        .immutable()
        .at_least(64)
        .at_most(64),
    date_time("last_used_at", "Time of a request with the token, noted once an hour at most. Absent: never used.")
        .preserved(),
};

}  // namespace

extern const Family family;
constexpr Family family = {
    .number = token_digest_number,
    .name = "token_digest",
    .schema = "TokenDigestRecord",
    .about =
        "The digest of an API token, by which requests with the token are authenticated. The value of the token is not "
        "stored.",
    .parents = {"api_token", "policy_api_token"},
    .fields = fields,
    .verbs = 0,
    .name_scope = NameScope::none,
    .is_internal = true,
    .has_events = false,
    .sample = R"({"sha256": "440ed5cc1220ff2e4f0c6e6b1a0e7c1b440ed5cc1220ff2e4f0c6e6b1a0e7c1b"})",
};

}  // namespace orlop::families::token_digest
