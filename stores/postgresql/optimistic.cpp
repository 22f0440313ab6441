// Operations that only optimistic writers use.
#include <algorithm>
#include <utility>

#include "rows/changes.h"
#include "transaction.h"

namespace orlop::postgresql {
namespace {

// Number of ids that may have been assigned since the event from which an optimistic writer counts. Bounds the search
// for ids equal to its own.
constexpr std::int64_t ids_between = 64;
// Maximum time by which the last event may be later than its own event, which then gets the later time.
constexpr std::int64_t milliseconds_between = 1'000;

// Returns the least id with this count in its first 32 bits.
orlop_id id_after(std::int64_t count) {
  orlop_id id{};
  for (int at = 0; at < 4; ++at) id.bytes[at] = static_cast<std::uint8_t>(count >> (8 * (3 - at)));
  return id;
}

bool is_new(const orlop_record_write* write) { return write->expected_revision == 0; }

}  // namespace

Parameters Transaction::last_mark_known() const {
  Parameters known;
  known.bigint(pool_.reads().number()).uuid(pool_.reads().mark());
  return known;
}

// `changes`: those that it is about to make; null if there are none.
std::vector<Transaction::Query> Transaction::validation(const orlop_changes* changes) const {
  // All cached rows are those after one commit: as long as that is the last one, all reads are valid. This statement is
  // shorter.
  if (pool_.reads().number() != 0) {
    Parameters known = last_mark_known();
    read_set_.add_free_names(known);
    return {{Statement::validate_mark, std::move(known)}};
  }
  Parameters out = read_set_.rows();
  const bool has_events = changes != nullptr && changes->event_count != 0;
  out.bigint(has_events ? changes->events[0]->at_ms + milliseconds_between : INT64_MAX);
  std::vector<orlop_id> organizations;
  for (std::size_t at = 0; changes != nullptr && at < changes->record_count; ++at) {
    if (is_new(changes->records[at])) organizations.push_back(changes->records[at]->record->organization);
  }
  const std::int64_t given = last_event_ && !organizations.empty() ? last_event_->event.id_count : 0;
  out.bigint(organizations.empty() ? INT64_MAX : given + ids_between).uuid(id_after(given + 1));
  out.uuid(id_after(organizations.empty() ? given + 1 : given + ids_between + 1));
  out.array(Type::uuid, organizations, [](Parameters& array, const orlop_id& id) { array.add_uuid(id); });
  std::vector<Query> queries = {{Statement::validate, std::move(out)}};
  if (read_set_.has_ranges()) queries.push_back({Statement::validate_ranges, read_set_.ranges()});
  return queries;
}

// The queries see one state; `rows` are those of the last query. Several reads are consistent only once they are
// validated.
Status Transaction::read_optimistically(const std::vector<Query>& queries, Rows& rows) {
  ORLOP_PG_CHECK(settle());
  Status status;
  for (int attempt = 0; attempt < attempts_max; ++attempt) {
    const bool is_again = status.kind == Status::Kind::lost;
    if (is_again) {
      pool_.give(std::move(connection_));
      pool_.forget_idle();
    }
    if (!connection_) ORLOP_PG_CHECK(is_again ? pool_.take_new(connection_) : pool_.take(connection_));
    const bool has_transaction = connection_->is_pooled() || queries.size() > 1;
    if (has_transaction) connection_->queue_begin(Statement::begin_read);
    queue(queries);
    if (has_transaction) connection_->queue(Statement::commit);
    std::vector<Rows> results;
    status = connection_->run(results);
    if (status.ok()) {
      rows = std::move(results[results.size() - (has_transaction ? 2 : 1)]);
      return status;
    }
    if (has_transaction) connection_->end_transaction(Statement::roll_back);
    if (status.kind != Status::Kind::lost) return status;
  }
  return status;
}

void Transaction::queue(const std::vector<Query>& queries) {
  for (const Query& query : queries) connection_->queue(query.statement, query.parameters);
}

// Returns the error after which the work runs again, with a writer that is not optimistic.
Status Transaction::stale() {
  if (has_turn_) pool_.reads().distrust();
  has_failed_ = true;
  is_stale_ = true;
  return {ORLOP_ERROR_LOST_UPDATE, "another transaction has changed what this one has read"};
}

Status Transaction::validate() {
  if (is_stale_ && !is_over_) return stale();  // a read has detected it
  if (is_over_ || has_failed_ || is_committed_) return ended();
  if (!is_optimistic_ || read_set_.empty()) return {};
  Rows rows;
  Status status = read_optimistically(validation(nullptr), rows);
  if (status.kind == Status::Kind::unmet && pool_.reads().forget_number())
    status = read_optimistically(validation(nullptr), rows);
  if (status.kind == Status::Kind::unmet) return stale();
  has_failed_ = !status.ok();
  return status;
}

bool Transaction::can_be_optimistic(const orlop_changes& changes) const {
  return changes.is_restore == 0 && changes.forgotten_events == 0 &&
         last_event_->event.id_count <= UINT32_MAX - 2 * ids_between;
}

// Reports whether the server, on this connection, holds the last known commit. A commit under way may still fail.
bool Transaction::holds_last_mark() const {
  return !read_set_.has_free_names() && connection_->found().chain == pool_.reads().chain() && pool_.has_landed();
}

// Uses the round trip that also takes the lock and validates.
Status Transaction::apply_optimistically(const orlop_changes& changes, bool is_last) {
  if (pool_.reads().number() == 0) ORLOP_PG_CHECK(settle());
  is_optimistic_ = false;
  read_set_.leave_names_to(changes);
  while (true) {
    if (!connection_) ORLOP_PG_CHECK(pool_.take(connection_));
    const std::int64_t number = pool_.reads().number();
    is_numbered_by_server_ = number == 0;
    if (!is_numbered_by_server_) last_mark_ = number;
    if (!is_numbered_by_server_) sequence_ = last_event_->event.sequence;
    const Mark mark = is_numbered_by_server_ ? Mark::next : holds_last_mark() ? Mark::unless_taken : Mark::validated;
    const Changes::Ends ends = !is_last                     ? Changes::Ends::by_caller
                               : mark == Mark::unless_taken ? Changes::Ends::with_group
                                                            : Changes::Ends::with_these;
    if (mark != Mark::unless_taken) queue_writer();
    else if (!is_last) connection_->queue_begin(Statement::begin_write);
    if (!is_last) connection_->queue_idle_bound();
    if (is_numbered_by_server_) queue(validation(&changes));
    queue_mark(mark);
    if (is_last && !is_numbered_by_server_ && pool_.is_turn_wanted()) connection_->queue_flush();
    const std::size_t before = connection_->queued();
    const std::uint64_t chain = pool_.reads().chain();
    pool_.reads().change(changes);
    Changes applied(*connection_, pool_.settings(), changes, pool_.reads().last_rows(), first_event_of(changes), ends);
    Status status = send(changes, applied, before);
    // The group has ended its transaction: a rollback is not needed.
    if (!status.ok() && status.kind != Status::Kind::lost && applied.is_of_group()) pool_.give(std::move(connection_));
    if (status.kind == Status::Kind::unmet && has_turn_ && pool_.reads().forget_number()) {
      if (connection_) connection_->end_transaction(Statement::roll_back);
      bool is_kept = true;
      ORLOP_PG_CHECK(pool_.settle(is_kept));
      if (!is_kept) return stale();
      continue;
    }
    if (status.ok() && mark == Mark::validated && !read_set_.has_free_names())
      connection_->keep_found({chain, applied.result_before().bigint(0, 0)});
    if (status.ok() && is_numbered_by_server_) last_mark_ = applied.result_before().bigint(0, 0) - 1;
    if (status.kind == Status::Kind::lost && applied.has_sent_commit()) {
      status = find_outcome(status);
      if (status.code == ORLOP_ERROR_STORAGE_BUSY) return stale();  // it was not kept
    }
    // Also after a lost connection on which nothing was committed, and if the server aborted it in favor of another
    // transaction.
    if (status.kind != Status::Kind::final || status.code == ORLOP_ERROR_CONFLICT) return stale();
    if (!status.ok()) return refused_lock(std::move(status));
    has_changed(changes, applied.last_event());
    return applied.has_sent_commit() ? has_committed(std::move(status)) : status;
  }
}

}  // namespace orlop::postgresql
