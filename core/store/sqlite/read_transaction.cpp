#include "store/sqlite/read_transaction.h"

#include <algorithm>
#include <array>
#include <new>
#include <optional>
#include <string>
#include <utility>

#include "store/sqlite/sqlite_transaction.h"

namespace orlop {
namespace {

// Longer lists are usually read only once.
constexpr std::size_t list_rows_max = 1000;

// Records that a transaction reads repeatedly, such as the parent of all that it makes. Records that are read once are
// not copied.
class RepeatedReads {
 public:
  template <typename Read>
  Shared<Record> get(const Id& id, const Read& read) {
    for (const Shared<Record>& kept : kept_) {
      if (kept && kept->id == id) return kept;
    }
    Shared<Record> found = read();
    if (found && std::ranges::find(seen_, id) != seen_.end()) {
      kept_[next_kept_++ % kept_.size()] = found;
    } else {
      seen_[next_seen_++ % seen_.size()] = id;
    }
    return found;
  }

 private:
  std::array<Shared<Record>, 4> kept_;
  std::array<Id, 8> seen_;
  std::size_t next_kept_ = 0;
  std::size_t next_seen_ = 0;
};

// Reads on a connection that it takes from `readers` while it is open.
class ReadTransaction : public SqliteTransaction {
 public:
  // `reader`: null to take one at the first read.
  ReadTransaction(SqliteReaders& readers, std::unique_ptr<SqliteConnection> reader)
      : readers_(readers), reader_(std::move(reader)) {}
  ~ReadTransaction() override {
    if (state_ == State::open) end(State::rolled_back);
  }

  Result<void> check(const FaultVisitor& visit) override {
    for (const FoundFault& fault : readers_.mended()) visit(FoundFault(fault));
    return SqliteTransaction::check(visit);
  }
  Result<void> apply(Changes) override {
    if (state_ != State::open) return ended_transaction();
    return read_only_transaction();
  }
  Result<void> commit() override {
    if (state_ != State::open) return ended_transaction();
    end(State::committed);
    return {};
  }

 protected:
  Result<SqliteConnection*> prepare() override {
    if (reader_ == nullptr) {
      ORLOP_TRY(reader, readers_.take());
      reader_ = std::move(reader);
    }
    if (!begun_) reader_->execute(SqliteQuery::begin_read);
    begun_ = true;
    return reader_.get();
  }
  Shared<Record> find_record(SqliteConnection& connection, const Id& id) override {
    return repeated_.get(id, [&] { return read_record(connection, id); });
  }

 private:
  void end(State state) {
    state_ = state;
    if (reader_ == nullptr) return;
    const Result<void> ended = fenced([&]() -> Result<void> {
      if (begun_) reader_->execute(SqliteQuery::commit);
      return {};
    });
    // A connection that cannot end its transaction is closed instead of reused.
    if (ended) readers_.give_back(std::move(reader_));
  }

  SqliteReaders& readers_;
  std::unique_ptr<SqliteConnection> reader_;
  RepeatedReads repeated_;
  bool begun_ = false;
};

// The snapshot is the file's state under the log header that is read first. Rows of the cache have that header as long
// as the generation is current. Rows of the file have it if the header is unchanged after the first of them was read:
// SQLite has then begun its own snapshot under it.
class CachedReadTransaction final : public ReadTransaction {
 public:
  // `has_moved` is set if the file has changed between a row from the cache and the first read of the file: their
  // states differ.
  CachedReadTransaction(const SqliteCachedReading& reading, bool& has_moved)
      : ReadTransaction(reading.readers, nullptr), reading_(reading), has_moved_(has_moved) {}

  Result<Shared<Record>> record(const Id& id) override {
    return row<Record>(id, &SqliteRowCache::record, [&] { return ReadTransaction::record(id); });
  }
  Result<Shared<Machine>> machine(const Id& id) override {
    return row<Machine>(id, &SqliteRowCache::machine, [&] { return ReadTransaction::machine(id); });
  }
  Result<std::optional<Id>> find(std::string_view name_key, Expected expected) override;
  Result<void> records(const RecordRange& range, const RecordVisitor& visit) override;

