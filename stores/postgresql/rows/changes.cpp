#include "rows/changes.h"

#include <algorithm>
#include <utility>

#include "rows/coordination.h"
#include "rows/events.h"
#include "rows/rows.h"

namespace orlop::postgresql {
namespace {

// For updates: bounds the comparisons in the statement for references.
constexpr std::size_t updates_by_run = 500;
// For inserts: bounds the size of a message.
constexpr std::size_t inserts_by_run = 5'000;

std::string bytes_of(const orlop_id& id) { return {reinterpret_cast<const char*>(id.bytes), sizeof id.bytes}; }

Status lost_update(const char* what, const orlop_id& id) {
  return {ORLOP_ERROR_LOST_UPDATE,
          std::string(what) + " " + text_of(id) + " was changed by another transaction since it was read"};
}

bool is_new(const orlop_record_write& write) { return write.expected_revision == 0; }

// Returns its targets, each once.
std::vector<orlop_id> targets_of(const orlop_record_write& write) {
  std::vector<orlop_id> targets(write.references,
                                write.references + (write.has_references != 0 ? write.reference_count : 0));
  std::ranges::sort(targets, is_less);
  targets.erase(std::unique(targets.begin(), targets.end(), same), targets.end());
  return targets;
}

using Pairs = std::vector<std::pair<orlop_id, orlop_id>>;  // source and target

Parameters& put_pairs(Parameters& parameters, const Pairs& pairs) {
  parameters.array(Type::uuid, pairs, [](Parameters& array, const auto& pair) { array.add_uuid(pair.first); });
  return parameters.array(Type::uuid, pairs, [](Parameters& array, const auto& pair) { array.add_uuid(pair.second); });
}

using Records = std::span<const orlop_record_write* const>;

Parameters parameters_of(Records records, bool with_names) {
  Parameters out;
  const auto column = [&](Type type, auto add) {
    out.array(type, records, [&](Parameters& array, const orlop_record_write* write) { add(array, *write->record); });
  };
  column(Type::uuid, [](Parameters& array, const orlop_record& record) { array.add_uuid(record.id); });
  column(Type::integer, [](Parameters& array, const orlop_record& record) { array.add_integer(record.family); });
  column(Type::uuid, [](Parameters& array, const orlop_record& record) { array.add_uuid(record.parent); });
  column(Type::uuid, [](Parameters& array, const orlop_record& record) { array.add_uuid(record.organization); });
  column(Type::bigint, [](Parameters& array, const orlop_record& record) {
    array.add_bigint(static_cast<std::int64_t>(record.revision));
  });
  column(Type::bytes,
         [](Parameters& array, const orlop_record& record) { array.add_bytes_or_null(view_of(record.secrets)); });
  column(Type::bytes,
         [](Parameters& array, const orlop_record& record) { array.add_bytes_or_null(view_of(record.body)); });
  if (!with_names) return out;
  out.array(Type::bytes, records, [](Parameters& array, const orlop_record_write* write) {
    array.add_bytes_or_null(write->has_name_key != 0 ? view_of(write->name_key) : std::string_view());
  });
  return out;
}

// Returns the parameters of insert_record.
Parameters parameters_of(const orlop_record_write& write) {
  const orlop_record& record = *write.record;
  Parameters out;
  out.uuid(record.id)
      .integer(record.family)
      .uuid(record.parent)
      .uuid(record.organization)
      .bigint(static_cast<std::int64_t>(record.revision));
  out.bytes_or_null(view_of(record.secrets)).bytes_or_null(view_of(record.body));
  out.bytes_or_null(write.has_name_key != 0 ? view_of(write.name_key) : std::string_view());
  return out;
}

}  // namespace

void Changes::queue(Statement statement, Parameters parameters, Expected expected) {
  connection_.queue(statement, std::move(parameters));
  expected_.push_back(expected);
}

void Changes::queue_coordination() {
  if (changes_.coordination == nullptr) return;
  const orlop_coordination& coordination = *changes_.coordination;
  if (coordination.fence_count != 0) {
    queue_fences(connection_, coordination);
    expected_.push_back({Expected::Kind::fences});
  }
  expected_.resize(expected_.size() + postgresql::queue_coordination(connection_, coordination, settings_));
}

void Changes::queue_erasures() {
  if (changes_.erasure_count == 0) return;
  const std::span<const orlop_id> ids(changes_.erasures, changes_.erasure_count);
  for (const Statement statement : {Statement::erase, Statement::erase_counts}) {
    Parameters parameters;
    parameters.array(Type::uuid, ids, [](Parameters& array, const orlop_id& id) { array.add_uuid(id); });
    queue(statement, std::move(parameters), {});
  }
}

Status Changes::queue_records() {
  const Records all(changes_.records, changes_.record_count);
  std::size_t start = 0;
  while (start < all.size()) {
    const bool is_insert = is_new(*all[start]);
    const bool is_alone = !is_insert && all[start]->has_name_key != 0;
    const bool in_place = is_in_place(*all[start]);
    const std::size_t size_max = is_alone ? 1 : is_insert ? inserts_by_run : updates_by_run;
    std::size_t end = start;
    bool is_repeated = false;
    while (end < all.size() && end - start < size_max && is_new(*all[end]) == is_insert &&
           (is_insert || is_alone || all[end]->has_name_key == 0) && is_in_place(*all[end]) == in_place) {
      is_repeated = !ids_.insert(bytes_of(all[end]->record->id)).second;
      if (is_repeated) break;
      ++end;
    }
    if (end != start) {
      const Records run = all.subspan(start, end - start);
      if (is_insert) queue_inserts(run);
      else queue_updates(run, in_place);
    }
    if (is_repeated) {
      ORLOP_PG_CHECK(flush());
      ORLOP_PG_CHECK(settle());
    }
    start = end;
  }
  return {};
}

void Changes::queue_inserts(Records records) {
  if (records.size() == 1) queue(Statement::insert_record, parameters_of(*records.front()), {});
  else queue(Statement::insert_records, parameters_of(records, true), {});
  Pairs pairs;
  for (const orlop_record_write* write : records) {
    const orlop_record& record = *write->record;
    counts_.child(record.parent, record.family, 1);
    for (const orlop_id& target : targets_of(*write)) {
      pairs.emplace_back(record.id, target);
      counts_.referrer(target, record.family, 1);
    }
  }
  if (pairs.empty()) return;
  Parameters parameters;
  queue(Statement::insert_references, std::move(put_pairs(parameters, pairs)), {});
}

// For an update. A revision identifies the contents of a row: if the server has the expected one, its row is the known
// one.
bool Changes::is_in_place(const orlop_record_write& write) const {
  if (known_ == nullptr || is_new(write) || write.has_name_key != 0 || write.has_references != 0) return false;
  const orlop_record* const before = known_->row(write.record->id);
  return before != nullptr && before->revision == write.expected_revision &&
         same(before->parent, write.record->parent) && before->family == write.record->family;
}

void Changes::queue_updates(Records records, bool in_place) {
  if (in_place)
    return queue(Statement::update_records_in_place, parameters_of(records, false),
                 {Expected::Kind::records_in_place, records});
  const bool with_names = records.front()->has_name_key != 0;
  const Statement statement = with_names ? Statement::update_named_records : Statement::update_records;
  queue(statement, parameters_of(records, with_names), {Expected::Kind::updated_records, records});
  queue_references(records);
}

void Changes::queue_references(Records updated) {
  Pairs pairs;
  std::vector<orlop_id> sources;
  for (const orlop_record_write* write : updated) {
    if (write->has_references == 0) continue;
    sources.push_back(write->record->id);
    for (const orlop_id& target : targets_of(*write)) pairs.emplace_back(write->record->id, target);
  }
  if (sources.empty()) return;
  Parameters erased;
  erased.array(Type::uuid, sources, [](Parameters& array, const orlop_id& id) { array.add_uuid(id); });
  queue(Statement::erase_references, std::move(put_pairs(erased, pairs)), {Expected::Kind::removed_references});
  if (pairs.empty()) return;
  Parameters inserted;
  queue(Statement::insert_references, std::move(put_pairs(inserted, pairs)), {Expected::Kind::added_references});
}

Status Changes::queue_machines() {
  ids_.clear();
  const Machines all(changes_.machines, changes_.machine_count);
  std::size_t start = 0;
  for (std::size_t end = 0; end < all.size(); ++end) {
    if (ids_.insert(bytes_of(all[end]->id)).second && end - start < inserts_by_run) continue;
    queue_machine_run(all.subspan(start, end - start));
    ids_ = {bytes_of(all[end]->id)};
    start = end;
  }
  if (start != all.size()) queue_machine_run(all.subspan(start));
  return {};
}

void Changes::queue_machine_run(Machines machines) {
  const auto is_inserted = [&](const orlop_machine* machine) {
    return changes_.is_restore != 0 || machine->revision == 1;
  };
  std::size_t start = 0;
  while (start < machines.size()) {
    const bool inserts = is_inserted(machines[start]);
    std::size_t end = start;
    while (end < machines.size() && is_inserted(machines[end]) == inserts) ++end;
    const Machines run = machines.subspan(start, end - start);
    Parameters parameters;
    put_machines(parameters, connection_.machine_type(), run);
    if (inserts) queue(Statement::insert_machines, std::move(parameters), {});
    else queue(Statement::update_machines, std::move(parameters), {Expected::Kind::updated_machines, {}, run});
    start = end;
  }
}

void Changes::queue_events() {
  std::span<const orlop_event* const> left(changes_.events, changes_.event_count);
  for (std::optional<std::uint64_t> first = first_event_; !left.empty();) {
    Parameters parameters;
    const std::size_t count = put_event_block(parameters, left, first);
    queue(first ? Statement::insert_event_block : Statement::insert_next_event_block, std::move(parameters),
          {first ? Expected::Kind::any : Expected::Kind::numbered_events});
    left = left.subspan(count);
    if (first) *first += count;
  }
  const std::uint64_t last = first_event_.value_or(0) + changes_.event_count - 1;
  if (changes_.forgotten_events == 0 || !first_event_ || last < 2) return;
  Parameters forgotten;
  forgotten.bigint(static_cast<std::int64_t>(changes_.forgotten_events)).bigint(static_cast<std::int64_t>(last));
  queue(Statement::forget_events, std::move(forgotten), {});
}

Status Changes::run(std::size_t before, const std::function<void()>& go_on) {
  queue_coordination();
  queue_erasures();
  ORLOP_PG_CHECK(queue_records());
  ORLOP_PG_CHECK(queue_machines());
  queue_events();
  const std::size_t counted = counts_.queue(connection_);
  expected_.resize(expected_.size() + counted);
  if (ends_ != Ends::by_caller && can_commit()) {
    has_sent_commit_ = true;
    if (!is_of_group_) queue(Statement::commit, {}, {Expected::Kind::commit});
    return flush(before, go_on);
  }
  ORLOP_PG_CHECK(flush());
  return settle();
}

// Prepares the transaction for another group of statements.
void Changes::queue_going_on() {
  if (ends_ == Ends::by_caller) return;
  if (is_of_group_) queue(Statement::begin_write, {}, {});
  connection_.queue_idle_bound();
  expected_.emplace_back();
  ends_ = Ends::by_caller;
}

// COMMIT must not be sent before results are checked that decide about the changes, or about further ones.
bool Changes::can_commit() const {
  return updated_.empty() && removed_.empty() && added_.empty() &&
         std::ranges::all_of(expected_, [](const Expected& expected) {
           return expected.kind == Expected::Kind::any || expected.kind == Expected::Kind::fences ||
                  expected.kind == Expected::Kind::updated_machines ||
                  expected.kind == Expected::Kind::records_in_place || expected.kind == Expected::Kind::numbered_events;
         });
}

// Results of statements queued before the changes come first, and only need to succeed.
Status Changes::flush() { return flush(0, nullptr); }

Status Changes::flush(std::size_t before_going_on, const std::function<void()>& go_on) {
  std::vector<Rows> results;
  if (!has_sent_commit_) queue_going_on();
  connection_.send();
  Status failure = connection_.take(std::min(before_going_on, connection_.queued()), results);
  if (failure.ok() && go_on) go_on();
  if (failure.kind != Status::Kind::lost) {
    Status rest = connection_.take(connection_.queued(), results);
    if (failure.ok()) failure = std::move(rest);
  }
  ids_.clear();
  if (failure.kind == Status::Kind::lost) return failure;
  if (has_sent_commit_ && is_of_group_) {
    Status ended = connection_.take_end();
    if (ended.kind == Status::Kind::lost) return ended;
    if (failure.ok()) failure = std::move(ended);
  }
  const std::size_t before = results.size() > expected_.size() ? results.size() - expected_.size() : 0;
  for (std::size_t at = 0; at < before; ++at) {
    if (!results[at].is_there()) return failure;
    result_before_ = results[at];
  }
  // A statement that changed too few rows counts as failed, and may come before one with an error.
  for (std::size_t at = 0; at < expected_.size() && before + at < results.size(); ++at) {
    const bool has_result = results[before + at].is_there();
    if (!has_result) return failure.kind == Status::Kind::unmet ? unmet(expected_[at]) : failure;
    if (Status checked = check(expected_[at], results[before + at]); !checked.ok()) return checked;
  }
  expected_.clear();
  is_of_group_ = is_of_group_ && has_sent_commit_;
  return failure;
}

Status Changes::check(const Expected& expected, const Rows& rows) {
  switch (expected.kind) {
    case Expected::Kind::any:
    case Expected::Kind::fences:
    case Expected::Kind::records_in_place:
    case Expected::Kind::updated_machines: return {};
    case Expected::Kind::updated_records: return check_update(expected.records, rows);
    case Expected::Kind::numbered_events: last_event_ = rows; return {};
    case Expected::Kind::commit:
      return rows.is("COMMIT") ? Status() : failed(settings_.server + " rolled the transaction back");
    case Expected::Kind::removed_references: note_references(rows, -1); return {};
    case Expected::Kind::added_references: note_references(rows, 1); return {};
  }
  return {};
}

Status Changes::unmet(const Expected& expected) const {
  if (expected.kind == Expected::Kind::records_in_place)
    return lost_update("record", expected.records.front()->record->id);
  if (expected.kind == Expected::Kind::updated_machines) return lost_update("machine", expected.machines.front()->id);
  return {ORLOP_ERROR_LEASE_LOST, "a partition is held by another engine"};
}

Status Changes::check_update(Records records, const Rows& rows) {
  std::vector<bool> is_updated(records.size());
  for (int row = 0; row < rows.count(); ++row) {
    const auto place = static_cast<std::size_t>(rows.bigint(row, 0)) - 1;
    if (place >= records.size()) continue;
    is_updated[place] = true;
    const orlop_record& record = *records[place]->record;
    const std::int32_t family_before = rows.integer(row, 2);
    counts_.child(rows.uuid(row, 1), family_before, -1);
    counts_.child(record.parent, record.family, 1);
    updated_[bytes_of(record.id)] = {family_before, record.family, record.id};
  }
  const auto lost = std::ranges::find(is_updated, false);
  if (lost == is_updated.end()) return {};
  return lost_update("record", records[static_cast<std::size_t>(lost - is_updated.begin())]->record->id);
}

void Changes::note_references(const Rows& rows, std::int64_t difference) {
  for (int row = 0; row < rows.count(); ++row)
    (difference < 0 ? removed_ : added_).emplace_back(rows.uuid(row, 0), rows.uuid(row, 1));
}

// If a record has changed its family, its references are counted under the new one.
Status Changes::count_moved_references() {
  std::vector<orlop_id> moved;
  for (const auto& [bytes, update] : updated_) {
    if (update.family != update.family_before) moved.push_back(update.id);
  }
  if (moved.empty()) return {};
  Parameters parameters;
  parameters.array(Type::uuid, moved, [](Parameters& array, const orlop_id& id) { array.add_uuid(id); });
  connection_.queue(Statement::references_of, std::move(parameters));
  std::vector<Rows> results;
  ORLOP_PG_CHECK(connection_.run(results));
  const Rows& held = results.back();
  const auto before_of = [&](const orlop_id& source) { return updated_[bytes_of(source)].family_before; };
  // Added references are counted under the new family below; the old one never counted them.
  for (int row = 0; row < held.count(); ++row) {
    const orlop_id source = held.uuid(row, 0);
    counts_.referrer(held.uuid(row, 1), before_of(source), -1);
    counts_.referrer(held.uuid(row, 1), updated_[bytes_of(source)].family, 1);
  }
  for (const auto& [source, target] : added_) {
    if (before_of(source) == updated_[bytes_of(source)].family) continue;
    counts_.referrer(target, before_of(source), 1);
    counts_.referrer(target, updated_[bytes_of(source)].family, -1);
  }
  return {};
}

Status Changes::settle() {
  ORLOP_PG_CHECK(count_moved_references());
  for (const auto& [source, target] : removed_) counts_.referrer(target, updated_[bytes_of(source)].family_before, -1);
  for (const auto& [source, target] : added_) counts_.referrer(target, updated_[bytes_of(source)].family, 1);
  updated_.clear();
  removed_.clear();
  added_.clear();
  if (counts_.queue(connection_) == 0) return {};
  return connection_.run();
}

}  // namespace orlop::postgresql
