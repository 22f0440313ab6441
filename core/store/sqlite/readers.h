// Connections that read a SQLite file.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/result.h"
#include "store/found_fault.h"
#include "store/sqlite/log/files.h"
#include "store/sqlite/sqlite_connection.h"

namespace orlop {

inline constexpr const char* sqlite_connection_pragmas = "PRAGMA foreign_keys = ON;";

// One connection per concurrent reader; a few idle ones are kept open. Thread-safe.
class SqliteReaders {
 public:
  // `files` are checked with each new connection and must outlive this.
  SqliteReaders(std::string path, SqliteFiles& files, std::uint64_t mmap_size, std::vector<FoundFault> mended = {});

  Result<std::unique_ptr<SqliteConnection>> take();
  // Keeps the connection for the next reader, unless enough are idle. It must not have an open transaction.
  void give_back(std::unique_ptr<SqliteConnection> reader) noexcept;
  // Returns the faults that opening the file has corrected.
  const std::vector<FoundFault>& mended() const { return mended_; }

 private:
  Result<std::unique_ptr<SqliteConnection>> open();

  std::string path_;
  SqliteFiles& files_;
  std::uint64_t mmap_size_;
  const std::vector<FoundFault> mended_;
  std::mutex mutex_;  // guards idle_
  std::vector<std::unique_ptr<SqliteConnection>> idle_;
};

}  // namespace orlop
