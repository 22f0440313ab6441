// Records in the form of answers: the stored text with the computed fields, one by one, as lists and as pages.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "unit/operation.h"
#include "unit/unit.h"
#include "wire/writer.h"

namespace orlop {

// Whether answers of the family hold more than the stored text.
bool has_computed(const Family& family);
// Whether the stored texts of the family are changed for an answer.
bool is_presented(const Family& family);

// The values of one computed field, one for each record.
struct ComputedColumn {
  std::string_view name;
  std::vector<std::string> values;
};
// The computed fields of the family. Needs no texts of the records.
Result<std::vector<ComputedColumn>> compute_all(Unit& unit, const Family& family, std::span<const Record> records);
// The stored text of the record at this place, with its computed fields before the last brace.
void write_with(Writer& out, std::string_view body, std::span<const ComputedColumn> columns, std::size_t at);

// The public answers of records of one family, in their order: the stored text with what is computed spliced in. A
// computed field asks the store for all of them at once.
Result<std::vector<std::string>> render_all(Unit& unit, const Family& family, std::span<const Record> records);
// That of one record.
Result<std::string> render(Unit& unit, const Family& family, Record record);

// {"results": [...]} of records in their answer form, or a page of them when the query asks for one.
Result<Answer> render_list(Unit& unit, const Call& call, const Family& family, const std::vector<Record>& records);
// Those that have the name in the query, where the family's lists are read by name (is_found_by_name) and the query has
// one; else all.
std::vector<Record> keep_named(const Call& call, const Family& family, std::vector<Record> records);

// The same of answers that are already made.
Result<Answer> page_of_texts(const Call& call, std::span<const std::string> texts);

}  // namespace orlop
