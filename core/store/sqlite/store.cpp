// The store in a SQLite file: one connection that writes, and as many that read as there are readers at a time.
#include <algorithm>
#include <array>
#include <mutex>
#include <new>
#include <utility>
#include <vector>

#include "store/open.h"
#include "store/refusal.h"
#include "store/sqlite/connection.h"
#include "store/sqlite/coordination.h"
#include "store/sqlite/counts.h"
#include "store/sqlite/files.h"
#include "store/sqlite/read.h"
#include "store/sqlite/schema.h"
#include "store/sqlite/write.h"
#include "store/sqlite/writer.h"

namespace orlop {
namespace {

constexpr std::size_t idle_readers_max = 8;

constexpr const char* connection_pragmas = "PRAGMA foreign_keys = ON;";
constexpr const char* writer_pragmas = "PRAGMA journal_size_limit = 67108864; PRAGMA cache_size = -8192;";
constexpr const char* reader_pragmas = "PRAGMA query_only = ON;";

class SqliteStore : public Store {
 public:
  SqliteStore(std::unique_ptr<SqliteFileLock> lock, std::unique_ptr<SqliteConnection> writing, std::uint64_t mmap_size)
      : lock_(std::move(lock)), path_(writing->path()), files_(path_), mmap_size_(mmap_size), members_(*lock_), writer(std::move(writing), files_) {
    idle_.reserve(idle_readers_max);  // so that a reader is given back without memory
  }
  ~SqliteStore() override { lock_->release(); }

  Result<std::unique_ptr<Transaction>> begin(Access access) override;
  Result<std::unique_ptr<Membership>> join(const Id& engine, std::function<void()>) override {
    return std::unique_ptr<Membership>(std::make_unique<SqliteMembership>(members_, writer, engine));
  }

  Result<std::unique_ptr<SqliteConnection>> take_reader() {
    {
      std::lock_guard lock(mutex_);
      if (!idle_.empty()) {
        std::unique_ptr<SqliteConnection> reader = std::move(idle_.back());
        idle_.pop_back();
        return reader;
      }
    }
    Result<std::unique_ptr<SqliteConnection>> opened = open_reader();
    ORLOP_CHECK(fenced([&] { return files_.require_in_place(); }));  // another file may lie there by now
    return opened;
  }
  // Keeps it for the next reader, unless there are plenty.
  void give_back(std::unique_ptr<SqliteConnection> reader) {
    std::lock_guard lock(mutex_);
    if (idle_.size() < idle_readers_max) idle_.push_back(std::move(reader));
  }

 private:
  Result<std::unique_ptr<SqliteConnection>> open_reader() {
    return fenced([&]() -> Result<std::unique_ptr<SqliteConnection>> {
      auto reader = std::make_unique<SqliteConnection>(path_, false);
      reader->database().exec(connection_pragmas);
      reader->database().exec(reader_pragmas);
      reader->database().exec("PRAGMA mmap_size = " + std::to_string(mmap_size_));
      reader->prepare(SqliteQuery::commit);  // a reader must end when memory has run out, too
      return reader;
    });
  }

  std::unique_ptr<SqliteFileLock> lock_;  // first: ends after every connection
  std::string path_;
  SqliteFiles files_;
  std::uint64_t mmap_size_;
  std::mutex mutex_;  // over idle_
  std::vector<std::unique_ptr<SqliteConnection>> idle_;
  SqliteMembers members_;

