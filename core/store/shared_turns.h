// The write transactions of several threads in one turn of a store's writer: one transaction behind them, one commit,
// and nothing that each of them would pay for by itself.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>

#include "store/combining_queue.h"
#include "store/store.h"

namespace orlop {

// What became of a piece of the work of a turn: of one act and its transaction.
struct TurnPiece {
  bool is_kept = false;       // its transaction was committed: its changes are to be kept
  bool is_spoiled = false;    // its changes cannot be kept, and were undone together with all since the last enter()
  bool is_stale = false;      // it has read what was no longer so: its outcome counts for nothing
  bool is_committed = false;  // it is kept, and has committed all since the last enter()
  // Where it is spoiled by a commit of all since the last enter(), of which it may not be known whether it took place:
  // the error of them all.
  std::optional<Error> lost;
  CombiningQueue* queue = nullptr;  // of the work that follows it in the turn; nullptr: none does

  // Whether it may commit what it keeps.
  bool is_last() const { return queue == nullptr || queue->is_empty(); }
};

// What a turn needs of a store. All by the thread that leads.
class TurnWriter {
 public:
  // Says later whether what was kept together is durable.
  using Kept = std::shared_ptr<const void>;

  virtual ~TurnWriter() = default;
  // Waits for the writers before.
  virtual void take_turn() noexcept = 0;
  // Begins what the pieces up to the next keep() or undo() share. `is_again`: for one that runs a second time. Errors:
  // those of Store::begin(). May throw std::bad_alloc.
  virtual Result<void> enter(bool is_again) = 0;
  // Whether all is so that was read by a piece, which has ended without writing; else sets is_spoiled and is_stale.
  // Errors: those of the store. May throw std::bad_alloc.
  virtual Result<void> validate(TurnPiece&) { return {}; }
  // A transaction within it, which sets `piece`. nullptr: memory ran out.
  virtual std::unique_ptr<Transaction> begin_piece(TurnPiece& piece) noexcept = 0;
  // Keeps what `members` pieces have written. After an error nothing of it is.
  virtual Result<Kept> keep(std::size_t members) noexcept = 0;
  virtual void undo() noexcept = 0;
  // Makes durable what is kept, and lets the next writer take its turn. Then outcome_of() says whether it is. True:
  // end_turn() has something to do.
  virtual bool pass_turn() noexcept = 0;
  virtual Result<void> outcome_of(const Kept& kept) noexcept = 0;
  // Once the threads of all pieces have gone on, and another thread may lead.
  virtual void end_turn() noexcept {}
};

// Pieces are not separated from each other, which costs as much as they do. A piece whose changes fail therefore takes
// those before it along, and they run again, each by itself. Such a failure is rare: what a request may not do is
// refused before anything is written.
class SharedTurns {
 public:
  // `writer` outlives this.
  explicit SharedTurns(TurnWriter& writer) : writer_(writer) {}

  // Store::write(). Any thread.
  Result<void> run(const Store::Act& act);
  // How many wait behind the one that is run now.
  std::size_t waiting() { return queue_.waiting(); }

 private:
  class Turn;

  TurnWriter& writer_;
  CombiningQueue queue_;
};

// The writer of a store whose transactions are applied to more than once: the pieces of a turn share one.
class TransactionTurns final : public TurnWriter {
 public:
  // `store` outlives this; its write() is not used.
  explicit TransactionTurns(Store& store) : store_(store) {}

  void take_turn() noexcept override {}
  Result<void> enter(bool is_again) override;
  Result<void> validate(TurnPiece& piece) override;
  std::unique_ptr<Transaction> begin_piece(TurnPiece& piece) noexcept override;
  Result<Kept> keep(std::size_t members) noexcept override;
  void undo() noexcept override { transaction_.reset(); }
  // Whether a piece that fails with lost_update may succeed when it runs again.
  bool is_optimistic() const { return is_optimistic_; }
  bool pass_turn() noexcept override { return false; }
  Result<void> outcome_of(const Kept&) noexcept override { return {}; }

 private:
  Store& store_;
  std::unique_ptr<Transaction> transaction_;
  bool is_optimistic_ = false;
};

}  // namespace orlop
