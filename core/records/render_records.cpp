// Answers from stored text: only families that change it for an answer parse it; computed fields are inserted before
// the last brace.
#include <algorithm>
#include <string>
#include <vector>

#include "model/validate.h"
#include "records/render_records.h"
#include "unit/unit_context.h"
#include "wire/json.h"
#include "wire/writer.h"

namespace orlop {
namespace {

// Returns the stored text with the changes that the family makes for an answer.
Result<std::string> presented(const Family& family, const Record& record, UnitContext& context) {
  if (family.present == nullptr) return record.body;
  ORLOP_TRY(value, parse_stored(record.body));
  context.turn_to(record);
  family.present(value, context);
  ORLOP_CHECK(Result<void>(context.outcome()));
  arrange(family.fields, value);
  return to_json(value);
}

}  // namespace

bool is_presented(const Family& family) { return family.present != nullptr; }

bool has_computed(const Family& family) {
  return is_presented(family) ||
         std::ranges::any_of(family.fields, [](const Field& field) { return field.compute != nullptr; });
}

Result<std::vector<ComputedColumn>> compute_all(Unit& unit, const Family& family, std::span<const Record> records) {
  std::vector<ComputedColumn> columns;
  if (records.empty()) return columns;
  for (const Field& field : family.fields) {
    if (field.compute == nullptr) continue;
    ORLOP_TRY(values, field.compute(unit, records));
    columns.push_back({field.name, std::move(values)});
  }
  return columns;
}

void write_with(Writer& out, std::string_view body, std::span<const ComputedColumn> columns, std::size_t at) {
  out.raw(body.substr(0, body.size() - 1));
  for (const ComputedColumn& column : columns) out.field_raw(column.name, column.values[at]);
  out.end_object();
}

Result<std::vector<std::string>> render_all(Unit& unit, const Family& family, std::span<const Record> records) {
  std::vector<std::string> texts;
  texts.reserve(records.size());
  if (records.empty()) return texts;
  ORLOP_TRY(columns, compute_all(unit, family, records));
  UnitContext context(unit, records.front(), nullptr);
  for (std::size_t at = 0; at < records.size(); ++at) {
    ORLOP_TRY(body, presented(family, records[at], context));
    if (columns.empty()) {
      texts.push_back(std::move(body));
      continue;
    }
    Writer out(body.size() + 256);
    write_with(out, body, columns, at);
    texts.push_back(std::move(out).take());
  }
  return texts;
}

Result<std::string> render(Unit& unit, const Family& family, Record record) {
  if (!has_computed(family)) return std::move(record.body);
  ORLOP_TRY(texts, render_all(unit, family, std::span(&record, 1)));
  return std::move(texts.front());
}

}  // namespace orlop