 private:
  // Reports whether the cache can be used.
  bool enter() {
    if (!has_entered_) {
      has_entered_ = true;
      header_ = reading_.log.log_header();
      generation_ = reading_.cache.enter(header_);
    }
    return state_ == State::open && generation_.has_value();
  }

  template <typename Row, typename Known, typename Read>
  Result<Shared<Row>> row(const Id& id, const Known& known, const Read& read) {
    if (enter()) {
      if (Shared<Row> found = (reading_.cache.*known)(*generation_, id)) {
        has_answered_ = true;
        return found;
      }
    }
    Result<Shared<Row>> found = read();
    if (found && *found && generation_) reading_.cache.put(*generation_, *found);
    return found;
  }

  Result<SqliteConnection*> prepare() override {
    enter();
    return ReadTransaction::prepare();
  }
  Shared<Record> find_record(SqliteConnection& connection, const Id& id) override {
    return read_record(connection, id);
  }

  Result<void> settle() override {
    if (has_settled_ || !generation_) return {};
    has_settled_ = true;
    if (reading_.log.log_header() == header_) return {};
    generation_.reset();
    if (!has_answered_) return {};
    has_moved_ = true;
    return make_error(ErrorCode::storage_busy, "the store was changed while it was read");
  }

  const SqliteCachedReading& reading_;
  bool& has_moved_;
  SqliteLogHeader header_;
  std::optional<SqliteRowCache::Generation> generation_;  // nullopt: everything is read from the file
  bool has_entered_ = false;
  bool has_settled_ = false;
  bool has_answered_ = false;  // at least one row came from the cache
};

Result<std::optional<Id>> CachedReadTransaction::find(std::string_view name_key, Expected expected) {
  const std::string key(name_key);
  if (enter()) {
    if (const std::optional<Id> known = reading_.cache.find(*generation_, key)) {
      has_answered_ = true;
      return known;
    }
  }
  Result<std::optional<Id>> found = ReadTransaction::find(name_key, expected);
  if (found && *found && generation_) reading_.cache.put(*generation_, key, **found);
  return found;
}

Result<void> CachedReadTransaction::records(const RecordRange& range, const RecordVisitor& visit) {
  if (range.by != RecordRange::By::parent || !enter()) return ReadTransaction::records(range, visit);
  if (const auto list = reading_.cache.records(*generation_, range)) {
    has_answered_ = true;
    for (const SqliteRowCache::SharedRecord& record : *list) {
      if (!visit(*record)) break;
    }
    return {};
  }
  SqliteRowCache::List list;
  bool is_whole = range.with_text();
  ORLOP_CHECK(ReadTransaction::records(range, [&](const Record& record) {
    if (is_whole) list.emplace_back(Record(record));
    const bool goes_on = visit(record);
    is_whole = is_whole && goes_on && list.size() < list_rows_max;
    return goes_on;
  }));
  if (is_whole && generation_) reading_.cache.put(*generation_, range, list);
  return {};
}

}  // namespace

Result<std::unique_ptr<Transaction>> begin_sqlite_read(SqliteReaders& readers) {
  ORLOP_TRY(reader, readers.take());
  return std::unique_ptr<Transaction>(std::make_unique<ReadTransaction>(readers, std::move(reader)));
}

Result<void> read_sqlite_cached(const SqliteCachedReading& reading, const Store::Act& act) {
  bool has_moved = false;
  Result<void> done = act(std::make_unique<CachedReadTransaction>(reading, has_moved));
  if (!has_moved) return done;
  ORLOP_TRY(transaction, begin_sqlite_read(reading.readers));
  return act(std::move(transaction));
}

}  // namespace orlop
