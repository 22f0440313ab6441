// Write transactions of several threads in one turn of a store's writer: they share one transaction and one commit, and
// so their cost.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>

#include "store/combining_queue.h"
#include "store/store.h"

namespace orlop {

// State of a piece of a turn's work: of one act and its transaction.
struct TurnPiece {
  bool is_kept = false;       // its transaction was committed: its changes are kept
  bool is_spoiled = false;    // its changes failed, and all changes since the last enter() were undone
  bool is_stale = false;      // it has read outdated rows: its outcome does not count
  bool is_committed = false;  // it is kept, and has committed all pieces since the last enter()
  // Error of all pieces since the last enter(), if their commit failed and its outcome may be unknown.
  std::optional<Error> lost;
  CombiningQueue* queue = nullptr;  // holds the work that follows in this turn; null if none may follow

  // Reports whether it may commit in the same call.
  bool is_last() const { return queue == nullptr || queue->is_empty(); }
};

// Interface of a store's writer. Called by the leader only.
class TurnWriter {
 public:
  // Identifies pieces that were kept together, for outcome_of().
  using Kept = std::shared_ptr<const void>;

  virtual ~TurnWriter() = default;
  // Waits for the writers before.
  virtual void take_turn() noexcept = 0;
  // Begins the transaction that pieces share up to the next keep() or undo(). `is_again`: a piece runs a second time.
  // Errors: those of Store::begin(). May throw std::bad_alloc.
  virtual Result<void> enter(bool is_again) = 0;
  // Checks that what a piece has read, which ended without writing, is still so; if not, sets is_spoiled and is_stale.
  // Errors: those of the store. May throw std::bad_alloc.
  virtual Result<void> validate(TurnPiece&) { return {}; }
  // Returns a transaction within the shared one, which sets `piece`; null if memory ran out.
  virtual std::unique_ptr<Transaction> begin_piece(TurnPiece& piece) noexcept = 0;
  // Keeps the changes of `members` pieces; none of them after an error.
  virtual Result<Kept> keep(std::size_t members) noexcept = 0;
  virtual void undo() noexcept = 0;
  // Makes the kept changes durable and passes the turn on; outcome_of() then returns the result. Returns true if
  // end_turn() must be called.
  virtual bool pass_turn() noexcept = 0;
  virtual Result<void> outcome_of(const Kept& kept) noexcept = 0;
  // Called when the threads of all pieces have resumed, and another thread may lead.
  virtual void end_turn() noexcept {}
};

// Runs acts in shared turns. Pieces have no savepoints, which would cost as much as the pieces. If the changes of a
// piece fail, those before it are undone, too, and each runs again alone. Such a failure is rare: a request that is not
// allowed is refused before it writes.
class SharedTurns {
 public:
  // `writer` must outlive this.
  explicit SharedTurns(TurnWriter& writer) : writer_(writer) {}

  // Implements Store::write(). Thread-safe.
  Result<void> run(const Store::Act& act);
  // Returns the number of acts that wait behind the current one.
  std::size_t waiting() { return queue_.waiting(); }

 private:
  class Turn;

  TurnWriter& writer_;
  CombiningQueue queue_;
};

// Writer of a store whose transactions allow several calls of apply(): the pieces of a turn share one transaction.
class TransactionTurns final : public TurnWriter {
 public:
  // `store` must outlive this; its write() is not used.
  explicit TransactionTurns(Store& store) : store_(store) {}

  void take_turn() noexcept override {}
  Result<void> enter(bool is_again) override;
  Result<void> validate(TurnPiece& piece) override;
  std::unique_ptr<Transaction> begin_piece(TurnPiece& piece) noexcept override;
  Result<Kept> keep(std::size_t members) noexcept override;
  void undo() noexcept override { transaction_.reset(); }
  // Reports whether a piece that fails with lost_update may succeed when it runs again.
  bool is_optimistic() const { return is_optimistic_; }
  bool pass_turn() noexcept override { return false; }
  Result<void> outcome_of(const Kept&) noexcept override { return {}; }

 private:
  Store& store_;
  std::unique_ptr<Transaction> transaction_;
  bool is_optimistic_ = false;
};

}  // namespace orlop
