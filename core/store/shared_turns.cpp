#include "store/shared_turns.h"

#include <array>
#include <exception>
#include <new>
#include <span>
#include <utility>
#include <vector>

#include "store/forwarding_transaction.h"
#include "store/refusal.h"

namespace orlop {
namespace {

// Bounds how long the first thread of a turn waits for the last.
constexpr std::size_t pieces_max = 64;

// Copies the error; drops its texts if memory runs out.
Error copied(const Error& error) noexcept try { return error; } catch (const std::bad_alloc&) {
  return Error{error.code, {}, {}};
}

// Reports whether a failed apply_and_commit() has certainly kept nothing, so that earlier pieces can run again.
bool is_certain(ErrorCode code) {
  return code == ErrorCode::lost_update || code == ErrorCode::conflict || code == ErrorCode::lease_lost ||
         code == ErrorCode::storage_busy;
}

}  // namespace

class SharedTurns::Turn {
 public:
  explicit Turn(SharedTurns& shared) : queue_(shared.queue_), writer_(shared.writer_) {}

  // Called by the leader: does all queued work, its own first.
  void lead() noexcept {
    writer_.take_turn();
    run_all();
    const bool has_rest = writer_.pass_turn();
    // Before leave(): these threads are about to queue more work, and a turn that begins without them would be short.
    for (std::size_t at = 0; at < count_; ++at) end(pieces_[at], at == 0);
    queue_.leave();
    if (has_rest) writer_.end_turn();
  }

 private:
  struct Piece : TurnPiece {
    CombiningQueue::Work* work = nullptr;
    TurnWriter::Kept kept;
  };

  void run_all() noexcept {
    std::size_t entered = 0;  // index of the first piece since the last enter()
    bool is_entered = false;
    while (Piece* const next = take()) {
      if (!is_entered) entered = count_ - 1;
      if (!is_entered && !enter(*next, false)) continue;
      run(*next);
      is_entered = !next->is_spoiled && !next->is_committed;
      if (!next->is_spoiled) continue;
      const std::span<Piece> with_it = std::span(pieces_).subspan(entered, count_ - entered);
      if (next->lost) lose(with_it.first(with_it.size() - 1), *next->lost);
      else run_again(with_it);
    }
    if (is_entered) keep(std::span(pieces_).subspan(entered, count_ - entered));
  }

  Piece* take() noexcept {
    if (count_ == pieces_.size()) return nullptr;
    CombiningQueue::Work* const work = queue_.take();
    if (work == nullptr) return nullptr;
    pieces_[count_].work = work;
    pieces_[count_].queue = &queue_;
    return &pieces_[count_++];
  }

  bool enter(Piece& piece, bool is_again) noexcept {
    Result<void> entered;
    try {
      entered = writer_.enter(is_again);
    } catch (const std::bad_alloc&) { entered = Error{ErrorCode::out_of_memory, {}, {}}; }
    if (entered) return true;
    piece.work->set_outcome(std::move(entered));
    return false;
  }

  void run(Piece& piece) noexcept try {
    std::unique_ptr<Transaction> transaction = writer_.begin_piece(piece);
    Result<void> outcome = transaction == nullptr ? Result<void>(Error{ErrorCode::out_of_memory, {}, {}})
                                                  : piece.work->act()(std::move(transaction));
    const bool has_failed = !is_decided(outcome);
    piece.work->set_outcome(std::move(outcome));
    if (piece.is_kept || piece.is_spoiled) return;
    Result<void> valid = writer_.validate(piece);  // always: it also ends a transaction that cannot continue
    if (!valid && !has_failed) piece.work->set_outcome(std::move(valid));
  } catch (const std::bad_alloc&) { piece.work->set_outcome(Error{ErrorCode::out_of_memory, {}, {}}); } catch (...) {
    piece.work->set_exception(std::current_exception());
  }

  // Runs again the pieces that were kept together with a failed one, and the failed one if it only read stale rows.
  void run_again(std::span<Piece> pieces) noexcept {
    for (Piece& piece : pieces) {
      const bool was_kept = std::exchange(piece.is_kept, false);
      const bool was_stale = std::exchange(piece.is_stale, false);
      if (!(was_kept || was_stale) || !enter(piece, true)) continue;
      piece.queue = nullptr;
      piece.is_spoiled = false;
      run(piece);
      if (!piece.is_spoiled && !piece.is_committed) keep(std::span(&piece, 1));
    }
  }

