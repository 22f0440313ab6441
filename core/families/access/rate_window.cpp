// Requests that a caller has reserved in an hour, where processes share a store (rest/rate_limit.h). Found by the
// caller's name key.
#include "base/rate_window_number.h"
#include "model/family.h"

namespace orlop::families::rate_window {
namespace {

constexpr Field fields[] = {
    integer("window", "Number of the hour since 1970 that is counted.").required(),
    integer("taken", "Requests that processes have reserved in it.").required(),
};

}  // namespace

extern const Family family;
constexpr Family family = {
    .number = rate_window_number,
    .name = "rate_window",
    .schema = "RateWindowRecord",
    .about = "Requests that one caller has reserved in an hour, counted by all processes of a store together.",
    .fields = fields,
    .verbs = 0,
    .name_scope = NameScope::none,
    .is_internal = true,
    .has_events = false,
    .sample = R"({"window": 490896, "taken": 50})",
};

}  // namespace orlop::families::rate_window
