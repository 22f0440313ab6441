#include "store/sqlite/write_thread.h"

#include <sqlite3.h>

#include <new>
#include <optional>
#include <utility>

#include "store/sqlite/write_rows.h"

namespace orlop {
namespace {

// Copies the outcome, even if memory runs out.
Result<void> copy_of(const Result<void>& outcome) noexcept try { return outcome; } catch (const std::bad_alloc&) {
  return Error{ErrorCode::out_of_memory, {}, {}};
}

Error lost_with_others() noexcept try {
  return make_error(ErrorCode::storage_failed,
                    "the store failed in a transaction that was to be committed together with this one");
} catch (const std::bad_alloc&) { return {ErrorCode::out_of_memory, {}, {}}; }

}  // namespace

Result<void> SqliteWriter::begin() {
  auto group = std::make_shared<Group>();  // before the turn: a failed allocation must not block others
  take_turn();
  Result<void> begun = enter(std::move(group));
  if (!begun && pass_turn()) make_checkpoint();
  return begun;
}

Result<void> SqliteWriter::enter(std::shared_ptr<Group> group) {
  has_savepoint_ = group_ != nullptr;
  if (!has_savepoint_) {
    Result<void> begun = begin_in_line();
    if (!begun)
      begun =
          fenced([&]() -> Result<void> { return doubted(std::move(begun).error(), [this] { return try_begin(); }); });
    if (!begun) return begun;
    group_ = std::move(group);
    if (connection_->data_version() != known_version_) rows_.forget();
    return {};
  }
  return execute(*connection_, SqliteQuery::savepoint);
}

// If the front is not free after this time, its holder is stopped, or waits for a long transaction. This writer then
// waits for SQLite's lock without the line, and so do the next ones until the front is free again.
Result<void> SqliteWriter::begin_in_line() {
  constexpr int wait_milliseconds = 1000;
  constexpr int pause_milliseconds = 1;
  bool has_front = lock_.try_take_front();
  for (int waited = 0; !has_front && !is_front_stuck_ && waited < wait_milliseconds; waited += pause_milliseconds) {
    sqlite3_sleep(pause_milliseconds);
    has_front = lock_.try_take_front();
  }
  is_front_stuck_ = !has_front;
  Result<void> begun = execute(*connection_, SqliteQuery::begin_write);
  lock_.give_up_front();
  return begun;
}

Result<void> SqliteWriter::apply(const Changes& changes) {
  stale_.add(changes);  // before the change: extra entries do no harm, missing ones would
  return apply_changes(*connection_, rows_, stale_, changes);
}

Result<void> SqliteWriter::commit() noexcept {
  auto kept = keep();
  if (!kept) {
    roll_back();
    return std::move(kept).error();
  }
  if (pass_turn()) make_checkpoint();
  return outcome_of(**kept);
}

Result<std::shared_ptr<SqliteWriter::Group>> SqliteWriter::keep(std::size_t members) noexcept {
  if (has_savepoint_) ORLOP_CHECK(execute(*connection_, SqliteQuery::release_savepoint));
  group_->members += members;
  return group_;
}

bool SqliteWriter::pass_turn() noexcept {
  if (group_ != nullptr && group_->members < group_size_max && is_awaited()) {
    const std::shared_ptr<Group> group = group_;
    turns_.pass();
    std::unique_lock lock(mutex_);
    group->over.wait(lock, [&] { return group->ended; });
    return false;
  }
  const bool is_due = group_ != nullptr && commit_group();
  turns_.pass();
  return is_due;
}

// After a checkpoint beside writers that never pause, their new pages are left in the log. Without make_rest() the log
// would grow, and each commit would find it long.
void SqliteWriter::make_checkpoint() noexcept {
  if (!checkpoint_.make_beside() || connection_->log_backlog() == 0) return;
  take_turn();
  if (group_ == nullptr) checkpoint_.make_rest(*connection_);
  (void)pass_turn();
}

Result<void> SqliteWriter::outcome_of(const Group& group) noexcept {
  const std::lock_guard lock(mutex_);
  return copy_of(group.outcome);
}

Result<std::uint64_t> SqliteWriter::foreign_changes() {
  if (!turns_.try_take()) {
    const std::lock_guard lock(mutex_);
    return foreign_changes_;
  }
  Result<std::uint64_t> version = fenced([&]() -> Result<std::uint64_t> {
    StatementRun run = connection_->run(SqliteQuery::data_version);
    return run.step() ? static_cast<std::uint64_t>(run.integer_at(0)) : 0;
  });
  if (version) {
    const std::lock_guard lock(mutex_);
    foreign_changes_ = *version;
  }
  turns_.pass();
  return version;
}

void SqliteWriter::roll_back() noexcept {
  undo();
  const bool is_due = group_ != nullptr && commit_group();
  turns_.pass();
  if (is_due) make_checkpoint();
}

void SqliteWriter::undo() noexcept {
  forget();
  // A full disk ends the whole SQL transaction, including the other members of the group.
  if (!connection_->in_transaction()) return end_group(lost_with_others());
  if (!has_savepoint_) return end_group(execute(*connection_, SqliteQuery::roll_back));
  Result<void> undone = execute(*connection_, SqliteQuery::roll_back_to_savepoint);
  if (undone) undone = execute(*connection_, SqliteQuery::release_savepoint);
  if (undone) return;
  (void)execute(*connection_, SqliteQuery::roll_back);
  end_group(std::move(undone));
}

Result<void> SqliteWriter::try_begin() {
  connection_->forget_pages();
  ORLOP_CHECK(execute(*connection_, SqliteQuery::begin_write));
  return execute(*connection_, SqliteQuery::roll_back);
}

Result<void> SqliteWriter::try_mark() {
  connection_->forget_pages();
  ORLOP_CHECK(execute(*connection_, SqliteQuery::begin_write));
  const Result<void> marked = fenced([this] { return log_mark_.write(*connection_); });
  ORLOP_CHECK(execute(*connection_, SqliteQuery::roll_back));
  return marked;
}

bool SqliteWriter::commit_group() noexcept {
  Result<void> committed = fenced([&] { return files_.require_in_place(); });
  const Result<void> marked = committed ? fenced([&] { return log_mark_.write(*connection_); }) : Result<void>();
  if (committed && marked) committed = commit_cached();
  const bool is_rolled_back = !committed || !marked;
  if (is_rolled_back) forget();
  if (is_rolled_back && connection_->in_transaction()) (void)execute(*connection_, SqliteQuery::roll_back);
  if (!marked)
    committed = fenced([&]() -> Result<void> { return doubted(marked.error(), [this] { return try_mark(); }); });
  const SqliteLogHeader log = connection_->log_header();
  const bool is_overdue = committed && checkpoint_.is_overdue(log);
  if (is_overdue) checkpoint_.make_overdue(*connection_, log);
  const bool is_due = committed && !is_overdue && checkpoint_.is_due(*connection_);
  end_group(std::move(committed));
  return is_due;
}

Result<void> SqliteWriter::commit_cached() noexcept {
  cache_.begin_change();
  const SqliteLogHeader before = connection_->log_header();
  Result<void> committed =
      gathers_log_writes_ ? log_writes_.commit(*connection_) : execute(*connection_, SqliteQuery::commit);
  if (committed) log_mark_.note_committed(connection_->log_header());
  cache_.end_change(before, committed ? std::optional(connection_->log_header()) : std::nullopt, stale_);
  return committed;
}

void SqliteWriter::forget() noexcept {
  connection_->identities().forget();
  rows_.forget();
}

void SqliteWriter::end_group(Result<void> outcome) noexcept {
  known_version_ = connection_->data_version();
  stale_.clear();
  const std::lock_guard lock(mutex_);
  group_->outcome = std::move(outcome);
  group_->ended = true;
  group_->over.notify_all();
  group_.reset();
}

}  // namespace orlop
