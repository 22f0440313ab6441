// Records in the form of answers: the stored text with the computed fields, singly, as lists and as pages.
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

// Reports whether answers of the family hold more than the stored text.
bool has_computed(const Family& family);
// Reports whether the family changes its stored texts for an answer.
bool is_presented(const Family& family);

// Values of a computed field, one for each record.
struct ComputedColumn {
  std::string_view name;
  std::vector<std::string> values;
};
// Computes the computed fields of the family. Does not need the texts of the records.
Result<std::vector<ComputedColumn>> compute_all(Unit& unit, const Family& family, std::span<const Record> records);
// Writes the stored text of record number `at` with its computed fields before the last brace.
void write_with(Writer& out, std::string_view body, std::span<const ComputedColumn> columns, std::size_t at);

// Returns the public answers of records of one family, in their order: the stored text with the computed fields. A
// computed field queries the store once for all records.
Result<std::vector<std::string>> render_all(Unit& unit, const Family& family, std::span<const Record> records);
Result<std::string> render(Unit& unit, const Family& family, Record record);

// Returns {"results": [...]} of the records in answer form, or a page of them if the query asks for one.
Result<Answer> render_list(Unit& unit, const Call& call, const Family& family, const std::vector<Record>& records);
// Keeps the records with the name in the query if the family's lists are filtered by name (is_found_by_name) and the
// query has one; else keeps all.
std::vector<Record> keep_named(const Call& call, const Family& family, std::vector<Record> records);

// render_list() for texts that are already rendered.
Result<Answer> page_of_texts(const Call& call, std::span<const std::string> texts);

}  // namespace orlop
