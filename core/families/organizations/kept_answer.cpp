// The answer to a request with an Idempotency-Key: a repetition of the request gets the same answer and changes
// nothing. Found by the name key of the record, a digest of caller and key (rest/idempotency.h).
#include "base/family_number.h"
#include "model/family.h"

namespace orlop::families::kept_answer {
namespace {

constexpr Field fields[] = {
    text("request_digest", "SHA-256 digest of method, path, query and body of the request, in hexadecimal digits.")
        .required()
        .at_least(64)
        .at_most(64),
    date_time("expires_at", "Time from which the key may be used for another request.").required(),
    integer("status", "HTTP status of the answer.").required(),
    integer("revision", "Revision of the resource that the answer shows, for its ETag. Absent: it shows none."),
    text("media_type", "Media type of the answer's body.").required(),
    text("body",
         "Body of the answer. Kept as a secret, because it may contain one, such as the value of a new API token.")
        .secret()
        .at_most(1 << 30),
};

}  // namespace

extern const Family family;
constexpr Family family = {
    .number = kept_answer_number,
    .name = "kept_answer",
    .schema = "KeptAnswerRecord",
    .about = "The answer to a request with the header Idempotency-Key, kept for 24 hours.",
    .parent = "organization",
    .fields = fields,
    .verbs = 0,
    .name_scope = NameScope::none,
    .is_internal = true,
    .has_events = false,
    .sample = R"({"request_digest": "440ed5cc1220ff2e4f0c6e6b1a0e7c1b440ed5cc1220ff2e4f0c6e6b1a0e7c1b", "expires_at": )"
              R"("2026-01-02T00:00:00.000Z", "status": 201, "media_type": "application/json", "body": "{}"})",
};

}  // namespace orlop::families::kept_answer
