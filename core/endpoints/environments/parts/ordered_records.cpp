#include "endpoints/environments/parts/ordered_records.h"

#include <algorithm>
#include <string>
#include <utility>

#include "records/render_records.h"
#include "unit/store_record.h"
#include "wire/json.h"
#include "wire/writer.h"

namespace orlop {
namespace {

void set_place(Unit& unit, const OrderedFamily& family, Record record, Value&& body, std::size_t place) {
  body.set(family.place, Value(static_cast<std::int64_t>(place)));
  body.set("updated_at", Value(to_text(unit.now())));
  record.body = to_json(body);
  Writer detail;
  detail.begin_object().field("name", body.text_or("name", "")).key("fields").begin_list().value(family.place);
  detail.end_list().end_object();
  emit_edited(unit, record, std::move(detail).take());
  unit.put(std::move(record));
}

}  // namespace

Result<std::vector<OrderedRecord>> ordered_records(Unit& unit, const OrderedFamily& family, const Id& parent) {
  RecordRange range;
  range.key = parent;
  range.family = family.family.number;
  ORLOP_TRY(records, unit.records(range));
  std::vector<OrderedRecord> ordered;
  for (Record& record : records) {
    ORLOP_TRY(body, parse_stored(record.body));
    const std::int64_t order = body.integer_or(family.place, 0);
    ordered.push_back({std::move(record), std::move(body), order});
  }
  std::ranges::stable_sort(ordered, {}, &OrderedRecord::order);
  return ordered;
}

void renumber(Unit& unit, const OrderedFamily& family, std::vector<OrderedRecord>& records) {
  for (std::size_t place = 0; place < records.size(); ++place) {
    OrderedRecord& held = records[place];
    if (held.order == static_cast<std::int64_t>(place) && held.body.has(family.place)) continue;
    held.order = static_cast<std::int64_t>(place);
    set_place(unit, family, held.record, Value(held.body), place);
  }
}

Result<Answer> answer_ordered(Unit& unit, const Call& call, const OrderedFamily& family, const Id& parent) {
  ORLOP_TRY(ordered, ordered_records(unit, family, parent));
  std::vector<Record> records;
  records.reserve(ordered.size());
  for (OrderedRecord& held : ordered) records.push_back(std::move(held.record));
  return render_list(unit, call, family.family, records);
}

}  // namespace orlop