 public:
  SqliteWriter writer;
};

// Records that a transaction reads again and again, such as the parent of all that it makes. Those that are read once are not copied.
class RepeatedReads {
 public:
  template <typename Read>
  std::optional<Record> get(const Id& id, const Read& read) {
    for (const Record& kept : kept_) {
      if (kept.id == id && !id.is_nil()) return kept;
    }
    std::optional<Record> found = read();
    if (found && std::ranges::find(seen_, id) != seen_.end()) {
      kept_[next_kept_++ % kept_.size()] = *found;
    } else {
      seen_[next_seen_++ % seen_.size()] = id;
    }
    return found;
  }
 private:
  std::array<Record, 4> kept_;
  std::array<Id, 8> seen_;
  std::size_t next_kept_ = 0;
  std::size_t next_seen_ = 0;
};

// What both kinds of transaction share: reads, on the connection that prepare() gives.
class SqliteTransaction : public Transaction, public Coordination {
 public:
  Coordination* coordination() override { return this; }
  Result<std::vector<Peer>> peers() override {
    return read<std::vector<Peer>>([](SqliteConnection& connection) { return read_peers(connection); });
  }
  Result<std::vector<Lease>> leases(PartitionSet of) override {
    return read<std::vector<Lease>>([&](SqliteConnection& connection) { return read_leases(connection, of); });
  }
  Result<std::vector<WakeUp>> wake_ups(PartitionSet of, std::size_t limit) override {
    return read<std::vector<WakeUp>>([&](SqliteConnection& connection) { return read_wake_ups(connection, of, limit); });
  }
  Result<std::vector<InboxReport>> reports(PartitionSet of, std::size_t limit) override {
    return read<std::vector<InboxReport>>([&](SqliteConnection& connection) { return read_reports(connection, of, limit); });
  }
  Result<std::optional<Record>> record(const Id& id) override {
    return read<std::optional<Record>>([&](SqliteConnection& connection) { return find_record(connection, id); });
  }
  Result<std::optional<Machine>> machine(const Id& id) override {
    return read<std::optional<Machine>>([&](SqliteConnection& connection) { return find_machine(connection, id); });
  }
  Result<std::optional<Id>> find(std::string_view name_key) override {
    return read<std::optional<Id>>([&](SqliteConnection& connection) { return read_name(connection, name_key); });
  }
  Result<RecordLinks> links(const Id& id) override {
    return read<RecordLinks>([&](SqliteConnection& connection) { return read_links(connection, id); });
  }
  Result<void> records(const RecordRange& range, const RecordVisitor& visit) override {
    return walk<RecordVisitor>(visit, [&](SqliteConnection& connection, const RecordVisitor& to) { visit_records(connection, range, to); });
  }
  Result<void> machines(const MachineRange& range, const MachineVisitor& visit) override {
    return walk<MachineVisitor>(visit, [&](SqliteConnection& connection, const MachineVisitor& to) { visit_machines(connection, range, to); });
  }
  Result<std::vector<RecordCount>> counts(const CountRange& range) override {
    return read<std::vector<RecordCount>>([&](SqliteConnection& connection) { return read_counts(connection, range); });
  }
  Result<FeedEnd> feed_end() override {
    return read<FeedEnd>([&](SqliteConnection& connection) { return find_feed_end(connection); });
  }
  Result<void> events(const EventRange& range, const EventVisitor& visit) override {
    return walk<EventVisitor>(visit, [&](SqliteConnection& connection, const EventVisitor& to) { visit_events(connection, range, to); });
  }

 protected:
  enum class State : std::uint8_t { open, committed, rolled_back };

  // The connection, with its SQL transaction begun.
  virtual SqliteConnection& prepare() = 0;
  // What is there of an id, on that connection or in what is known of it.
  virtual std::optional<Record> find_record(SqliteConnection& connection, const Id& id) = 0;
  virtual std::optional<Machine> find_machine(SqliteConnection& connection, const Id& id) { return read_machine(connection, id); }
  virtual FeedEnd find_feed_end(SqliteConnection& connection) { return read_feed_end(connection); }

  template <typename Value, typename Act>
  Result<Value> read(const Act& act) {
    if (state_ != State::open) return ended_transaction();
    Result<Value> found = fenced([&]() -> Result<Value> { return act(prepare()); });
    if (found) return found;
    return fenced([&]() -> Result<Value> { return doubted(std::move(found).error(), [&] { return again(act); }); });
  }
  template <typename RequestContext, typename Act>
  Result<void> walk(const RequestContext& visit, const Act& act) {
    if (state_ != State::open) return ended_transaction();
    Result<void> walked = fenced([&]() -> Result<void> { return act(prepare(), visit), Result<void>(); });
    if (walked) return walked;
    const RequestContext ignore = [](const auto&) { return true; };
    return fenced([&]() -> Result<void> {
      return doubted(std::move(walked).error(), [&] { return again([&](SqliteConnection& connection) { act(connection, ignore); }); });
    });
  }
  // Reads once more, from the disk.
  template <typename Act>
  Result<void> again(const Act& act) {
    return fenced([&]() -> Result<void> {
      SqliteConnection& connection = prepare();
      connection.forget_pages();
      (void)act(connection);
      return {};
    });
  }

  State state_ = State::open;
};

class ReadTransaction : public SqliteTransaction {
 public:
  ReadTransaction(SqliteStore& store, std::unique_ptr<SqliteConnection> reader) : store_(store), reader_(std::move(reader)) {}
  ~ReadTransaction() override {
    if (state_ == State::open) end(State::rolled_back);
  }

  Result<void> apply(const Changes&) override {
    if (state_ != State::open) return ended_transaction();
    return read_only_transaction();
  }
  Result<void> commit() override {
    if (state_ != State::open) return ended_transaction();
    end(State::committed);
    return {};
  }

 private:
  SqliteConnection& prepare() override {
    if (!begun_) reader_->execute(SqliteQuery::begin_read);
    begun_ = true;
    return *reader_;
  }
  std::optional<Record> find_record(SqliteConnection& connection, const Id& id) override {
    return repeated_.get(id, [&] { return read_record(connection, id); });
  }
  void end(State state) {
    state_ = state;
    const Result<void> ended = fenced([&]() -> Result<void> {
      if (begun_) reader_->execute(SqliteQuery::commit);
      return {};
    });
    // A connection that cannot end its transaction is closed instead of being used again.
    if (ended) store_.give_back(std::move(reader_));
  }

  SqliteStore& store_;
  std::unique_ptr<SqliteConnection> reader_;
  RepeatedReads repeated_;
  bool begun_ = false;
};

class WriteTransaction : public SqliteTransaction {
 public:
  explicit WriteTransaction(SqliteWriter& writer) : writer_(writer) {}
  ~WriteTransaction() override { roll_back(); }

