// A blueprint of the catalog that an environment uses: the chosen values, and the service made from it.
#include "catalogs/blueprint_settings.h"
#include "families/shapes/rule_functions.h"
#include "model/family.h"

namespace orlop::families::blueprint {
namespace {

using namespace shapes;

constexpr Field fields[] = {
    parent_id("environment_id", "ID of the environment."),
    text("name", "Name of the service that the blueprint makes, 1 to 255 bytes.").required().at_least(1).at_most(255),
    text("tag", "Tag of the blueprint, as in the catalogue.").required().at_least(1).at_most(255),
    uri("icon", "URL of the icon.").required(),
    uri("catalog_url", "URL of the blueprint in its catalogue."),
    uuid("service_id", "ID of the service that the blueprint has made."),
    enumeration("service_type", blueprint_shapes::service_types, "Kind of that service."),
    open_object("values", "Values of the variables that are not secret, by name.").defaults_to_empty(),
    open_object("secret_values", "Values of the variables that are secrets, by name. Never returned.").secret(),
    object("spec_overrides", blueprint_shapes::spec_overrides,
           "Settings of the engine that deploys the blueprint, in the place of the blueprint's own.")
        .nullable(),
    open_object("manifest", "Variables and engine of the blueprint at the tag."),
};

}  // namespace

extern const Family family;
constexpr Family family = {
    .number = 87,
    .name = "blueprint",
    .schema = "BlueprintSettings",
    .segment = "blueprint",
    .id_name = "blueprintId",
    .about =
        "A blueprint in an environment makes a Terraform or Helm service of a blueprint of the catalogue and the "
        "values that are given for its variables.",
    .parent = "environment",
    .fields = fields,
    .verbs = 0,
    .name_scope = NameScope::none,
    .is_cloned = false,
    .sample =
        R"({"name": "orders-db", "tag": "aws/postgresql/16/1.2.0", "icon": "https://example.com/postgresql.svg", )"
        R"("secret_values": {"password": "secret"}})",
};

}  // namespace orlop::families::blueprint
