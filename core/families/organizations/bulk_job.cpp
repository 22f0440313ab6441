// Work on many records in several commits (records/bulk_jobs/job_parts.h). Its machine holds the progress.
#include "base/bulk_job_number.h"
#include "model/family.h"

namespace orlop::families::bulk_job {
namespace {

constexpr std::string_view kinds[] = {"REMOVAL", "COPY", "MARKING"};

constexpr Field fields[] = {
    enumeration(
        "kind", kinds,
        "Work of the job. `REMOVAL`: erases what its parent, a deletion, marks. `COPY`: copies services into the "
        "parent, an environment. `MARKING`: sets services to OUT_OF_DATE.")
        .required(),
    text("author", "Name of the caller whose request started the job. Empty: none."),
    uuid("source_id", "ID of the environment that is copied. Absent: none. It cannot be deleted while the job exists."),
    open_object("detail", "Values that jobs of this kind need. Absent: none."),
    text("items", "IDs of the records that the job works on, in their order and without separators. Absent: none.")
        .at_most(std::int64_t{1} << 40),
};

}  // namespace

extern const Family family;
constexpr Family family = {
    .number = bulk_job_number,
    .name = "bulk_job",
    .schema = "BulkJobRecord",
    .about =
        "A bulk job is work on many records that is committed in several parts, so that other writers are not kept "
        "waiting. It is removed with its last part.",
    .parents = {"organization", "project", "environment", "deletion"},
    .fields = fields,
    .verbs = 0,
    .name_scope = NameScope::none,
    .is_internal = true,
    .has_events = false,
    .sample = R"({"kind": "MARKING", "author": "host", "items": "01900000-0000-7000-8000-000000000001"})",
};

}  // namespace orlop::families::bulk_job
