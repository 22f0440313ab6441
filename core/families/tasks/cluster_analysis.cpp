// An analysis of a cluster is a task: the lines of its log are its findings.
#include "families/shapes/rule_functions.h"
#include "model/family.h"

namespace orlop {
namespace computations {
ComputeFunction analysis_status;
ComputeFunction task_author;
ComputeFunction task_reason;
}  // namespace computations

namespace families::cluster_analysis {
namespace {

using namespace shapes;

constexpr std::string_view kinds[] = {"COST_RECOMMENDATION", "DEPRECATED_API_CHECK"};
constexpr std::string_view formats[] = {"TABLE", "JSON", "CSV"};
constexpr std::string_view statuses[] = {"PENDING", "RUNNING", "SUCCEEDED", "FAILED", "TERMINATED"};

constexpr Field fields[] = {
    parent_id("cluster_id", "ID of the cluster that is analyzed."),
    uuid("organization_id", "ID of the organization of the cluster.").read_only().always_present(),
    enumeration("kind", kinds,
                "Subject of the analysis. `COST_RECOMMENDATION`: resources that workloads request and do not use. "
                "`DEPRECATED_API_CHECK`: objects whose Kubernetes API a newer "
                "version does not have.")
        .required(),
    enumeration("output_format", formats, "Format of the lines of the result.").required(),
    text("prometheus_url", "URL of the Prometheus server to read from. Null: that of the cluster.").nullable(),
    list_of("cmd_args", FieldKind::text, "Additional arguments of the analysis tool, at most 100. Default: empty.")
        .at_most(100)
        .defaults_to_empty(),
    text("target_kubernetes_version", "Kubernetes version to check against, as in `1.33`. Null: the next version.")
        .nullable(),
    computed(enumeration("status", statuses, "State of the analysis. `TERMINATED`: the driver has canceled it."),
             computations::analysis_status)
        .always_present(),
    computed(text("triggered_by", "Caller that has requested the analysis."), computations::task_author)
        .always_present(),
    computed(text("error_message", "Reason of a failure. Null: there is none.").nullable(), computations::task_reason)
        .always_present(),
};

void complete(Value& record, ValidationContext& context) {
  record.set("organization_id", Value(to_text(context.organization())));
}

}  // namespace

extern const Family family;
constexpr Family family = {
    .number = 70,
    .name = "cluster_analysis",
    .schema = "ClusterAnalysis",
    .segment = "analysis",
    .id_name = "analysisId",
    .about =
        "An analysis of a cluster examines its workloads. The driver does it in a step of kind `task`; the lines that "
        "it reports are the result. It cannot be changed once it "
        "has been requested.",
    .parent = "cluster",
    .parent_path = ParentPath::plural,
    .path = PathForm::nested,
    .fields = fields,
    .verbs = Verb::create | Verb::list | Verb::read,
    .create_status = 202,
    .name_scope = NameScope::none,
    .machine = MachineKind::task,
    .sample = R"({"kind": "DEPRECATED_API_CHECK", "output_format": "JSON"})",
    .complete = complete,
};

}  // namespace families::cluster_analysis
}  // namespace orlop
