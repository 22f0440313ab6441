// Settings of a container or of an environment: one record for each, with defaults.
#include "model/family.h"

namespace orlop::families::test_settings {
namespace {

constexpr std::string_view modes[] = {"fast", "safe"};

constexpr Field fields[] = {
    integer("build.timeout", "Timeout of builds in seconds, 1 to 3600. Default: 1800.")
        .at_least(1)
        .at_most(3600)
        .defaults_to(1800),
    enumeration("build.mode", modes, "Mode of builds. Default: `safe`.").defaults_to("safe"),
    text("build.note", "Note. Default: null.").nullable().defaults_to_null(),
};

}  // namespace

extern const Family family;
constexpr Family family = {
    .number = 904,
    .name = "test_settings",
    .schema = "TestSettings",
    .segment = "testSettings",
    .id_name = "testSettingsId",
    .about = "Settings of builds.",
    .parents = {"container", "environment"},
    .path = PathForm::single,
    .fields = fields,
    .verbs = Verb::read | Verb::edit,
    .edit_status = 201,
    .name_scope = NameScope::none,
    .propagates = Propagation::parent,
    .defaults_path = "/defaultTestSettings",
    .sample = R"({"build.timeout": 60})",
};

}  // namespace orlop::families::test_settings
