// The SQLite files that are open in this process, and their state after fork().
//
// SQLite keeps the locks of a file per process. A child of fork() inherits SQLite's records of the parent's locks and
// none of the locks: a connection of the child waits for threads that exist only in the parent, and reads and writes
// without locks that SQLite believes to hold. So a child refuses the files that were open when it was forked, under any
// name.
#pragma once

#include <functional>
#include <string>

#include "base/result.h"
#include "store/sqlite/log/files.h"

namespace orlop {

// One open file, from open() until destruction. Thread-safe.
class SqliteProcessFile {
 public:
  SqliteProcessFile() = default;
  ~SqliteProcessFile();
  SqliteProcessFile(const SqliteProcessFile&) = delete;
  SqliteProcessFile& operator=(const SqliteProcessFile&) = delete;

  // Runs `act`, which makes the first connection to the file at `path`; no fork begins meanwhile. Called once. Throws
  // what `act` throws. Errors: misuse, if the file was open when this process was forked.
  Result<void> open(const std::string& path, const std::function<void()>& act);

  SqliteFileLock& lock() { return lock_; }

 private:
  friend void before_store_fork() noexcept;
  friend void after_store_fork(bool) noexcept;

  FilePlace place_;
  bool is_listed_ = false;
  bool is_inherited_ = false;  // inherited by a child from the process that opened the file
  SqliteProcessFile* next_ = nullptr;
  SqliteFileLock lock_;
};

}  // namespace orlop