  Result<void> apply(const Changes& changes) override {
    if (state_ != State::open) return ended_transaction();
    Result<void> applied = fenced([&] { return apply_changes(writer_.connection(), writer_.rows(), changes); });
    if (applied) return applied;
    roll_back();
    return fenced([&]() -> Result<void> { return doubted(std::move(applied).error(), [&] { return try_again(changes); }); });
  }
  Result<void> commit() override {
    if (state_ != State::open) return ended_transaction();
    Result<void> committed = writer_.commit();
    state_ = committed ? State::committed : State::rolled_back;
    return committed;
  }

 private:
  SqliteConnection& prepare() override { return writer_.connection(); }
  std::optional<Record> find_record(SqliteConnection& connection, const Id& id) override {
    if (const Record* known = writer_.rows().record(id)) return *known;
    std::optional<Record> found = read_record(connection, id);
    if (found) writer_.rows().know(*found);
    return found;
  }
  std::optional<Machine> find_machine(SqliteConnection& connection, const Id& id) override {
    if (const Machine* known = writer_.rows().machine(id)) return *known;
    std::optional<Machine> found = read_machine(connection, id);
    if (found) writer_.rows().know(*found);
    return found;
  }
  FeedEnd find_feed_end(SqliteConnection& connection) override {
    if (!writer_.rows().feed_end()) writer_.rows().know(read_feed_end(connection));
    return *writer_.rows().feed_end();
  }
  // In a transaction of its own, of which nothing is kept.
  Result<void> try_again(const Changes& changes) {
    ORLOP_CHECK(writer_.begin());
    Result<void> applied = fenced([&] {
      writer_.connection().forget_pages();
      return apply_changes(writer_.connection(), writer_.rows(), changes);
    });
    writer_.roll_back();
    return applied;
  }
  void roll_back() {
    if (state_ == State::open) writer_.roll_back();
    state_ = State::rolled_back;
  }

  SqliteWriter& writer_;
};

Result<std::unique_ptr<Transaction>> SqliteStore::begin(Access access) {
  switch (access) {
    case Access::read: {
      ORLOP_TRY(reader, take_reader());
      return std::unique_ptr<Transaction>(std::make_unique<ReadTransaction>(*this, std::move(reader)));
    }
    case Access::write:
      ORLOP_CHECK(writer.begin());
      if (auto* transaction = new (std::nothrow) WriteTransaction(writer)) return std::unique_ptr<Transaction>(transaction);
      writer.roll_back();
      return Error{ErrorCode::out_of_memory, {}, {}};
  }
  return make_error(ErrorCode::misuse, "there is no such access");
}

Result<std::unique_ptr<Store>> open_file(const std::string& file, Durability durability, std::uint64_t mmap_size) {
  ORLOP_CHECK(require_regular_files(file));
  return fenced([&]() -> Result<std::unique_ptr<Store>> {
    auto writing = std::make_unique<SqliteConnection>(file, true);
    ORLOP_CHECK(require_own_file(*writing, file));
    SQLite::Database& database = writing->database();
    database.exec(connection_pragmas);
    // While there is no write-ahead log yet, the removal of the journal must be durable too.
    database.exec("PRAGMA synchronous = EXTRA");
    ORLOP_CHECK(prepare_schema(*writing, file));
    const std::string journal = database.execAndGet("PRAGMA journal_mode = WAL").getString();
    if (journal != "wal") {
      return make_error(ErrorCode::storage_failed, "\"" + file + "\" lies where SQLite cannot keep a write-ahead log");
    }
    database.exec(durability == Durability::full ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = NORMAL");
    database.exec(writer_pragmas);
    (void)database.execAndGet("SELECT count(*) FROM sqlite_schema");  // the first read makes the log and its index
    auto lock = std::make_unique<SqliteFileLock>();
    ORLOP_CHECK(lock->take(writing->path()));
    return std::unique_ptr<Store>(std::make_unique<SqliteStore>(std::move(lock), std::move(writing), mmap_size));
  });
}

}  // namespace

Result<std::unique_ptr<Store>> open_sqlite_store(std::string_view path, Durability durability, std::uint64_t mmap_size) {
  const std::string file(path);
  Result<std::unique_ptr<Store>> opened = open_file(file, durability, mmap_size);
  // One read that fails is reported as damage, too, and a file that another process is making looks damaged for a moment: what passes the second time is whole.
  if (!opened && opened.error().code == ErrorCode::storage_corrupt) {
    if (auto again = open_file(file, durability, mmap_size); again || again.error().code != ErrorCode::storage_corrupt) opened = std::move(again);
  }
  if (opened || opened.error().code == ErrorCode::out_of_memory) return opened;
  const std::string& message = opened.error().message;
  if (message.find(file) != std::string::npos) return opened;  // it says which file
  return make_error(opened.error().code, "\"" + file + "\" cannot be opened: " + message);
}

}  // namespace orlop
