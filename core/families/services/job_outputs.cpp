// The sensitive outputs of the last run of a job. Separate from the others, which are in the job's row, so that they
// are sealed like all secrets.
#include "base/family_number.h"
#include "model/family.h"

namespace orlop::families::job_outputs {
namespace {

constexpr Field fields[] = {
    text("values",
         "Values of the outputs that the driver marked as sensitive: a JSON object, by the names of the outputs.")
        .required()
        .secret()
        .at_least(2)
        .at_most(1 << 21),
};

}  // namespace

extern const Family family;
constexpr Family family = {
    .number = job_outputs_number,
    .name = "job_outputs",
    .schema = "JobOutputsRecord",
    .about = "The outputs of a job that its driver marked as sensitive, for the services of later stages.",
    .parent = "job",
    .fields = fields,
    .verbs = 0,
    .name_scope = NameScope::none,
    .is_internal = true,
    .has_events = false,
    .sample = R"({"values": "{}"})",
};

}  // namespace orlop::families::job_outputs
