#include <algorithm>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <utility>

#include "store/memory_store.h"

namespace orlop {
namespace {

Error has_open_reader() {
  return make_error(ErrorCode::storage_busy, "the store cannot go back while a request reads it; try again");
}

}  // namespace

MemoryCheckpoint::~MemoryCheckpoint() { store.forget(*this); }

Error checkpoint_is_gone() {
  return make_error(ErrorCode::conflict,
                    "this snapshot cannot be restored here: it was taken by another simulation, or after one that has "
                    "been restored since");
}

void MemoryStore::drop_checkpoints_after(std::uint64_t number) {
  for (; !checkpoints_.empty() && checkpoints_.back()->number > number; checkpoints_.pop_back()) {
    checkpoints_.back()->is_gone = true;
    snapshots_.erase(std::find(snapshots_.begin(), snapshots_.end(), checkpoints_.back()->number));
  }
}

Result<void> MemoryStore::go_back(const StoreCheckpoint& checkpoint) {
  const auto* const known = dynamic_cast<const MemoryCheckpoint*>(&checkpoint);
  if (known == nullptr || &known->store != this) return checkpoint_is_gone();
  turns_.take();
  Result<void> outcome;
  {
    const auto lock = changing();
    if (known->is_gone) {
      outcome = checkpoint_is_gone();
    } else if (has_readers()) {
      outcome = has_open_reader();
    } else {
      drop_checkpoints_after(known->number);
      while (coordination_.size() > 1 && coordination_.back().number > known->number) coordination_.pop_back();
      while (!cuts_.empty() && cuts_.back().number > known->number) cuts_.pop_back();
      tables.go_back(known->number, known->events.last);
      committed_ = snapshots_.back() = known->number;
      committed_events_ = known->events;
    }
  }
  turns_.pass();
  return outcome;
}

// The copy contains no memberships and no coordination data.
Result<std::unique_ptr<Store>> MemoryStore::copy(const StoreCheckpoint& checkpoint) {
  const auto* const known = dynamic_cast<const MemoryCheckpoint*>(&checkpoint);
  if (known == nullptr || &known->store != this) return checkpoint_is_gone();
  auto made = std::make_unique<MemoryStore>();
  const std::shared_lock lock(mutex);
  if (known->is_gone) return checkpoint_is_gone();
  made->tables.copy_from(tables, known->number, known->events.last);
  made->tables.events.remove_through(known->events.first - 1);
  made->snapshots_ = {known->number};
  made->committed_ = known->number;
  made->committed_events_ = known->events;
  made->coordination_.front().number = known->number;
  return std::unique_ptr<Store>(std::move(made));
}

Result<void> MemoryStore::replace(Store& other) {
  auto* const source = dynamic_cast<MemoryStore*>(&other);
  if (source == nullptr)
    return make_error(ErrorCode::internal, "a store in memory takes the contents of one in memory only");
  turns_.take();
  Result<void> outcome;
  {
    std::scoped_lock lock(mutex, source->mutex);
    if (has_readers()) {
      outcome = has_open_reader();
    } else {
      for (const MemoryCheckpoint* checkpoint : checkpoints_) checkpoint->is_gone = true;
      checkpoints_.clear();
      tables = std::move(source->tables);
      snapshots_ = {source->committed_};
      committed_ = source->committed_;
      committed_events_ = source->committed_events_;
      cuts_ = std::move(source->cuts_);
      coordination_ = std::move(source->coordination_);
    }
  }
  turns_.pass();
  return outcome;
}

}  // namespace orlop