  void lose(std::span<Piece> pieces, const Error& error) noexcept {
    for (Piece& piece : pieces) {
      if (piece.is_kept) piece.work->set_outcome(copied(error));
    }
  }

  void keep(std::span<Piece> pieces) noexcept {
    std::size_t members = 0;
    for (const Piece& piece : pieces) members += piece.is_kept ? 1 : 0;
    if (members == 0) return writer_.undo();
    auto kept = writer_.keep(members);
    if (!kept) writer_.undo();
    for (Piece& piece : pieces) {
      if (!piece.is_kept) continue;
      if (kept) piece.kept = *kept;
      else piece.work->set_outcome(copied(kept.error()));
    }
  }

  void end(Piece& piece, bool is_own) noexcept {
    if (piece.kept != nullptr) {
      if (Result<void> committed = writer_.outcome_of(piece.kept); !committed)
        piece.work->set_outcome(std::move(committed));
    }
    if (!is_own) queue_.finish(*piece.work);
  }

  CombiningQueue& queue_;
  TurnWriter& writer_;
  std::array<Piece, pieces_max> pieces_;
  std::size_t count_ = 0;
};

Result<void> SharedTurns::run(const Store::Act& act) {
  CombiningQueue::Work work(act);
  if (queue_.put(work)) Turn(*this).lead();
  return work.take_outcome();
}

namespace {

// A transaction of one piece. If it has written nothing, nothing is undone.
class PieceTransaction final : public ForwardingTransaction {
 public:
  PieceTransaction(TransactionTurns& writer, Transaction& behind, TurnPiece& piece)
      : ForwardingTransaction(behind), writer_(writer), piece_(piece) {}
  ~PieceTransaction() override {
    if (!is_over() && has_written_) spoil();
  }

  Result<void> apply(Changes changes) override {
    if (is_over()) return ended_transaction();
    has_written_ = true;
    Result<void> applied = behind().apply(std::move(changes));
    if (applied) last_number_ = behind().last_number();
    else spoil(applied.error());
    return applied;
  }
  std::optional<std::uint64_t> last_number() const override { return last_number_; }
  Result<void> commit() override {
    if (is_over()) return ended_transaction();
    end();
    piece_.is_kept = true;
    return {};
  }
  // The last piece commits in the same call.
  Result<void> apply_and_commit(Changes changes) override {
    if (is_over()) return ended_transaction();
    if (!piece_.is_last()) {
      ORLOP_CHECK(apply(std::move(changes)));
      return commit();
    }
    has_written_ = true;
    Result<void> committed = behind().apply_and_commit(std::move(changes));
    if (!committed) {
      if (!is_certain(committed.error().code)) piece_.lost = copied(committed.error());
      spoil(committed.error());
      return committed;
    }
    last_number_ = behind().last_number();
    end();
    piece_.is_kept = true;
    piece_.is_committed = true;
    writer_.undo();  // only frees the transaction, which has ended
    return {};
  }

 private:
  void spoil() {
    end();
    piece_.is_spoiled = true;
    writer_.undo();
  }
  void spoil(const Error& error) {
    piece_.is_stale = writer_.is_optimistic() && error.code == ErrorCode::lost_update;
    spoil();
  }

  TransactionTurns& writer_;
  TurnPiece& piece_;
  bool has_written_ = false;
  std::optional<std::uint64_t> last_number_;
};

}  // namespace

Result<void> TransactionTurns::enter(bool is_again) {
  is_optimistic_ = !is_again && store_.is_optimistic();
  ORLOP_TRY(begun, store_.begin(is_optimistic_ ? Access::optimistic : Access::write));
  transaction_ = std::move(begun);
  return {};
}

Result<void> TransactionTurns::validate(TurnPiece& piece) {
  if (!is_optimistic_) return {};
  Result<void> valid = transaction_->validate();
  if (valid) return valid;
  piece.is_spoiled = true;
  piece.is_stale = valid.error().code == ErrorCode::lost_update;
  undo();
  return valid;
}

std::unique_ptr<Transaction> TransactionTurns::begin_piece(TurnPiece& piece) noexcept {
  return std::unique_ptr<Transaction>(new (std::nothrow) PieceTransaction(*this, *transaction_, piece));
}

Result<TurnWriter::Kept> TransactionTurns::keep(std::size_t) noexcept {
  try {
    ORLOP_CHECK(transaction_->commit());
  } catch (const std::bad_alloc&) { return Error{ErrorCode::out_of_memory, {}, {}}; }
  transaction_.reset();
  return Kept();
}

}  // namespace orlop
