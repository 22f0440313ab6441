#include "rows/reads.h"

#include <algorithm>
#include <memory>
#include <set>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "rows/events.h"
#include "rows/pages.h"
#include "rows/rows.h"

namespace orlop::postgresql {
namespace {

// Number of blocks read at first, and at most. A block often holds many events of a commit.
constexpr std::uint64_t first_blocks = 16;
constexpr std::uint64_t most_blocks = 256;

// Key of a range: statements that find the blocks, and a condition that selects their events.
struct EventKey {
  orlop_id id{};
  Statement oldest = Statement::event_blocks;
  Statement newest = Statement::newest_event_blocks;
  bool (*is_of)(const orlop_event& event, const orlop_id& id) = [](const orlop_event&, const orlop_id&) {
    return true;
  };
};

EventKey key_of(const orlop_event_range& range) {
  if (!is_nil(range.organization)) {
    return {range.organization, Statement::event_blocks_of_organization, Statement::newest_event_blocks_of_organization,
            [](const orlop_event& event, const orlop_id& id) {
              return same(event.organization, id) && event.author.size != 0;
            }};
  }
  if (!is_nil(range.request)) {
    return {range.request, Statement::event_blocks_of_request, Statement::newest_event_blocks_of_request,
            [](const orlop_event& event, const orlop_id& id) { return same(event.request, id); }};
  }
  if (is_nil(range.subject)) return {};
  return {range.subject, Statement::event_blocks_of_subject, Statement::newest_event_blocks_of_subject,
          [](const orlop_event& event, const orlop_id& id) { return same(event.subject, id); }};
}

bool asks_for_last(const orlop_event_range& range) {
  return range.newest_first != 0 && range.limit == 1 && range.after == 0 && range.before == UINT64_MAX &&
         is_nil(range.organization) && is_nil(range.request) && is_nil(range.subject);
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

// Function by which an optimistic writer notes a row.
using Note = void (ReadSet::*)(const orlop_id& id, std::uint64_t revision);

// Notes the rows with these ids: those in `found`, and the others as missing.
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

// Visits the rows with these ids: the cached ones, then those that `read(ids, visit)` reads, which are cached from then
// on.
template <typename Kept, typename Row, typename Find, typename Read>
Status visit_by_ids(Transaction& transaction, Note note, std::span<const orlop_id> ids, Row Kept::*row,
                    const Find& find, const Read& read, int32_t (*visit)(void*, const Row*), void* visitor) {
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

Status visit_records(Transaction& transaction, std::span<const orlop_id> ids, bool is_one, orlop_record_visitor visit,
                     void* visitor) {
  const auto read = [&](std::span<const orlop_id> unknown, const auto& found) -> Status {
    Rows rows;
    ORLOP_PG_CHECK(is_one ? query_of(transaction, Statement::record, unknown.front(), rows)
                          : query_of(transaction, Statement::records_of_ids, unknown, rows));
    note_rows(transaction.read_set(), &ReadSet::add_record, unknown, rows);
    for (int row = 0; row < rows.count(); ++row) {
      if (!found(read_record(rows, row))) break;
    }
    return {};
  };
  const auto find = [](const RowCache& cache, const orlop_id& id) { return cache.record(id); };
  return visit_by_ids(transaction, &ReadSet::add_record, ids, &KeptRecord::record, find, read, visit, visitor);
}

Status visit_machines(Transaction& transaction, std::span<const orlop_id> ids, bool is_one, orlop_machine_visitor visit,
                      void* visitor) {
  const auto read = [&](std::span<const orlop_id> unknown, const auto& found) -> Status {
    Rows rows;
    ORLOP_PG_CHECK(is_one ? query_of(transaction, Statement::machine, unknown.front(), rows)
                          : query_of(transaction, Statement::machines_of_ids, unknown, rows));
    note_rows(transaction.read_set(), &ReadSet::add_machine, unknown, rows);
    std::vector<orlop_phase> phases;
    for (int row = 0; row < rows.count(); ++row) {
      orlop_machine machine;
      ORLOP_PG_CHECK(read_machine(rows, row, phases, machine));
      if (!found(machine)) break;
    }
    return {};
  };
  const auto find = [](const RowCache& cache, const orlop_id& id) { return cache.machine(id); };
  return visit_by_ids(transaction, &ReadSet::add_machine, ids, &KeptMachine::machine, find, read, visit, visitor);
}

}  // namespace

Status read_records_by_ids(Transaction& transaction, const orlop_id* ids, std::size_t count, orlop_record_visitor visit,
                           void* visitor) {
  return visit_records(transaction, {ids, count}, false, visit, visitor);
}

Status read_machines_by_ids(Transaction& transaction, const orlop_id* ids, std::size_t count,
                            orlop_machine_visitor visit, void* visitor) {
  return visit_machines(transaction, {ids, count}, false, visit, visitor);
}

Status read_record(Transaction& transaction, const orlop_id& id, orlop_record_visitor visit, void* visitor) {
  return visit_records(transaction, {&id, 1}, true, visit, visitor);
}

Status read_machine(Transaction& transaction, const orlop_id& id, orlop_machine_visitor visit, void* visitor) {
  return visit_machines(transaction, {&id, 1}, true, visit, visitor);
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

Status read_events(Transaction& transaction, const orlop_event_range& range, orlop_event_visitor visit, void* visitor) {
  if (asks_for_last(range) && transaction.has_no_event()) return {};
  if (const orlop_event* const last = transaction.last_event(); last != nullptr && asks_for_last(range)) {
    visit(visitor, last);
    return {};
  }
  const bool is_newest_first = range.newest_first != 0;
  const EventKey key = key_of(range);
  std::uint64_t after = range.after;
  std::uint64_t before = range.before;
  std::uint64_t left = range.limit;
  for (std::uint64_t size = first_blocks; left != 0; size = std::min(size * 4, most_blocks)) {
    const std::uint64_t wanted = std::min(left, size);
    Parameters parameters;
    parameters.bigint(bound_of(after)).bigint(bound_of(before)).bigint(static_cast<std::int64_t>(wanted));
    if (!is_nil(key.id)) parameters.uuid(key.id);
    Rows rows;
    ORLOP_PG_CHECK(transaction.query(is_newest_first ? key.newest : key.oldest, std::move(parameters), rows));
    for (int row = 0; row < rows.count(); ++row) {
      EventBlock block;
      ORLOP_PG_CHECK(EventBlock::read(rows, row, block));
      for (std::size_t place = 0; place < block.size(); ++place) {
        const orlop_event event = block.event(is_newest_first ? block.size() - 1 - place : place);
        if (event.sequence <= range.after || event.sequence >= range.before || !key.is_of(event, key.id)) continue;
        if (visit(visitor, &event) == 0 || --left == 0) return {};
      }
      (is_newest_first ? before : after) = is_newest_first ? block.first() : block.last();
    }
    if (static_cast<std::uint64_t>(rows.count()) < wanted) return {};
  }
  return {};
}

}  // namespace orlop::postgresql
