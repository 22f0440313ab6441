#include "store/sqlite/writer.h"

#include <new>
#include <optional>
#include <utility>

#include "store/sqlite/write.h"

namespace orlop {
namespace {

// Bounds how long the first of a group waits for the last.
constexpr std::size_t group_size_max = 64;

// A copy for which there may be no memory.
Result<void> copy_of(const Result<void>& outcome) noexcept try {
  return outcome;
} catch (const std::bad_alloc&) {
  return Error{ErrorCode::out_of_memory, {}, {}};
}

Error lost_with_others() noexcept try {
  return make_error(ErrorCode::storage_failed, "the store failed in a transaction that was to be committed together with this one");
} catch (const std::bad_alloc&) {
  return {ErrorCode::out_of_memory, {}, {}};
}

}  // namespace

Result<void> SqliteWriter::begin() {
  auto group = std::make_shared<Group>();  // before the turn, which memory that runs out must leave to others
  turns_.take();
  if (!group_) {
    has_savepoint_ = false;
    Result<void> begun = execute(*connection_, SqliteQuery::begin_write);
    if (!begun) begun = fenced([&]() -> Result<void> { return doubted(std::move(begun).error(), [this] { return try_begin(); }); });
    if (!begun) {
      turns_.pass();
      return begun;
    }
    group_ = std::move(group);
    if (connection_->data_version() != known_version_) rows_.forget();
    return {};
  }
  has_savepoint_ = true;
  Result<void> begun = execute(*connection_, SqliteQuery::savepoint);
  if (!begun) {
    has_savepoint_ = false;
    if (Result<void> others = commit_group(); !others) return others;
  }
  return begun;
}

Result<void> SqliteWriter::apply(const Changes& changes) {
  stale_.add(changes);  // before: a change that fails is named in vain, and nothing is missing
  return apply_changes(*connection_, rows_, stale_, changes);
}

Result<void> SqliteWriter::commit() noexcept {
  if (has_savepoint_) {
    if (Result<void> released = execute(*connection_, SqliteQuery::release_savepoint); !released) {
      roll_back();
      return released;
    }
  }
  {
    std::unique_lock lock(mutex_);
    ++group_->members;
    if (turns_.waiting() > 0 && group_->members < group_size_max) {
      const std::shared_ptr<Group> group = group_;
      turns_.pass();
      group->over.wait(lock, [&] { return group->ended; });
      return copy_of(group->outcome);
    }
  }
  return commit_group();
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
  forget();
  // A full disk ends the whole SQL transaction, and with it the others of the group.
  if (!connection_->in_transaction()) {
    (void)end_group(lost_with_others());
    return;
  }
  if (!has_savepoint_) {
    (void)end_group(execute(*connection_, SqliteQuery::roll_back));
    return;
  }
  Result<void> pending = execute(*connection_, SqliteQuery::roll_back_to_savepoint);
  if (pending) pending = execute(*connection_, SqliteQuery::release_savepoint);
  if (pending) {
    (void)commit_group();
  } else {
    (void)execute(*connection_, SqliteQuery::roll_back);
    (void)end_group(std::move(pending));
  }
}

Result<void> SqliteWriter::try_begin() {
  connection_->forget_pages();
  ORLOP_CHECK(execute(*connection_, SqliteQuery::begin_write));
  return execute(*connection_, SqliteQuery::roll_back);
}

Result<void> SqliteWriter::commit_group() noexcept {
  Result<void> committed = fenced([&] { return files_.require_in_place(); });
  if (committed) committed = commit_cached();
  if (!committed) forget();
  if (!committed && connection_->in_transaction()) (void)execute(*connection_, SqliteQuery::roll_back);
  const SqliteLogHeader log = connection_->log_header();
  const bool is_overdue = committed && checkpoint_.is_overdue(log);
  if (is_overdue) checkpoint_.make_overdue(*connection_, log);
  const bool may_be_due = committed && !is_overdue;
  Result<void> outcome = end_group(std::move(committed));
  if (may_be_due) checkpoint_.after_commit(log);
  return outcome;
}

Result<void> SqliteWriter::commit_cached() noexcept {
  cache_.begin_change();
  const SqliteLogHeader before = connection_->log_header();
  Result<void> committed = log_writes_.commit(*connection_);
  cache_.end_change(before, committed ? std::optional(connection_->log_header()) : std::nullopt, stale_);
  return committed;
}

void SqliteWriter::forget() noexcept {
  connection_->identities().forget();
  rows_.forget();
}

Result<void> SqliteWriter::end_group(Result<void> outcome) noexcept {
  known_version_ = connection_->data_version();
  stale_.clear();
  std::unique_lock lock(mutex_);
  group_->outcome = copy_of(outcome);
  group_->ended = true;
  group_->over.notify_all();
  group_.reset();
  turns_.pass();
  return outcome;
}

}  // namespace orlop
