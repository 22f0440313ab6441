#include "store/sqlite/readers.h"

#include <utility>

namespace orlop {
namespace {

constexpr std::size_t idle_readers_max = 8;
constexpr const char* reader_pragmas = "PRAGMA query_only = ON;";

}  // namespace

SqliteReaders::SqliteReaders(std::string path, SqliteFiles& files, std::uint64_t mmap_size,
                             std::vector<FoundFault> mended)
    : path_(std::move(path)), files_(files), mmap_size_(mmap_size), mended_(std::move(mended)) {
  idle_.reserve(idle_readers_max);  // so that give_back() needs no memory
}

Result<std::unique_ptr<SqliteConnection>> SqliteReaders::take() {
  {
    const std::lock_guard lock(mutex_);
    if (!idle_.empty()) {
      std::unique_ptr<SqliteConnection> reader = std::move(idle_.back());
      idle_.pop_back();
      return reader;
    }
  }
  Result<std::unique_ptr<SqliteConnection>> opened = open();
  ORLOP_CHECK(fenced([&] { return files_.require_in_place(); }));  // the file may have been replaced
  return opened;
}

void SqliteReaders::give_back(std::unique_ptr<SqliteConnection> reader) noexcept {
  const std::lock_guard lock(mutex_);
  if (idle_.size() < idle_readers_max) idle_.push_back(std::move(reader));
}

Result<std::unique_ptr<SqliteConnection>> SqliteReaders::open() {
  return fenced([&]() -> Result<std::unique_ptr<SqliteConnection>> {
    auto reader = std::make_unique<SqliteConnection>(path_, false);
    reader->database().exec(sqlite_connection_pragmas);
    reader->database().exec(reader_pragmas);
    reader->database().exec("PRAGMA mmap_size = " + std::to_string(mmap_size_));
    reader->prepare(SqliteQuery::commit);  // a reader must be able to end when memory has run out
    return reader;
  });
}

}  // namespace orlop
