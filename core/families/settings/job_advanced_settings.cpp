// Advanced settings of a job.
#include <algorithm>
#include <iterator>
#include <string_view>

#include "families/shapes/rule_functions.h"
#include "families/shapes/services/advanced_settings.h"
#include "model/family.h"

namespace orlop::families::job_advanced_settings {
namespace {

using namespace shapes;

constexpr Field fields[] = {
    setting_build_timeout_max_sec,
    setting_build_cpu_max_in_milli,
    setting_build_ram_max_in_gib,
    setting_build_disable_buildkit_cache,
    setting_build_skip_git_submodules,
    setting_deployment_termination_grace_period_seconds,
    setting_deployment_affinity_node_required,
    integer("job.delete_ttl_seconds_after_finished",
            "Time in seconds after which a finished job is removed from the cluster, at least 0. Default: null, "
            "it is kept.")
        .at_least(0)
        .nullable()
        .defaults_to_null(),
    text("cronjob.concurrency_policy",
         "Treatment of a run that is due while the last one is running: `Forbid`, `Allow` or `Replace`. Default: "
         "`Forbid`.")
        .defaults_to("Forbid"),
    integer("cronjob.failed_jobs_history_limit", "Number of failed runs that are kept, 0 to 1000. Default: 1.")
        .at_least(0)
        .at_most(1000)
        .defaults_to(1),
    integer("cronjob.success_jobs_history_limit", "Number of successful runs that are kept, 0 to 1000. Default: 1.")
        .at_least(0)
        .at_most(1000)
        .defaults_to(1),
    setting_security_service_account_name,
    setting_security_automount_service_account_token,
    setting_security_read_only_root_filesystem,
};

constexpr std::string_view concurrency_policies[] = {"Allow", "Forbid", "Replace"};

void check(const Value& record, ValidationContext&, Violations& violations) {
  check_text_maps(record, {"deployment.affinity.node.required"}, violations);
  const std::string_view policy = record.text_or("cronjob.concurrency_policy", "Forbid");
  if (std::ranges::find(concurrency_policies, policy) != std::end(concurrency_policies)) return;
  refuse(violations, "cronjob.concurrency_policy", "must be one of Allow, Forbid, Replace, not " + quoted(policy));
}

}  // namespace

extern const Family family;
constexpr Family family = {
    .number = 62,
    .name = "job_advanced_settings",
    .schema = "JobAdvancedSettings",
    .segment = "advancedSettings",
    .id_name = "advancedSettingsId",
    .about = "The advanced settings of a job: each has a default, and a PUT replaces all of them.",
    .parent = "job",
    .path = PathForm::single,
    .fields = fields,
    .verbs = Verb::read | Verb::edit,
    .edit_status = 201,
    .name_scope = NameScope::none,
    .propagates = Propagation::parent,
    .defaults_path = "/defaultJobAdvancedSettings",
    .configures = "advanced_settings",
    .sample = R"({"cronjob.concurrency_policy": "Replace"})",
    .takes_numbers_as_text = true,
    .check = check,
};

}  // namespace orlop::families::job_advanced_settings
