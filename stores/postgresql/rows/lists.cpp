// Part of reads.h: records below a parent, references to a record, machines of an owner, and counts.
#include <algorithm>
#include <map>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "rows/pages.h"
#include "rows/reads.h"
#include "rows/rows.h"

namespace orlop::postgresql {
namespace {

constexpr std::size_t list_bytes_max = 1 << 20;  // of records cached as a list

Statement statement_of(const orlop_range& range) {
  const bool with_text = range.with_text != 0;
  if (range.by == ORLOP_BY_REFERENCE) return with_text ? Statement::referrers : Statement::referrers_bare;
  if (range.family == 0) return with_text ? Statement::children : Statement::children_bare;
  return with_text ? Statement::children_of_family : Statement::children_of_family_bare;
}

void note_page(ReadSet* read_set, ReadSet::Range range, const Rows& rows) {
  if (read_set == nullptr) return;
  for (int row = 0; row < rows.count(); ++row) range.add_row(rows.bytes(row, id_at), rows.bytes(row, revision_at));
  read_set->add_range(std::move(range));
}

template <typename Kept, typename Row>
void note_list(ReadSet* read_set, ReadSet::Range::Kind kind, const RowCache::Page& page,
               const std::vector<std::shared_ptr<const Kept>>& all, Row Kept::*row) {
  if (read_set == nullptr) return;
  ReadSet::Range range{kind, page.owner, page.family, page.after, bound_of(page.most)};
  for (const auto& kept : all) range.add_row(((*kept).*row).id, ((*kept).*row).revision);
  read_set->add_range(std::move(range));
}

using Kind = ReadSet::Range::Kind;

Kind kind_of(const orlop_range& range) {
  if (range.by == ORLOP_BY_REFERENCE) return Kind::referrers;
  return range.family == 0 ? Kind::children : Kind::children_of_family;
}

RowCache::Page page_of(const orlop_range& range) { return {range.key, range.family, range.after, range.limit}; }

void note_counts(ReadSet* read_set, Kind kind, const orlop_id& key, std::uint16_t family,
                 const RowCache::Counts& counts) {
  if (read_set == nullptr) return;
  ReadSet::Range range{kind, key, family};
  for (const auto& [counted, count] : counts) range.add_count(counted, count);
  read_set->add_range(std::move(range));
}

template <typename Kept, typename Row>
Status visit_list(const std::vector<std::shared_ptr<const Kept>>& known, Row Kept::*row,
                  int32_t (*visit)(void*, const Row*), void* visitor) {
  for (const auto& kept : known) {
    if (visit(visitor, &((*kept).*row)) == 0) break;
  }
  return {};
}

// Returns the cached rows, for a reader that can note whole lists; else null.
RowCache* lists_of(Transaction& transaction) {
  ReadSet* const read_set = transaction.read_set();
  return read_set == nullptr || read_set->has_room() ? transaction.rows() : nullptr;
}

// Caches the records below a parent, of all families or of one.
void keep_below(RowCache& cache, const orlop_id& parent, std::uint16_t family, bool with_text, const Rows& rows,
                int first, int end) {
  std::vector<orlop_id> ids;
  for (int row = first; row < end; ++row) {
    ids.push_back(rows.uuid(row, id_at));
    cache.keep(read_record(rows, row), with_text);
  }
  cache.keep_records(parent, family, std::move(ids));
}

}  // namespace

// Visits the children of cached parents first.
Status read_records_below(Transaction& transaction, const orlop_id* parents, std::size_t count,
                          orlop_record_visitor visit, void* visitor) {
  RowCache* const cache = lists_of(transaction);
  std::vector<std::shared_ptr<const KeptRecord>> known;
  std::vector<orlop_id> unknown;
  for (const orlop_id& parent : std::span(parents, count)) {
    std::vector<std::shared_ptr<const KeptRecord>> below;
    if (cache == nullptr || !cache->list({parent}, true, below)) {
      unknown.push_back(parent);
      continue;
    }
    note_list(transaction.read_set(), Kind::children, {parent}, below, &KeptRecord::record);
    known.insert(known.end(), below.begin(), below.end());
  }
  for (const auto& kept : known) {
    if (visit(visitor, &kept->record) == 0) return {};
  }
  if (unknown.empty()) return {};
  Rows rows;
  Parameters parameters;
  parameters.array(Type::uuid, unknown, [](Parameters& array, const orlop_id& id) { array.add_uuid(id); });
  ORLOP_PG_CHECK(transaction.query(Statement::children_of_all, std::move(parameters), rows));
  if (RowCache* const kept = transaction.rows(); kept != nullptr && rows.size() <= list_bytes_max) {
    int row = 0;
    std::ranges::sort(unknown, is_less);
    for (const orlop_id& parent : unknown) {  // in the order of the rows
      const int first = row;
      while (row < rows.count() && same(read_record(rows, row).parent, parent)) ++row;
      keep_below(*kept, parent, 0, true, rows, first, row);
    }
  }
  for (int row = 0; row < rows.count(); ++row) {
    const orlop_record record = read_record(rows, row);
    if (visit(visitor, &record) == 0) break;
  }
  return {};
}

Status read_records(Transaction& transaction, const orlop_range& range, orlop_record_visitor visit, void* visitor) {
  const Statement statement = statement_of(range);
  const bool is_below = range.by != ORLOP_BY_REFERENCE;
  RowCache* const cache = is_below ? lists_of(transaction) : nullptr;
  std::vector<std::shared_ptr<const KeptRecord>> known;
  if (cache != nullptr && cache->list(page_of(range), range.with_text != 0, known)) {
    note_list(transaction.read_set(), kind_of(range), page_of(range), known, &KeptRecord::record);
    return visit_list(known, &KeptRecord::record, visit, visitor);
  }
  orlop_id after = range.after;
  const auto query = [&](std::int64_t size, Rows& rows) -> Status {
    Parameters parameters;
    parameters.uuid(range.key).uuid(after).bigint(size);
    if (!is_below || range.family != 0) parameters.integer(range.family);
    ORLOP_PG_CHECK(transaction.query(statement, std::move(parameters), rows));
    note_page(transaction.read_set(), {kind_of(range), range.key, range.family, after, size}, rows);
    const bool is_all = is_nil(after) && rows.count() < size && rows.size() <= list_bytes_max;
    if (cache != nullptr && is_all && transaction.rows() != nullptr)
      keep_below(*cache, range.key, range.family, range.with_text != 0, rows, 0, rows.count());
    return {};
  };
  return read_pages(range.limit, query, [&](const Rows& rows, int row) {
    const orlop_record record = read_record(rows, row);
    after = record.id;
    return visit(visitor, &record) != 0;
  });
}

Status read_machines(Transaction& transaction, const orlop_range& range, orlop_machine_visitor visit, void* visitor) {
  const bool is_active = range.by == ORLOP_BY_ACTIVE;
  std::vector<std::shared_ptr<const KeptMachine>> known;
  if (RowCache* const lists = is_active ? nullptr : lists_of(transaction);
      lists != nullptr && lists->list(page_of(range), known)) {
    note_list(transaction.read_set(), Kind::machines, page_of(range), known, &KeptMachine::machine);
    return visit_list(known, &KeptMachine::machine, visit, visitor);
  }
  RowCache* const cache = is_active ? nullptr : transaction.rows();
  orlop_id after = range.after;
  std::vector<orlop_id> ids;
  std::vector<orlop_phase> phases;
  orlop_machine machine;
  bool is_end = false;
  const auto query = [&](std::int64_t size, Rows& rows) -> Status {
    Parameters parameters;
    if (is_active) parameters.integer(range.has_partition != 0 ? range.partition : 0);
    else parameters.uuid(range.key);
    parameters.uuid(after).bigint(size).integer(range.family);
    if (is_active) parameters.integer(range.has_partition != 0 ? range.partition : UINT8_MAX);
    ORLOP_PG_CHECK(transaction.query(is_active ? Statement::active_machines : Statement::machines_of_owner,
                                     std::move(parameters), rows));
    is_end = rows.count() < size;
    if (!is_active) note_page(transaction.read_set(), {Kind::machines, range.key, range.family, after, size}, rows);
    for (int row = 0; cache != nullptr && row < rows.count(); ++row) {
      ids.push_back(rows.uuid(row, 0));
      ORLOP_PG_CHECK(read_machine(rows, row, phases, machine));
      cache->keep(machine);
    }
    return {};
  };
  Status is_read;
  ORLOP_PG_CHECK(read_pages(range.limit, query, [&](const Rows& rows, int row) {
    is_read = read_machine(rows, row, phases, machine);
    after = machine.id;
    return is_read.ok() && visit(visitor, &machine) != 0;
  }));
  ORLOP_PG_CHECK(std::move(is_read));
  if (cache != nullptr && is_end && is_nil(range.after)) cache->keep_machines(range.key, range.family, std::move(ids));
  return {};
}

Status read_counts(Transaction& transaction, const orlop_count_range& range, orlop_count_visitor visit, void* visitor) {
  const bool is_below = range.by == ORLOP_BY_PARENT;
  RowCache* const cache = is_below ? lists_of(transaction) : nullptr;
  const std::span<const orlop_id> keys(range.keys, range.key_count);
  std::map<std::size_t, RowCache::Counts> counts;  // by the index of the key
  std::vector<orlop_id> unknown;
  for (std::size_t at = 0; at < keys.size(); ++at) {
    if (const RowCache::Counts* const known = cache == nullptr ? nullptr : cache->counts(keys[at])) counts[at] = *known;
    else unknown.push_back(keys[at]);
  }
  if (!unknown.empty()) {
    Parameters parameters;
    parameters.array(Type::uuid, unknown, [](Parameters& array, const orlop_id& id) { array.add_uuid(id); });
    parameters.integer(range.family);
    Rows rows;
    ORLOP_PG_CHECK(transaction.query(is_below ? Statement::child_counts : Statement::referrer_counts,
                                     std::move(parameters), rows));
    std::map<std::string_view, RowCache::Counts> found;
    for (int row = 0; row < rows.count(); ++row)
      found[rows.bytes(row, 0)][static_cast<std::uint16_t>(rows.integer(row, 1))] =
          static_cast<std::uint64_t>(rows.bigint(row, 2));
    for (std::size_t at = 0; at < keys.size(); ++at) {
      if (counts.contains(at)) continue;
      counts[at] = found[{reinterpret_cast<const char*>(keys[at].bytes), sizeof keys[at].bytes}];
      if (cache != nullptr && range.family == 0 && transaction.rows() != nullptr)
        cache->keep_counts(keys[at], counts[at]);
    }
  }
  for (auto& [at, counted] : counts) {
    if (range.family != 0) std::erase_if(counted, [&](const auto& count) { return count.first != range.family; });
    note_counts(transaction.read_set(), is_below ? Kind::child_counts : Kind::referrer_counts, keys[at], range.family,
                counted);
    for (const auto& [family, number] : counted) {
      orlop_record_count count{};
      count.size = sizeof count;
      count.key = keys[at];
      count.family = family;
      count.count = number;
      if (visit(visitor, &count) == 0) return {};
    }
  }
  return {};
}

}  // namespace orlop::postgresql
