#include "operations/environments/parts/stage_list.h"

#include <algorithm>
#include <cassert>

#include "model/registry.h"
#include "ops/commit/record_event.h"
#include "ops/verbs.h"
#include "wire/json.h"
#include "wire/writer.h"

namespace orlop {

const Family& stage_family() {
  static const Family* const family = find_family("deployment_stage");
  assert(family != nullptr);
  return *family;
}

Result<std::vector<Stage>> stages_of(Unit& unit, const Id& environment) {
  RecordRange range;
  range.key = environment;
  range.family = stage_family().number;
  ORLOP_TRY(records, unit.records(range));
  std::vector<Stage> stages;
  for (Record& record : records) {
    ORLOP_TRY(body, parse_stored(record.body));
    const std::int64_t order = body.integer_or("deployment_order", 0);
    stages.push_back({std::move(record), std::move(body), order});
  }
  std::ranges::stable_sort(stages, {}, &Stage::order);
  return stages;
}

void renumber(Unit& unit, std::vector<Stage>& stages) {
  for (std::size_t place = 0; place < stages.size(); ++place) {
    Stage& stage = stages[place];
    const auto order = static_cast<std::int64_t>(place);
    if (stage.order == order && stage.body.has("deployment_order")) continue;
    stage.order = order;
    stage.body.set("deployment_order", Value(order));
    stage.body.set("updated_at", Value(to_text(unit.now())));
    stage.record.body = to_json(stage.body);
    Writer detail;
    detail.begin_object().field("name", stage.body.text_or("name", "")).key("fields").begin_list().value("deployment_order");
    detail.end_list().end_object();
    emit_edited(unit, stage.record, std::move(detail).take());
    unit.put(stage.record);
  }
}

Result<Id> add_stage(Unit& unit, const Id& environment, std::string_view name) {
  Value body;
  body.set("name", Value(name));
  ORLOP_TRY(record, create_record(unit, stage_family(), environment, body));
  return record.id;
}

Result<Answer> answer_stages(Unit& unit, const Call& call, const Id& environment) {
  ORLOP_TRY(stages, stages_of(unit, environment));
  std::vector<Record> records;
  records.reserve(stages.size());
  for (Stage& stage : stages) records.push_back(std::move(stage.record));
  return render_list(unit, call, stage_family(), records);
}

}  // namespace orlop
