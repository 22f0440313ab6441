#include "transaction.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <new>
#include <random>
#include <thread>
#include <utility>

#include "rows/changes.h"
#include "rows/events.h"
#include "rows/layout.h"

namespace orlop::postgresql {
namespace {

constexpr std::chrono::milliseconds pause_after_loss{20};  // before reconnecting to a server that refuses
// Number of marks kept: more than the commits of a server while a lost one is looked up. One commit of 4,096 erases
// older marks.
constexpr std::int64_t marks_kept = 131'072;
// Maximum number of transactions, of all users of the server, since a known one: fewer than there are marks.
constexpr std::int64_t transactions_between = marks_kept / 2;
bool erases_marks(const orlop_id& mark) { return mark.bytes[0] == 0 && mark.bytes[1] < 16; }

orlop_id random_id() {
  // Constructing it runs CPUID, which takes 20 us in a virtual machine.
  thread_local std::random_device device;
  orlop_id id{};
  for (std::size_t at = 0; at < sizeof id.bytes; at += 4) {
    const std::uint32_t drawn = device();
    std::memcpy(id.bytes + at, &drawn, 4);
  }
  return id;
}

// Statements whose results an optimistic writer can note. For others it first becomes a writer with the lock.
constexpr Statement noted[] = {Statement::record,
                               Statement::records_of_ids,
                               Statement::machine,
                               Statement::machines_of_ids,
                               Statement::record_of_name,
                               Statement::leases,
                               Statement::children,
                               Statement::children_bare,
                               Statement::links,
                               Statement::child_counts,
                               Statement::referrer_counts,
                               Statement::children_of_family,
                               Statement::machines_of_owner,
                               Statement::children_of_family_bare,
                               Statement::referrers,
                               Statement::referrers_bare};
bool is_noted(Statement statement) { return std::ranges::find(noted, statement) != std::end(noted); }

}  // namespace

Transaction::~Transaction() { end(); }

void Transaction::end() {
  is_over_ = true;
  if (connection_ && (is_committed_ || is_optimistic_)) pool_.give(std::move(connection_));
  if (connection_) {
    connection_->end_transaction(is_writer_ ? Statement::roll_back : Statement::commit);
    pool_.give(std::move(connection_));
  }
  if (std::exchange(has_passed_, false)) pool_.land(is_committed_);
  if (!has_turn_) return;
  if (!is_committed_ && !is_nil(mark_)) pool_.reads().clear();
  has_turn_ = false;
  pool_.give_turn();
}

Status Transaction::begin() {
  if (!is_writer_) return {};
  ORLOP_PG_CHECK(pool_.take_turn());
  has_turn_ = true;
  last_event_ = pool_.reads().last_event();
  is_optimistic_ = is_optimistic_ && last_event_ && pool_.reads().begin_optimistic();
  return is_optimistic_ ? Status() : begin_writer();
}

// Waits for the outcome of the commit under way. Must not be called with the lock: looking up a lost commit takes it.
Status Transaction::settle() {
  bool is_kept = true;
  Status status = pool_.settle(is_kept);
  if (!status.ok()) has_failed_ = true;
  return status.ok() && !is_kept && is_optimistic_ ? stale() : status;
}

// An optimistic writer validates its reads, and is not optimistic any more.
Status Transaction::begin_writer() {
  ORLOP_PG_CHECK(settle());
  Status status = begin_writer_on(false);
  const auto is_again = [&] { return status.kind == Status::Kind::lost || status.kind == Status::Kind::transient; };
  for (int attempt = 1; attempt < attempts_max && is_again(); ++attempt)
    status = begin_writer_on(status.kind == Status::Kind::lost);
  if (status.kind == Status::Kind::unmet && pool_.reads().forget_number()) status = begin_writer_on(false);
  if (std::exchange(is_optimistic_, false) && status.kind == Status::Kind::unmet) return stale();
  has_failed_ = !status.ok();
  return status;
}

void Transaction::queue_writer() {
  connection_->queue_begin(Statement::begin_write);
  Parameters lock;
  lock.bigint(lock_of(pool_.settings().schema));
  connection_->queue(Statement::lock_writer, std::move(lock));
}

// The lock belongs to the transaction. Later statements, each with its own snapshot, read what the last writer left.
Status Transaction::begin_writer_on(bool new_connection) {
  if (connection_) pool_.give(std::move(connection_));
  if (new_connection) pool_.forget_idle();
  ORLOP_PG_CHECK(new_connection ? pool_.take_new(connection_) : pool_.take(connection_));
  queue_writer();
  connection_->queue_idle_bound();
  if (!read_set_.empty()) queue(validation(nullptr));
  connection_->queue(Statement::last_event);
  connection_->queue(Statement::last_mark);
  std::vector<Rows> results;
  Status status = connection_->run(results);
  if (!status.ok()) {
    connection_->end_transaction(Statement::roll_back);
    return refused_lock(std::move(status));
  }
  const bool has_mark = results.back().count() != 0;
  last_mark_ = has_mark ? results.back().bigint(0, 0) : 0;
  pool_.reads().begin(last_mark_, has_mark ? results.back().uuid(0, 1) : orlop_id{});
  const Rows& last = results[results.size() - 2];
  knows_no_event_ = last.count() == 0;
  EventBlock block;
  if (!knows_no_event_) ORLOP_PG_CHECK(EventBlock::read(last, 0, block));
  last_event_ = knows_no_event_ ? nullptr : copy_of(block.event(block.size() - 1));
  if (last_event_) pool_.reads().keep_last_event(last_event_);
  sequence_ = last_event_ ? last_event_->event.sequence : 0;
  return {};
}

Status Transaction::refused_lock(Status status) const {
  if (status.code != ORLOP_ERROR_STORAGE_BUSY || status.kind != Status::Kind::final) return status;
  return {ORLOP_ERROR_STORAGE_BUSY, "another writer held the store in " + pool_.settings().server + " for " +
                                        std::to_string(pool_.settings().lock_timeout.count()) + " ms"};
}

Status Transaction::begin_reader(Statement statement, const Parameters& parameters, Rows& rows) {
  Status status;
  for (int attempt = 0; attempt < attempts_max; ++attempt) {
    const bool is_again = status.kind == Status::Kind::lost;
    if (connection_) pool_.give(std::move(connection_));
    if (is_again) pool_.forget_idle();
    ORLOP_PG_CHECK(is_again ? pool_.take_new(connection_) : pool_.take(connection_));
    connection_->queue_begin(Statement::begin_read);
    connection_->queue(statement, parameters);
    std::vector<Rows> results;
    status = connection_->run(results);
    if (status.ok()) {
      rows = std::move(results.back());
      return status;
    }
    if (status.kind == Status::Kind::final) return status;
    connection_->end_transaction(Statement::roll_back);
  }
  return status;
}

Status Transaction::query(Statement statement, Parameters parameters, Rows& rows) {
  if (is_over_ || has_failed_ || is_committed_) return ended();
  if (!is_writer_) return query_server(statement, std::move(parameters), rows);
  std::string query = query_of(statement, parameters);
  if (const Rows* known = pool_.reads().find(query)) {
    rows = *known;
    return {};
  }
  if (is_optimistic_ && !(is_noted(statement) && read_set_.has_room())) ORLOP_PG_CHECK(begin_writer());
  ORLOP_PG_CHECK(query_server(statement, std::move(parameters), rows));
  pool_.reads().keep(std::move(query), statement, rows);
  return {};
}

Status Transaction::query_server(Statement statement, Parameters parameters, Rows& rows) {
  Status status;
  if (is_optimistic_) {
    status = read_optimistically({{statement, std::move(parameters)}}, rows);
  } else if (!connection_) {
    status = begin_reader(statement, parameters, rows);
  } else {
    connection_->queue(statement, std::move(parameters));
    connection_->send();
    status = connection_->take(rows);
  }
  has_failed_ = !status.ok();
  return status;
}

// Queues the mark of this commit.
void Transaction::queue_mark(Mark kind) {
  mark_ = random_id();
  if (erases_marks(mark_)) {
    Parameters kept;
    kept.bigint(marks_kept);
    connection_->queue(Statement::erase_marks, std::move(kept));
  }
  Parameters mark;
  Statement statement = Statement::insert_mark;
  switch (kind) {
    case Mark::numbered: mark.bigint(last_mark_ + 1); break;
    case Mark::next: statement = Statement::insert_next_mark; break;
    case Mark::validated:
      mark = last_mark_known();
      statement = read_set_.has_free_names() ? Statement::insert_validated_mark : Statement::insert_mark_behind;
      if (read_set_.has_free_names()) read_set_.add_free_names(mark);
      break;
    case Mark::unless_taken:
      mark.bigint(last_mark_ + 1)
          .uuid(mark_)
          .transaction_id(connection_->found().transaction_id + transactions_between)
          .null(connection_->machine_type())
          .bigint(lock_of(pool_.settings().schema));
      return connection_->queue(Statement::insert_mark_unless_taken, std::move(mark));
  }
  mark.uuid(mark_);
  connection_->queue(statement, std::move(mark));
}

Status Transaction::apply_on_connection(const orlop_changes& changes, bool is_last) {
  if (is_nil(mark_)) queue_mark(Mark::numbered);
  pool_.reads().change(changes);
  Changes applied(*connection_, pool_.settings(), changes, pool_.reads().last_rows(), first_event_of(changes),
                  is_last ? Changes::Ends::with_these : Changes::Ends::by_caller);
  Status status = send(changes, applied, 0);
  if (applied.has_sent_commit() && status.kind == Status::Kind::lost) status = find_outcome(status);
  if (status.ok()) has_changed(changes, applied.last_event());
  return applied.has_sent_commit() ? has_committed(std::move(status)) : status;
}

// If events are numbered here, the state after the commit is known before it. `before`: number of results that show
// that nothing else has changed.
Status Transaction::send(const orlop_changes& changes, Changes& applied, std::size_t before) {
  if (is_numbered_by_server_ || changes.is_restore != 0) return applied.run(0, nullptr);
  return applied.run(before, [&] { pass_turn(changes); });
}

void Transaction::pass_turn(const orlop_changes& changes) noexcept {
  bool is_kept = true;
  if (!pool_.settle(is_kept).ok()) return;  // it keeps its turn
  try {
    has_changed(changes, Rows());
    pool_.reads().commit(last_event_ || knows_no_event_ ? last_mark_ + 1 : 0, mark_);
    if (last_event_) pool_.reads().keep_last_event(last_event_);
  } catch (const std::bad_alloc&) { return pool_.reads().lose(); }
  has_turn_ = false;
  has_passed_ = true;
  pool_.pass_turn();
}

void Transaction::has_changed(const orlop_changes& changes, const Rows& numbered) {
  if (has_passed_) return;
  pool_.reads().has_changed();
  note_last_event(changes, numbered);
}

// Notes the last event of its own changes.
void Transaction::note_last_event(const orlop_changes& changes, const Rows& numbered) {
  if (changes.event_count == 0) {
    if (is_numbered_by_server_ && sequence_ == 0) last_event_ = nullptr;  // there may be a later one
    return;
  }
  orlop_event event = *changes.events[changes.event_count - 1];
  const bool is_numbered = numbered.count() == 1;
  event.sequence = is_numbered ? static_cast<std::uint64_t>(numbered.bigint(0, 0))
                               : first_event_of(changes).value_or(0) + changes.event_count - 1;
  if (is_numbered) event.at_ms = numbered.bigint(0, 1);
  if (is_numbered) event.id_count = static_cast<std::uint32_t>(numbered.bigint(0, 2));
  // If the result of a commit is lost, the numbers that the server gave its events are unknown.
  last_event_ = is_numbered_by_server_ && !is_numbered ? nullptr : copy_of(event);
  knows_no_event_ = false;
  sequence_ = event.sequence;
}

// Updates the cache after COMMIT.
Status Transaction::has_committed(Status status) {
  is_committed_ = status.ok();
  if (!status.ok() || has_passed_) return status;
  // If its event numbers are unknown, the state after the commit is not known either.
  if (!is_nil(mark_)) pool_.reads().commit(last_event_ || knows_no_event_ ? last_mark_ + 1 : 0, mark_);
  if (last_event_) pool_.reads().keep_last_event(last_event_);
  return status;
}

// Returns the number of the first event of these changes; nullopt if the server assigns it.
std::optional<std::uint64_t> Transaction::first_event_of(const orlop_changes& changes) const {
  if (is_numbered_by_server_) return std::nullopt;
  const bool is_numbered =
      changes.is_restore != 0 && sequence_ == 0 && changes.event_count != 0 && changes.events[0]->sequence != 0;
  return is_numbered ? changes.events[0]->sequence : sequence_ + 1;
}

Status Transaction::apply(const orlop_changes& changes, bool is_last) {
  if (is_over_ || has_failed_ || is_committed_) return ended();
  if (!is_writer_) return misuse("a read transaction takes no changes");
  if (is_optimistic_ && !can_be_optimistic(changes)) ORLOP_PG_CHECK(begin_writer());
  const bool is_first = is_nil(mark_);
  Status status = is_optimistic_ ? apply_optimistically(changes, is_last) : apply_on_connection(changes, is_last);
  if (status.kind == Status::Kind::transient && is_first && has_turn_)
    status = run_again(changes, is_last, std::move(status));
  has_failed_ = !status.ok();
  // Other processes or programs may have changed the rows: later reads ask the server.
  if (!status.ok() && has_turn_) pool_.reads().clear();
  return status;
}

// The server has aborted the transaction in favor of another one. Its reads are still valid if no other writer has
// committed since.
Status Transaction::run_again(const orlop_changes& changes, bool is_last, Status why) {
  for (int attempt = 0; attempt < attempts_max && why.kind == Status::Kind::transient; ++attempt) {
    const std::int64_t mark_before = last_mark_;
    connection_->queue(Statement::roll_back);
    ORLOP_PG_CHECK(connection_->run());
    mark_ = {};
    ORLOP_PG_CHECK(begin_writer_on(false));
    if (last_mark_ != mark_before)
      return {ORLOP_ERROR_STORAGE_BUSY, why.message + "; another writer came in between, repeat the request"};
    why = apply_on_connection(changes, is_last);
  }
  return why;
}

Status Transaction::commit() {
  if (is_over_ || has_failed_) return ended();
  if (!is_committed_) ORLOP_PG_CHECK(validate());
  Status status;
  if (connection_ && !is_committed_ && !is_optimistic_) {
    connection_->queue(Statement::commit);
    Rows rows;
    connection_->send();
    status = connection_->take(rows);
    if (status.ok() && is_writer_ && !rows.is("COMMIT"))
      status = failed(pool_.settings().server + " rolled the transaction back");
    if (status.kind == Status::Kind::lost && !is_nil(mark_)) status = find_outcome(status);
    if (is_writer_) status = has_committed(std::move(status));
  }
  if (connection_) pool_.give(std::move(connection_));
  end();
  return status;
}

// Reconnects until the server, or its successor, answers whether the mark of this commit exists.
Status Transaction::find_outcome(const Status& why) {
  const auto give_up = std::chrono::steady_clock::now() + pool_.settings().lock_timeout;
  pool_.give(std::move(connection_));
  Status status;
  do {
    pool_.forget_idle();
    std::int64_t number = 0;
    status = pool_.take_new(connection_);
    if (status.ok()) status = look_up_mark(number);
    if (connection_) pool_.give(std::move(connection_));
    if (number != 0) last_mark_ = number - 1;
    if (status.ok() && number != 0) return {};
    if (status.ok())
      return {ORLOP_ERROR_STORAGE_BUSY, why.message + "; the transaction was not kept, repeat the request"};
    std::this_thread::sleep_for(pause_after_loss);
  } while (std::chrono::steady_clock::now() < give_up);
  return failed(why.message + "; it is not known whether the transaction was kept: " + status.message);
}

// The writer's lock is free once the server process of the lost connection has ended its transaction, with either
// outcome.
Status Transaction::look_up_mark(std::int64_t& number) {
  queue_writer();
  Parameters mark;
  mark.bigint(last_mark_).uuid(mark_);
  connection_->queue(Statement::mark_of, std::move(mark));
  connection_->queue(Statement::roll_back);
  std::vector<Rows> results;
  ORLOP_PG_CHECK(connection_->run(results));
  const Rows& found = results[results.size() - 2];
  if (found.count() == 1) number = found.bigint(0, 0);
  return {};
}

}  // namespace orlop::postgresql
