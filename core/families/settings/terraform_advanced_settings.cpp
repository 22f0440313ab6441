// Advanced settings of a Terraform service.
#include "families/shapes/rule_functions.h"
#include "families/shapes/services/advanced_settings.h"
#include "model/family.h"

namespace orlop::families::terraform_advanced_settings {
namespace {

using namespace shapes;

constexpr Field fields[] = {
    setting_build_timeout_max_sec,
    setting_build_cpu_max_in_milli,
    setting_build_ram_max_in_gib,
    integer("build.ephemeral_storage_in_gib",
            "Ephemeral storage of a build in GiB, 1 to 1000. Absent: set by the cluster.")
        .at_least(1)
        .at_most(1000),
    setting_build_skip_git_submodules,
    setting_deployment_termination_grace_period_seconds,
    setting_deployment_affinity_node_required,
    setting_security_service_account_name,
    setting_security_read_only_root_filesystem,
};

void check(const Value& record, ValidationContext&, Violations& violations) {
  check_text_maps(record, {"deployment.affinity.node.required"}, violations);
}

}  // namespace

extern const Family family;
constexpr Family family = {
    .number = 64,
    .name = "terraform_advanced_settings",
    .schema = "TerraformAdvancedSettings",
    .segment = "advancedSettings",
    .id_name = "advancedSettingsId",
    .about = "The advanced settings of a Terraform service: each has a default, and a PUT replaces all of them.",
    .parent = "terraform",
    .path = PathForm::single,
    .fields = fields,
    .verbs = Verb::read | Verb::edit,
    .edit_status = 201,
    .name_scope = NameScope::none,
    .propagates = Propagation::parent,
    .defaults_path = "/defaultTerraformAdvancedSettings",
    .configures = "advanced_settings",
    .sample = R"({"build.cpu_max_in_milli": 8000})",
    .takes_numbers_as_text = true,
    .check = check,
};

}  // namespace orlop::families::terraform_advanced_settings
