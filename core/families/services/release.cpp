// What one successful step made of a service or cluster.
#include "base/family_number.h"
#include "model/family.h"

namespace orlop::families::release {
namespace {

constexpr Field fields[] = {
    integer("number", "Number of the release: 1, 2, … of the service.").required().at_least(1),
    date_time("deployed_at", "Time at which the step succeeded, in UTC.").required(),
    uuid("request_id", "ID of the deployment request."),
    text("triggered_by", "Name of the caller that made the request."),
    text("digest", "Digest of the configuration. Absent: the release was made without it.").at_most(100),
    integer("rollback_of", "Number of the release whose configuration it is. Absent: it was no roll-back.").at_least(1),
    open_object("version", "Image, chart and commit that were deployed, as far as they are known.").defaults_to_empty(),
    // JSON text. Of the newest release: {"configuration", "secrets": JSON Pointers to its secrets}. Of an older one:
    // {"patch"}, a JSON Patch that turns the contents of the next newer release into those of this one.
    text("contents", "Configuration of the release, or how it differs from that of the next one.")
        .secret()
        .at_most(1 << 26),
};

}  // namespace

extern const Family family;
constexpr Family family = {
    .number = release_number,
    .name = "release",
    .schema = "ReleaseRecord",
    .about =
        "A release is what one successful step made of a service: the configuration that the driver was given, and "
        "what "
        "it deployed.",
    .parent = "release_list",
    .fields = fields,
    .verbs = 0,
    .name_scope = NameScope::none,
    .is_internal = true,
    .has_events = false,
    .is_cloned = false,
    .sample = R"({"number": 1, "deployed_at": "2026-01-01T00:00:00.000Z"})",
};

}  // namespace orlop::families::release
