#include "rows/reads.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "rows/rows.h"

namespace orlop::postgresql {
namespace {

constexpr std::uint64_t first_page = 256;
constexpr std::uint64_t largest_page = 4'096;
constexpr std::size_t list_bytes_max = 1 << 20;  // of records that are kept as a list

// Reads pages until the limit, the end, or a visitor that stops. `query(size, rows)` reads the next page of `size` rows; `visit(rows, row)` says whether to go on.
template <typename Query, typename Visit>
Status read_pages(std::uint64_t limit, const Query& query, const Visit& visit) {
  std::uint64_t size = first_page;
  while (limit > 0) {
    const std::uint64_t wanted = std::min(limit, size);
    Rows rows;
    ORLOP_PG_CHECK(query(static_cast<std::int64_t>(wanted), rows));
    for (int row = 0; row < rows.count(); ++row) {
      if (!visit(rows, row)) return {};
    }
    if (static_cast<std::uint64_t>(rows.count()) < wanted) return {};
    limit -= wanted;
    size = std::min(size * 4, largest_page);
  }
  return {};
}

Statement statement_of(const orlop_range& range) {
  const bool with_text = range.with_text != 0;
  if (range.by == ORLOP_BY_REFERENCE) return with_text ? Statement::referrers : Statement::referrers_bare;
  if (range.family == 0) return with_text ? Statement::children : Statement::children_bare;
  return with_text ? Statement::children_of_family : Statement::children_of_family_bare;
}

Statement statement_of(const orlop_event_range& range) {
  const bool is_newest_first = range.newest_first != 0;
  if (!is_nil(range.organization)) return is_newest_first ? Statement::newest_events_of_organization : Statement::events_of_organization;
  if (!is_nil(range.request)) return is_newest_first ? Statement::newest_events_of_request : Statement::events_of_request;
  if (!is_nil(range.subject)) return is_newest_first ? Statement::newest_events_of_subject : Statement::events_of_subject;
  return is_newest_first ? Statement::newest_events : Statement::events;
}

bool asks_for_last(const orlop_event_range& range) {
  return range.newest_first != 0 && range.limit == 1 && range.after == 0 && range.before == UINT64_MAX && is_nil(range.organization) &&
         is_nil(range.request) && is_nil(range.subject);
}

Status query_of(Transaction& transaction, Statement statement, const orlop_id& id, Rows& rows) {
  Parameters parameters;
  parameters.uuid(id);
  return transaction.query(statement, std::move(parameters), rows);
}

Status query_of(Transaction& transaction, Statement statement, std::span<const orlop_id> ids, Rows& rows) {
  Parameters parameters;
  parameters.array(Type::uuid, ids, [](Parameters& array, const orlop_id& id) { array.add_uuid(id); });
  return transaction.query(statement, std::move(parameters), rows);
}

constexpr int id_at = 0;  // of records and of machines
constexpr int revision_at = 4;

// How an optimistic writer notes a row.
using Note = void (ReadSet::*)(const orlop_id& id, std::uint64_t revision);

// Notes the rows with these ids, which are `found` or are not there.
void note_rows(ReadSet* read_set, Note note, std::span<const orlop_id> ids, const Rows& found) {
  if (read_set == nullptr) return;
  std::set<std::string_view> there;
  for (int row = 0; row < found.count(); ++row) {
    there.insert(found.bytes(row, 0));
    (read_set->*note)(found.uuid(row, 0), static_cast<std::uint64_t>(found.bigint(row, revision_at)));
  }
  for (const orlop_id& id : ids) {
    if (!there.contains({reinterpret_cast<const char*>(id.bytes), sizeof id.bytes})) (read_set->*note)(id, 0);
  }
}

void note_page(ReadSet* read_set, ReadSet::Range range, const Rows& rows) {
  if (read_set == nullptr) return;
  for (int row = 0; row < rows.count(); ++row) range.add_row(rows.bytes(row, id_at), rows.bytes(row, revision_at));
  read_set->add_range(std::move(range));
}

template <typename Kept, typename Row>
void note_list(ReadSet* read_set, ReadSet::Range range, const std::vector<std::shared_ptr<const Kept>>& all, Row Kept::*row) {
  if (read_set == nullptr) return;
  range.limit = INT64_MAX;
  for (const auto& kept : all) range.add_row(((*kept).*row).id, ((*kept).*row).revision);
  read_set->add_range(std::move(range));
}

using Kind = ReadSet::Range::Kind;

ReadSet::Range range_below(const orlop_id& parent, std::uint16_t family) { return {family == 0 ? Kind::children : Kind::children_of_family, parent, family}; }

void note_counts(ReadSet* read_set, Kind kind, const orlop_id& key, std::uint16_t family, const RowCache::Counts& counts) {
  if (read_set == nullptr) return;
  ReadSet::Range range{kind, key, family};
  for (const auto& [counted, count] : counts) range.add_count(counted, count);
  read_set->add_range(std::move(range));
}

void note_links(ReadSet* read_set, const orlop_id& id, const Rows& rows) {
  if (read_set == nullptr) return;
  ReadSet::Range range{ReadSet::Range::Kind::links, id};
  for (int row = 0; row < rows.count(); ++row) {
    if (row == 0) {
      const std::string_view name = rows.bytes(0, 0);
      const std::uint32_t size = rows.is_null(0, 0) ? UINT32_MAX : static_cast<std::uint32_t>(name.size());
      for (const int shift : {24, 16, 8, 0}) range.found += static_cast<char>(size >> shift);
      range.found.append(name);
    }
    if (!rows.is_null(row, 1)) range.found.append(rows.bytes(row, 1));
  }
  read_set->add_range(std::move(range));
}

void keep(RowCache& cache, const orlop_record& record) { cache.keep(record, true); }
void keep(RowCache& cache, const orlop_machine& machine) { cache.keep(machine); }

// Visits the rows with these ids: those that are known, then what `read(ids, visit)` reads of the others, which are known from then on.
template <typename Kept, typename Row, typename Find, typename Read>
Status visit_by_ids(Transaction& transaction, Note note, std::span<const orlop_id> ids, Row Kept::*row, const Find& find, const Read& read,
                    int32_t (*visit)(void*, const Row*), void* visitor) {
  RowCache* const cache = transaction.rows();
  std::vector<std::shared_ptr<const Kept>> known;
  std::vector<orlop_id> unknown;
  for (const orlop_id& id : ids) {
    std::shared_ptr<const Kept> kept = cache == nullptr ? nullptr : find(*cache, id);
    if (kept) known.push_back(std::move(kept));
    else unknown.push_back(id);
  }
  for (const auto& kept : known) {
    const Row& found = (*kept).*row;
    if (ReadSet* const read_set = transaction.read_set()) (read_set->*note)(found.id, found.revision);
    if (visit(visitor, &found) == 0) return {};
  }
  if (unknown.empty()) return {};
  return read(unknown, [&](const Row& found) {
    if (cache != nullptr) keep(*cache, found);
    return visit(visitor, &found) != 0;
  });
}

Status visit_records(Transaction& transaction, std::span<const orlop_id> ids, bool is_one, orlop_record_visitor visit, void* visitor) {
  const auto read = [&](std::span<const orlop_id> unknown, const auto& found) -> Status {
    Rows rows;
    ORLOP_PG_CHECK(is_one ? query_of(transaction, Statement::record, unknown.front(), rows) : query_of(transaction, Statement::records_of_ids, unknown, rows));
    note_rows(transaction.read_set(), &ReadSet::add_record, unknown, rows);
    for (int row = 0; row < rows.count(); ++row) {
      if (!found(read_record(rows, row))) break;
    }
    return {};
  };
  const auto find = [](const RowCache& cache, const orlop_id& id) { return cache.record(id); };
  return visit_by_ids(transaction, &ReadSet::add_record, ids, &KeptRecord::record, find, read, visit, visitor);
}

Status visit_machines(Transaction& transaction, std::span<const orlop_id> ids, bool is_one, orlop_machine_visitor visit, void* visitor) {
  const auto read = [&](std::span<const orlop_id> unknown, const auto& found) -> Status {
    Rows rows;
    ORLOP_PG_CHECK(is_one ? query_of(transaction, Statement::machine, unknown.front(), rows) : query_of(transaction, Statement::machines_of_ids, unknown, rows));
    note_rows(transaction.read_set(), &ReadSet::add_machine, unknown, rows);
    std::vector<orlop_phase> phases;
    for (int row = 0; row < rows.count(); ++row) {
      if (!found(read_machine(rows, row, phases))) break;
    }
    return {};
  };
  const auto find = [](const RowCache& cache, const orlop_id& id) { return cache.machine(id); };
  return visit_by_ids(transaction, &ReadSet::add_machine, ids, &KeptMachine::machine, find, read, visit, visitor);
}

template <typename Kept, typename Row>
Status visit_list(const std::vector<std::shared_ptr<const Kept>>& known, Row Kept::*row, const orlop_range& range, int32_t (*visit)(void*, const Row*), void* visitor) {
  std::uint64_t left = range.limit;
  for (const auto& kept : known) {
    const Row& found = (*kept).*row;
    if (std::memcmp(found.id.bytes, range.after.bytes, sizeof range.after.bytes) <= 0) continue;
    if (left-- == 0 || visit(visitor, &found) == 0) break;
  }
  return {};
}

// The rows that are known, for a reader that can note all of a list; else nullptr.
RowCache* lists_of(Transaction& transaction) {
  ReadSet* const read_set = transaction.read_set();
  return read_set == nullptr || read_set->has_room() ? transaction.rows() : nullptr;
}

// Keeps what lies below a parent, all of it or all of a family.
void keep_below(RowCache& cache, const orlop_id& parent, std::uint16_t family, bool with_text, const Rows& rows, int first, int end) {
  std::vector<orlop_id> ids;
  for (int row = first; row < end; ++row) {
    ids.push_back(rows.uuid(row, id_at));
    cache.keep(read_record(rows, row), with_text);
  }
  cache.keep_records(parent, family, std::move(ids));
}

}  // namespace

Status read_records_by_ids(Transaction& transaction, const orlop_id* ids, std::size_t count, orlop_record_visitor visit, void* visitor) {
  return visit_records(transaction, {ids, count}, false, visit, visitor);
}

Status read_machines_by_ids(Transaction& transaction, const orlop_id* ids, std::size_t count, orlop_machine_visitor visit, void* visitor) {
  return visit_machines(transaction, {ids, count}, false, visit, visitor);
}

Status read_record(Transaction& transaction, const orlop_id& id, orlop_record_visitor visit, void* visitor) {
  return visit_records(transaction, {&id, 1}, true, visit, visitor);
}

Status read_machine(Transaction& transaction, const orlop_id& id, orlop_machine_visitor visit, void* visitor) {
  return visit_machines(transaction, {&id, 1}, true, visit, visitor);
}

// Those of parents that are known first.
Status read_records_below(Transaction& transaction, const orlop_id* parents, std::size_t count, orlop_record_visitor visit, void* visitor) {
  RowCache* const cache = lists_of(transaction);
  std::vector<std::shared_ptr<const KeptRecord>> known;
  std::vector<orlop_id> unknown;
  for (const orlop_id& parent : std::span(parents, count)) {
    std::vector<std::shared_ptr<const KeptRecord>> below;
    if (cache == nullptr || !cache->list(parent, 0, true, below)) {
      unknown.push_back(parent);
      continue;
    }
    note_list(transaction.read_set(), range_below(parent, 0), below, &KeptRecord::record);
    known.insert(known.end(), below.begin(), below.end());
  }
  for (const auto& kept : known) {
    if (visit(visitor, &kept->record) == 0) return {};
  }
  if (unknown.empty()) return {};
  Rows rows;
  ORLOP_PG_CHECK(query_of(transaction, Statement::children_of_all, unknown, rows));
  if (RowCache* const kept = transaction.rows(); kept != nullptr && rows.size() <= list_bytes_max) {
    int row = 0;
    std::ranges::sort(unknown, [](const orlop_id& a, const orlop_id& b) { return std::memcmp(a.bytes, b.bytes, sizeof a.bytes) < 0; });
    for (const orlop_id& parent : unknown) {  // in the order of the rows
      const int first = row;
      while (row < rows.count() && std::memcmp(read_record(rows, row).parent.bytes, parent.bytes, sizeof parent.bytes) == 0) ++row;
      keep_below(*kept, parent, 0, true, rows, first, row);
    }
  }
  for (int row = 0; row < rows.count(); ++row) {
    const orlop_record record = read_record(rows, row);
    if (visit(visitor, &record) == 0) break;
  }
  return {};
}

Status find_name(Transaction& transaction, orlop_text name_key, orlop_id& id) {
  Parameters parameters;
  parameters.bytes(view_of(name_key));
  Rows rows;
  ORLOP_PG_CHECK(transaction.query(Statement::record_of_name, std::move(parameters), rows));
  id = rows.count() == 0 ? orlop_id{} : rows.uuid(0, 0);
  if (ReadSet* const read_set = transaction.read_set()) read_set->add_name(name_key, id);
  return {};
}

Status find_unlikely_name(Transaction& transaction, orlop_text name_key, orlop_id& id) {
  ReadSet* const read_set = transaction.read_set();
  if (read_set == nullptr) return find_name(transaction, name_key, id);
  id = {};
  read_set->add_free_name(name_key);
  return {};
}

Status read_links(Transaction& transaction, const orlop_id& id, orlop_links_visitor visit, void* visitor) {
  Parameters parameters;
  parameters.uuid(id);
  Rows rows;
  ORLOP_PG_CHECK(transaction.query(Statement::links, std::move(parameters), rows));
  note_links(transaction.read_set(), id, rows);
  if (rows.count() == 0) return {};
  std::vector<orlop_id> references;
  for (int row = 0; row < rows.count(); ++row) {
    if (!rows.is_null(row, 1)) references.push_back(rows.uuid(row, 1));
  }
  visit(visitor, text_of(rows.bytes(0, 0)), references.data(), references.size());
  return {};
}

Status read_records(Transaction& transaction, const orlop_range& range, orlop_record_visitor visit, void* visitor) {
  const Statement statement = statement_of(range);
  const bool is_below = range.by != ORLOP_BY_REFERENCE;
  RowCache* const cache = is_below ? lists_of(transaction) : nullptr;
  std::vector<std::shared_ptr<const KeptRecord>> known;
  if (cache != nullptr && cache->list(range.key, range.family, range.with_text != 0, known)) {
    note_list(transaction.read_set(), range_below(range.key, range.family), known, &KeptRecord::record);
    return visit_list(known, &KeptRecord::record, range, visit, visitor);
  }
  orlop_id after = range.after;
  const auto query = [&](std::int64_t size, Rows& rows) -> Status {
    Parameters parameters;
    parameters.uuid(range.key).uuid(after).bigint(size);
    if (!is_below || range.family != 0) parameters.integer(range.family);
    ORLOP_PG_CHECK(transaction.query(statement, std::move(parameters), rows));
    ReadSet::Range noted = is_below ? range_below(range.key, range.family) : ReadSet::Range{Kind::referrers, range.key, range.family};
    noted.after = after;
    noted.limit = size;
    note_page(transaction.read_set(), std::move(noted), rows);
    const bool is_all = is_nil(after) && rows.count() < size && rows.size() <= list_bytes_max;
    if (cache != nullptr && is_all && transaction.rows() != nullptr) keep_below(*cache, range.key, range.family, range.with_text != 0, rows, 0, rows.count());
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
  if (RowCache* const lists = is_active ? nullptr : lists_of(transaction); lists != nullptr && lists->list(range.key, range.family, known)) {
    note_list(transaction.read_set(), {Kind::machines, range.key, range.family}, known, &KeptMachine::machine);
    return visit_list(known, &KeptMachine::machine, range, visit, visitor);
  }
  RowCache* const cache = is_active ? nullptr : transaction.rows();
  orlop_id after = range.after;
  std::vector<orlop_id> ids;
  std::vector<orlop_phase> phases;
  bool is_end = false;
  const auto query = [&](std::int64_t size, Rows& rows) -> Status {
    Parameters parameters;
    if (is_active) parameters.integer(range.has_partition != 0 ? range.partition : 0);
    else parameters.uuid(range.key);
    parameters.uuid(after).bigint(size).integer(range.family);
    if (is_active) parameters.integer(range.has_partition != 0 ? range.partition : UINT8_MAX);
    ORLOP_PG_CHECK(transaction.query(is_active ? Statement::active_machines : Statement::machines_of_owner, std::move(parameters), rows));
    is_end = rows.count() < size;
    if (!is_active) note_page(transaction.read_set(), {Kind::machines, range.key, range.family, after, size}, rows);
    for (int row = 0; cache != nullptr && row < rows.count(); ++row) {
      ids.push_back(rows.uuid(row, 0));
      cache->keep(read_machine(rows, row, phases));
    }
    return {};
  };
  ORLOP_PG_CHECK(read_pages(range.limit, query, [&](const Rows& rows, int row) {
    const orlop_machine machine = read_machine(rows, row, phases);
    after = machine.id;
    return visit(visitor, &machine) != 0;
  }));
  if (cache != nullptr && is_end && is_nil(range.after)) cache->keep_machines(range.key, range.family, std::move(ids));
  return {};
}

Status read_events(Transaction& transaction, const orlop_event_range& range, orlop_event_visitor visit, void* visitor) {
  if (asks_for_last(range) && transaction.has_no_event()) return {};
  if (const orlop_event* const last = transaction.last_event(); last != nullptr && asks_for_last(range)) {
    visit(visitor, last);
    return {};
  }
  const Statement statement = statement_of(range);
  const orlop_id key = !is_nil(range.organization) ? range.organization : !is_nil(range.request) ? range.request : range.subject;
  orlop_event_range left = range;
  const auto query = [&](std::int64_t size, Rows& rows) {
    Parameters parameters;
    parameters.bigint(bound_of(left.after)).bigint(bound_of(left.before)).bigint(size);
    if (!is_nil(key)) parameters.uuid(key);
    return transaction.query(statement, std::move(parameters), rows);
  };
  return read_pages(range.limit, query, [&](const Rows& rows, int row) {
    const orlop_event event = read_event(rows, row);
    (range.newest_first != 0 ? left.before : left.after) = event.sequence;
    return visit(visitor, &event) != 0;
  });
}

Status read_counts(Transaction& transaction, const orlop_count_range& range, orlop_count_visitor visit, void* visitor) {
  const bool is_below = range.by == ORLOP_BY_PARENT;
  RowCache* const cache = is_below ? lists_of(transaction) : nullptr;
  const std::span<const orlop_id> keys(range.keys, range.key_count);
  std::map<std::size_t, RowCache::Counts> counts;  // by the place of the key
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
    ORLOP_PG_CHECK(transaction.query(is_below ? Statement::child_counts : Statement::referrer_counts, std::move(parameters), rows));
    std::map<std::string_view, RowCache::Counts> found;
    for (int row = 0; row < rows.count(); ++row) found[rows.bytes(row, 0)][static_cast<std::uint16_t>(rows.integer(row, 1))] = static_cast<std::uint64_t>(rows.bigint(row, 2));
    for (std::size_t at = 0; at < keys.size(); ++at) {
      if (counts.contains(at)) continue;
      counts[at] = found[{reinterpret_cast<const char*>(keys[at].bytes), sizeof keys[at].bytes}];
      if (cache != nullptr && range.family == 0 && transaction.rows() != nullptr) cache->keep_counts(keys[at], counts[at]);
    }
  }
  for (auto& [at, counted] : counts) {
    if (range.family != 0) std::erase_if(counted, [&](const auto& count) { return count.first != range.family; });
    note_counts(transaction.read_set(), is_below ? Kind::child_counts : Kind::referrer_counts, keys[at], range.family, counted);
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
