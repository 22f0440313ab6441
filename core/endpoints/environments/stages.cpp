// Deployment stages of an environment: their order, and the services in them.
#include <algorithm>
#include <string>
#include <utility>

#include "endpoints/environments/parts/stage_list.h"
#include "endpoints/operation_set.h"
#include "endpoints/services/parts/request_shapes.h"
#include "endpoints/services/parts/resource_and_machine.h"
#include "model/registry.h"
#include "records/render_records.h"
#include "records/write_record.h"
#include "unit/find_record.h"

namespace orlop::operation_sets::environments::stages {
namespace {

enum class Side : std::uint8_t { before, after };

Result<Answer> move_stage(Unit& unit, const Call& call, Side side) {
  const Id& moved = call.ids[0];
  const Id& mark = call.ids[1];
  ORLOP_TRY(record, require(unit, stage_family(), moved));
  ORLOP_TRY(target, require(unit, stage_family(), mark));
  if (moved == mark) return invalid_field("stageId", "must be another stage than the one that is moved");
  if (record.parent != target.parent)
    return invalid_field("stageId", "must be a stage of the same environment; " + to_text(mark) + " is of another one");

  ORLOP_TRY(stages, stages_of(unit, record.parent));
  const auto id_of = [](const Stage& stage) { return stage.record.id; };
  const auto from = std::ranges::find(stages, moved, id_of);
  Stage taken = std::move(*from);
  stages.erase(from);
  const auto to = std::ranges::find(stages, mark, id_of);
  stages.insert(side == Side::after ? to + 1 : to, std::move(taken));
  renumber(unit, stages);
  return answer_stages(unit, call, record.parent);
}

Result<Answer> move_after(Unit& unit, const Call& call) { return move_stage(unit, call, Side::after); }
Result<Answer> move_before(Unit& unit, const Call& call) { return move_stage(unit, call, Side::before); }

Result<Answer> attach_service(Unit& unit, const Call& call) {
  ORLOP_TRY(stage, require(unit, stage_family(), call.ids[0]));
  ORLOP_TRY(service, require_service(unit, call.ids[1]));
  if (service.record.parent != stage.parent)
    return invalid_field("serviceId", "must be a service of the stage's environment; " + to_text(service.record.id) +
                                          " is of another one");

  Machine machine = service.machine;
  machine.stage = stage.id;
  if (call.body != nullptr && call.body->has("is_skipped")) {
    const auto skipped = static_cast<std::uint32_t>(PlanFlag::skipped);
    machine.plan_flags =
        call.body->boolean_or("is_skipped", false) ? machine.plan_flags | skipped : machine.plan_flags & ~skipped;
  }
  if (machine.stage != service.machine.stage || machine.plan_flags != service.machine.plan_flags)
    unit.put(std::move(machine));
  return answer_stages(unit, call, stage.parent);
}

Result<Answer> read_stage_of_service(Unit& unit, const Call& call) {
  ORLOP_TRY(service, require_service(unit, call.ids[0]));
  ORLOP_TRY(stage, require(unit, stage_family(), service.machine.stage));
  ORLOP_TRY(text, render(unit, stage_family(), stage));
  return Answer{200, std::move(text)};
}

// The generic list would be ordered by age.
Result<Answer> list_stages(Unit& unit, const Call& call) {
  ORLOP_TRY(environment, require(unit, *parent_of(*call.family), call.ids.front()));
  return answer_stages(unit, call, environment.id);
}

// Errors: invalid while the stage holds a service.
Result<Answer> remove_stage(Unit& unit, const Call& call) {
  ORLOP_TRY(stage, require(unit, stage_family(), call.ids.back()));
  ORLOP_TRY(machines, unit.machines(stage.parent));
  const auto held = std::ranges::count(machines, stage.id, &Machine::stage);
  if (held > 0) {
    return invalid_field("deploymentStageId",
                         "must be a stage that is empty of services; this one holds " + std::to_string(held));
  }
  ORLOP_CHECK(remove_tree(unit, stage));
  ORLOP_TRY(stages, stages_of(unit, stage.parent));
  renumber(unit, stages);
  return Answer{204, {}};
}

constexpr Operation operations[] = {
    {.path = "/service/{serviceId}/deploymentStage",
     .name = "get_service_{family}",
     .handle = read_stage_of_service,
     .form = AnswerForm::record,
     .summary = "Get the deployment stage of a service",
     .about = "Returns the stage with all services in it. A service is in exactly one stage of its environment."},
    {.method = Method::put,
     .path = "{flat}/moveAfter/{stageId}",
     .name = "move_after_{family}",
     .access = Access::write,
     .handle = move_after,
     .form = AnswerForm::record_list,
     .summary = "Move a deployment stage after another one",
     .about = "Returns all stages of the environment in their new order."},
    {.method = Method::put,
     .path = "{flat}/moveBefore/{stageId}",
     .name = "move_before_{family}",
     .access = Access::write,
     .handle = move_before,
     .form = AnswerForm::record_list,
     .summary = "Move a deployment stage before another one",
     .about = "Returns all stages of the environment in their new order."},
    {.method = Method::put,
     .path = "{flat}/service/{serviceId}",
     .name = "attach_service_to_{family}",
     .access = Access::write,
     .handle = attach_service,
     .body = &operation_shapes::attach,
     .form = AnswerForm::record_list,
     .summary = "Assign a service to a deployment stage",
     .about = "Removes the service from its previous stage. Returns all stages of the environment."},
};

constexpr ReplacedVerb replaced[] = {
    {.verb = Verb::list, .handle = list_stages},
    {.verb = Verb::remove, .handle = remove_stage},
};

}  // namespace

extern const OperationSet set;
constexpr OperationSet set = {
    .families = families_named("deployment_stage"),
    .operations = operations,
    .replaced = replaced,
    .python_class = "Staged",
};

}  // namespace orlop::operation_sets::environments::stages
