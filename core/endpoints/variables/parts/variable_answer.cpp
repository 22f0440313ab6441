#include "endpoints/variables/parts/variable_answer.h"

#include <algorithm>
#include <utility>

#include "endpoints/variables/parts/texts.h"
#include "records/variables/variable_text.h"
#include "unit/operation.h"
#include "wire/writer.h"

namespace orlop {

Result<std::string> render_variable(Unit& unit, const Record& variable, VariableForm form) {
  ORLOP_TRY(owner, unit.record(variable.parent));
  const auto end = end_of_text(variable.body);
  if (!owner || !end) return not_found("variable", variable.id);
  std::optional<Named> target;
  Shared<Record> target_record;  // owns the texts of `target`
  if (is_link(end->type)) {
    ORLOP_TRY(content, content_of(variable));
    ORLOP_TRY(record, unit.record(content.target));
    if (record) {
      target_record = std::move(record);
      target = named_of(target_record->id, target_record->body);
    } else {
      ORLOP_TRY(named, require_variable(unit, content.target));
      ORLOP_TRY(made, built_ins_of(unit, named.owner, false));
      const auto found = std::ranges::find(made, named.key, &BuiltIn::key);
      if (found != made.end()) target = named_of(*found);
    }
  }
  Writer out(variable.body.size() + 512);
  write_stored(out, variable.body, end->type, target ? &*target : nullptr, form);
  std::string text = std::move(out).take();
  return text.append(service_text(*owner)).append("}");
}

}  // namespace orlop
