#include "endpoints/environments/parts/stage_list.h"

#include <cassert>

#include "model/registry.h"
#include "records/write_record.h"
#include "unit/operation.h"

namespace orlop {

const Family& stage_family() {
  static const Family* const family = find_family("deployment_stage");
  assert(family != nullptr);
  return *family;
}

OrderedFamily ordered_stages() { return {stage_family(), "deployment_order"}; }

Result<std::vector<Stage>> stages_of(Unit& unit, const Id& environment) {
  return ordered_records(unit, ordered_stages(), environment);
}

void renumber(Unit& unit, std::vector<Stage>& stages) { renumber(unit, ordered_stages(), stages); }

Result<Id> add_stage(Unit& unit, const Id& environment, std::string_view name) {
  Value body;
  body.set("name", Value(name));
  ORLOP_TRY(record, create_record(unit, stage_family(), environment, body));
  return record.id;
}

Result<Answer> answer_stages(Unit& unit, const Call& call, const Id& environment) {
  return answer_ordered(unit, call, ordered_stages(), environment);
}

}  // namespace orlop
