#include "deploy/run/job_output_records.h"

#include <optional>
#include <string>
#include <utility>

#include "base/family_number.h"
#include "deploy/driver/sensitive_outputs.h"
#include "model/missing_secret.h"
#include "model/registry.h"
#include "records/record_value.h"
#include "records/write_record.h"
#include "unit/find_record.h"

namespace orlop {

Result<void> store_sensitive_outputs(Unit& unit, const Id& job, std::string_view outputs) {
  std::string values = split_outputs(outputs).values;
  if (values.empty()) return {};
  static const Family& family = *find_family(job_outputs_number);
  const Value body(Value::Object{{"values", Value(std::move(values))}});
  ORLOP_TRY(before, find_child(unit, job, job_outputs_number));
  ORLOP_TRY(stored, before ? edit_record(unit, family, std::move(before).take(), body)
                           : create_record(unit, family, job, body));
  (void)stored;
  return {};
}

Result<void> restore_sensitive_outputs(Unit& unit, Run& run) {
  for (JobOutputs& job : run.outputs) {
    if (!may_have_sensitive(job.text)) continue;
    ORLOP_TRY(record, find_child(unit, run.subjects[job.part], job_outputs_number));
    if (!record) continue;
    ORLOP_TRY(body, full_value(*record));
    const Value* values = body.find("values");
    if (values == nullptr) continue;
    job.text = is_missing_secret(*values) ? mark_missing(job.text) : join_outputs(job.text, body.text_or("values", ""));
  }
  return {};
}

}  // namespace orlop
