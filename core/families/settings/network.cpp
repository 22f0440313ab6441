// Network settings of an application or a container.
#include "model/family.h"

namespace orlop::families::network {
namespace {

constexpr Field fields[] = {
    boolean("sticky_session", "Send the requests of a client to the same instance. Default: false.").defaults_to(false),
};

}  // namespace

extern const Family family;
constexpr Family family = {
    .number = 66,
    .name = "network",
    .schema = "Network",
    .segment = "network",
    .id_name = "networkId",
    .about = "The network settings of a service. A PUT replaces all of them.",
    .parents = {"application", "container"},
    .path = PathForm::single,
    .fields = fields,
    .verbs = Verb::read | Verb::edit,
    .edit_status = 201,
    .name_scope = NameScope::none,
    .propagates = Propagation::parent,
    .configures = "network",
    .sample = R"({"sticky_session": true})",
};

}  // namespace orlop::families::network
