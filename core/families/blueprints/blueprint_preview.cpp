// A preview of an update is a task: the driver determines the changes of the update.
#include "catalogs/blueprint_settings.h"
#include "families/shapes/rule_functions.h"
#include "model/family.h"

namespace orlop {
namespace computations {
ComputeFunction analysis_status;
ComputeFunction task_reason;
}  // namespace computations

namespace families::blueprint_preview {
namespace {

using namespace shapes;

constexpr std::string_view statuses[] = {"PENDING", "RUNNING", "SUCCEEDED", "FAILED", "TERMINATED"};

constexpr Field fields[] = {
    parent_id("blueprint_id", "ID of the blueprint."),
    text("tag", "Tag of the update.").required().at_least(1).at_most(255),
    enumeration("service_type", blueprint_shapes::service_types, "Kind of the service that is updated.").required(),
    open_object("difference",
                "Difference between the blueprint and the update, as `GET /blueprint/{blueprintId}/update` has it.")
        .required(),
    open_object("service", "The service as the update would make it, without secrets.").required(),
    computed(enumeration("status", statuses, "State of the preview. `TERMINATED`: the driver has canceled it."),
             computations::analysis_status)
        .always_present(),
    computed(text("error_message", "Reason of a failure. Null: there is none.").nullable(), computations::task_reason)
        .always_present(),
};

}  // namespace

extern const Family family;
constexpr Family family = {
    .number = 88,
    .name = "blueprint_preview",
    .schema = "BlueprintPreview",
    .segment = "preview",
    .id_name = "previewId",
    .about =
        "A preview of an update of a blueprint. The driver makes it in a step of kind `task`: its log lines tell what "
        "Terraform or Helm would change.",
    .parent = "blueprint",
    .path = PathForm::nested,
    .fields = fields,
    .verbs = 0,
    .name_scope = NameScope::none,
    .machine = MachineKind::task,
    .is_cloned = false,
    .sample = R"({"tag": "aws/postgresql/16/1.3.0", "service_type": "TERRAFORM", "difference": {}, "service": {}})",
};

}  // namespace families::blueprint_preview
}  // namespace orlop
