// A registered consumer of the feed: events that it has not acknowledged are kept. Found by the name key of the record,
// its name (feed/consumers.h).
#include "base/family_number.h"
#include "model/family.h"

namespace orlop::families::event_consumer {
namespace {

constexpr Field fields[] = {
    text("consumer", "Name under which the consumer is registered.").required().at_least(1).at_most(64),
    integer("acknowledged", "Number of the last event that the consumer has acknowledged. 0: none.").required(),
    date_time("acknowledged_at", "Time of the registration, or of the last acknowledgement.").required(),
};

}  // namespace

extern const Family family;
constexpr Family family = {
    .number = event_consumer_number,
    .name = "event_consumer",
    .schema = "EventConsumerRecord",
    .about = "A consumer of the feed under a name. Events that it has not acknowledged are not removed.",
    .fields = fields,
    .verbs = 0,
    .name_scope = NameScope::none,
    .is_internal = true,
    .has_events = false,
    .sample = R"({"consumer": "billing", "acknowledged": 17, "acknowledged_at": "2026-01-02T00:00:00.000Z"})",
};

}  // namespace orlop::families::event_consumer
