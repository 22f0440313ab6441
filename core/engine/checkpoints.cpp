// Restores an earlier state of an engine's store, or loads a snapshot of another one.
#include <utility>

#include "engine.h"
#include "snapshot/snapshot.h"
#include "store/open.h"

namespace orlop {

Result<Checkpoints*> Engine::checkpoints() {
  auto* const found = dynamic_cast<Checkpoints*>(resting_.get());
  if (found != nullptr) return found;
  return make_error(ErrorCode::conflict,
                    "only a store in memory is restored in place; open a snapshot as another simulation instead");
}

// Clears all cached state. The next tick reads it again from the store.
Result<void> Engine::start_over() {
  must_recover_ = true;
  {
    const std::lock_guard lock(inbox_mutex_);
    reports_.clear();
    deliveries_.clear();
    woken_.clear();
    posted_.clear();
    has_inbox_ = false;
  }
  orchestrator_.forget_uncommitted();
  orphans_.clear();
  taken_reports_.clear();
  taken_deliveries_.clear();
  ORLOP_TRY(transaction, store_->begin(Access::read));
  return jobs_.recover(*transaction, ownership_.held());
}

Result<Engine::Checkpoint> Engine::checkpoint() {
  const std::lock_guard tick_lock(tick_mutex_);
  ORLOP_TRY(store, checkpoints());
  return Checkpoint{store->checkpoint(), committer_.ids_given(), last_stored_event_, now()};
}

Result<std::string> Engine::snapshot_of(const Checkpoint& checkpoint) {
  ORLOP_TRY(store, checkpoints());
  ORLOP_TRY(transaction, store->read(*checkpoint.store));
  ORLOP_TRY(end, transaction->feed_end());
  return take_snapshot(*transaction, end.sequence == 0 ? checkpoint.at : std::max(checkpoint.at, end.at));
}

Result<void> Engine::go_back(const Checkpoint& checkpoint) {
  const std::lock_guard tick_lock(tick_mutex_);
  ORLOP_TRY(store, checkpoints());
  ORLOP_CHECK(store->go_back(*checkpoint.store));
  note_given(checkpoint);
  return start_over();
}

Result<std::unique_ptr<Store>> Engine::copy_of(const Checkpoint& checkpoint) {
  ORLOP_TRY(store, checkpoints());
  return store->copy(*checkpoint.store);
}

// Restores the numbers assigned up to the checkpoint.
void Engine::note_given(const Checkpoint& checkpoint) {
  committer_.set_ids_given(checkpoint.ids_given);
  last_stored_event_ = checkpoint.last_stored_event;
}

Result<void> Engine::load(std::string_view snapshot) {
  const std::lock_guard tick_lock(tick_mutex_);
  ORLOP_TRY(store, checkpoints());
  if (store_ != resting_)
    return make_error(
        ErrorCode::conflict,
        "a store whose secrets are encrypted does not take a snapshot in place; open it as another simulation instead");
  const auto filled = open_memory_store();
  ORLOP_CHECK(key_of_snapshot(snapshot, {}));
  ORLOP_TRY(missing, restore_snapshot(*filled, snapshot));
  ORLOP_CHECK(store->replace(*filled));
  ORLOP_TRY(transaction, store_->begin(Access::read));
  ORLOP_TRY(end, transaction->feed_end());
  transaction.reset();
  committer_.set_ids_given(end.id_count);
  last_stored_event_ = end.sequence;
  ORLOP_CHECK(jobs_.prepare(*store_));
  log_missing(missing);
  return start_over();
}

Result<std::unique_ptr<Engine>> Engine::fork(const Checkpoint& checkpoint, EngineOptions options) {
  ORLOP_TRY(copy, copy_of(checkpoint));
  ORLOP_TRY(forked, open_on(std::move(copy), true, std::move(options)));
  forked->note_given(checkpoint);
  return std::move(forked);
}

}  // namespace orlop
