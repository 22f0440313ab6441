#include "store/sqlite/shared_turn.h"

#include <exception>
#include <new>
#include <optional>
#include <span>
#include <utility>

namespace orlop {

class SqliteSharedTurns::Turn {
 public:
  explicit Turn(SqliteSharedTurns& shared) : shared_(shared), writer_(shared.writer_) {}

  // By the thread that leads: all work that lies in the queue, its own first.
  void lead() noexcept {
    writer_.take_turn();
    run_all();
    const bool is_due = writer_.pass_turn();
    // First: these threads are about to bring more, and a turn that began without them would be a short one.
    for (std::size_t at = 0; at < count_; ++at) end(pieces_[at], at == 0);
    shared_.queue_.leave();
    if (is_due) writer_.make_checkpoint();
  }

 private:
  struct Piece : SqlitePiece {
    CombiningQueue::Work* work = nullptr;
    std::shared_ptr<SqliteWriter::Group> group;  // that it is kept with
  };

  void run_all() noexcept {
    std::size_t entered = 0;  // the first piece since the last enter()
    bool is_entered = false;
    while (Piece* const next = take()) {
      if (!is_entered) entered = count_ - 1;
      if (!is_entered && !enter(*next)) continue;
      run(*next);
      is_entered = !next->is_spoiled;
      if (next->is_spoiled) run_again(std::span(pieces_).subspan(entered, count_ - 1 - entered));
    }
    if (is_entered) keep(std::span(pieces_).subspan(entered, count_ - entered));
  }

  Piece* take() noexcept {
    if (count_ == pieces_.size()) return nullptr;
    CombiningQueue::Work* const work = shared_.queue_.take();
    if (work == nullptr) return nullptr;
    pieces_[count_].work = work;
    return &pieces_[count_++];
  }

  bool enter(Piece& piece) noexcept {
    Result<void> entered = fenced([&] { return writer_.enter(std::make_shared<SqliteWriter::Group>()); });
    if (entered) return true;
    piece.work->set_outcome(std::move(entered));
    return false;
  }

  void run(Piece& piece) noexcept try {
    piece.work->set_outcome(fenced([&]() -> Result<void> {
      auto* const transaction = new (std::nothrow) SqlitePieceTransaction(writer_, piece);
      if (transaction == nullptr) return Error{ErrorCode::out_of_memory, {}, {}};
      return piece.work->act()(std::unique_ptr<Transaction>(transaction));
    }));
  } catch (...) {
    piece.work->set_exception(std::current_exception());
  }

  // What was to be kept together with a piece that has failed.
  void run_again(std::span<Piece> pieces) noexcept {
    for (Piece& piece : pieces) {
      if (!std::exchange(piece.is_kept, false) || !enter(piece)) continue;
      run(piece);
      if (!piece.is_spoiled) keep(std::span(&piece, 1));
    }
  }

  void keep(std::span<Piece> pieces) noexcept {
    std::size_t kept = 0;
    for (const Piece& piece : pieces) kept += piece.is_kept ? 1 : 0;
    if (kept == 0) return writer_.undo();
    auto group = writer_.keep(kept);
    if (!group) writer_.undo();
    for (Piece& piece : pieces) {
      if (!piece.is_kept) continue;
      if (group) piece.group = *group;
      else piece.work->set_outcome(group.error());
    }
  }

  void end(Piece& piece, bool is_own) noexcept {
    if (piece.group != nullptr) {
      if (Result<void> committed = writer_.outcome_of(*piece.group); !committed) piece.work->set_outcome(std::move(committed));
    }
    if (!is_own) shared_.queue_.finish(*piece.work);
  }

  SqliteSharedTurns& shared_;
  SqliteWriter& writer_;
  std::array<Piece, SqliteWriter::group_size_max> pieces_;
  std::size_t count_ = 0;
};

Result<void> SqliteSharedTurns::run(const Store::Act& act) {
  CombiningQueue::Work work(act);
  if (queue_.put(work)) Turn(*this).lead();
  return work.take_outcome();
}

}  // namespace orlop
