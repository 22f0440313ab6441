// Transactions that write to a SQLite file: one that uses the writer alone, and one that is a piece of a shared turn.
#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <utility>

#include "store/refusal.h"
#include "store/shared_turns.h"
#include "store/sqlite/read_rows.h"
#include "store/sqlite/sqlite_transaction.h"
#include "store/sqlite/write_thread.h"

namespace orlop {

// Common part: reads from cached rows of the writer or from the connection.
class SqliteWritingTransaction : public SqliteTransaction {
 protected:
  explicit SqliteWritingTransaction(SqliteWriter& writer) : writer_(writer) {}

  Result<void> apply_now(const Changes& changes) {
    return fenced([&] { return writer_.apply(changes); });
  }
  // Returns the error of changes that are already rolled back, after checking it with `again` (doubted()).
  template <typename Again>
  static Result<void> doubted_error(Result<void> applied, const Again& again) {
    return fenced([&]() -> Result<void> { return doubted(std::move(applied).error(), again); });
  }
  // Applies the changes on freshly read pages.
  Result<void> apply_anew(const Changes& changes) {
    return fenced([&] {
      writer_.connection().forget_pages();
      return writer_.apply(changes);
    });
  }

  SqliteWriter& writer_;

 private:
  Result<SqliteConnection*> prepare() override { return &writer_.connection(); }
  Shared<Record> find_record(SqliteConnection& connection, const Id& id) override {
    if (Shared<Record> known = writer_.rows().record(id)) return known;
    Shared<Record> found = read_record(connection, id);
    if (found) writer_.rows().know(found);
    return found;
  }
  Shared<Machine> find_machine(SqliteConnection& connection, const Id& id) override {
    if (Shared<Machine> known = writer_.rows().machine(id)) return known;
    Shared<Machine> found = read_machine(connection, id);
    if (found) writer_.rows().know(found);
    return found;
  }
  FeedEnd find_feed_end(SqliteConnection& connection) override {
    if (!writer_.rows().feed_end()) writer_.rows().know(read_feed_end(connection));
    return *writer_.rows().feed_end();
  }
};

// Requires SqliteWriter::begin().
class SqliteWriteTransaction final : public SqliteWritingTransaction {
 public:
  explicit SqliteWriteTransaction(SqliteWriter& writer) : SqliteWritingTransaction(writer) {}
  ~SqliteWriteTransaction() override { roll_back(); }

  Result<void> apply(Changes changes) override {
    if (state_ != State::open) return ended_transaction();
    Result<void> applied = apply_now(changes);
    if (applied) return applied;
    roll_back();
    return doubted_error(std::move(applied), [&]() -> Result<void> {
      ORLOP_CHECK(writer_.begin());
      Result<void> tried = apply_anew(changes);
      writer_.roll_back();
      return tried;
    });
  }
  Result<void> commit() override {
    if (state_ != State::open) return ended_transaction();
    Result<void> committed = writer_.commit();
    state_ = committed ? State::committed : State::rolled_back;
    return committed;
  }

 private:
  void roll_back() {
    if (state_ == State::open) writer_.roll_back();
    state_ = State::rolled_back;
  }
};

// A transaction of one piece. If it has written nothing, nothing is undone.
class SqlitePieceTransaction final : public SqliteWritingTransaction {
 public:
  SqlitePieceTransaction(SqliteWriter& writer, TurnPiece& piece) : SqliteWritingTransaction(writer), piece_(piece) {}
  ~SqlitePieceTransaction() override {
    if (state_ == State::open && has_written_) spoil();
  }

  Result<void> apply(Changes changes) override {
    if (state_ != State::open) return ended_transaction();
    has_written_ = true;
    Result<void> applied = apply_now(changes);
    if (applied) return applied;
    spoil();
    return doubted_error(std::move(applied), [&]() -> Result<void> {
      ORLOP_CHECK(writer_.enter(std::make_shared<SqliteWriter::Group>()));
      Result<void> tried = apply_anew(changes);
      writer_.undo();
      return tried;
    });
  }
  Result<void> commit() override {
    if (state_ != State::open) return ended_transaction();
    state_ = State::committed;
    piece_.is_kept = true;
    return {};
  }

 private:
  void spoil() {
    writer_.undo();
    state_ = State::rolled_back;
    piece_.is_spoiled = true;
  }

  TurnPiece& piece_;
  bool has_written_ = false;
};

// Pieces have no savepoints, because SQLite copies every page that is changed after one. Only pieces that run again
// have one.
class SqliteTurnWriter final : public TurnWriter {
 public:
  // `writer` must outlive this.
  explicit SqliteTurnWriter(SqliteWriter& writer) : writer_(writer) {}

  void take_turn() noexcept override { writer_.take_turn(); }
  Result<void> enter(bool) override {
    return fenced([&] { return writer_.enter(std::make_shared<SqliteWriter::Group>()); });
  }
  std::unique_ptr<Transaction> begin_piece(TurnPiece& piece) noexcept override {
    return std::unique_ptr<Transaction>(new (std::nothrow) SqlitePieceTransaction(writer_, piece));
  }
  Result<Kept> keep(std::size_t members) noexcept override {
    ORLOP_TRY(group, writer_.keep(members));
    return Kept(std::move(group));
  }
  void undo() noexcept override { writer_.undo(); }
  bool pass_turn() noexcept override { return writer_.pass_turn(); }
  Result<void> outcome_of(const Kept& kept) noexcept override {
    return writer_.outcome_of(*static_cast<const SqliteWriter::Group*>(kept.get()));
  }
  void end_turn() noexcept override { writer_.make_checkpoint(); }

 private:
  SqliteWriter& writer_;
};

}  // namespace orlop
