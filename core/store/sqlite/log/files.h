// Files of a SQLite store in the file system. They are examined with stat() and statx(), which open nothing: opening
// and closing a file would drop every POSIX lock of the process on it, those of SQLite included.
#pragma once

#include <sys/types.h>

#include <array>
#include <atomic>
#include <optional>
#include <string>

#include "base/id.h"
#include "base/result.h"

namespace orlop {

// Checks that the store's file, journal, log and index are regular files if they exist: SQLite would block at a FIFO.
// Errors: storage_failed, with the path.
Result<void> require_regular_files(const std::string& path);

struct FilePlace {
  dev_t device = 0;
  ino_t inode = 0;
  bool operator==(const FilePlace&) const = default;
};

// Returns nullopt if the file cannot be found; `errno` gives the reason.
std::optional<FilePlace> place_of_file(const std::string& path);

// Checks that the file, log and index of an open store are still in place. SQLite would continue to write through its
// descriptors to a file that was deleted or moved, and these writes would be lost.
class SqliteFiles {
 public:
  // `path` as SQLite returns it: absolute, so that the process may change its directory. Called when all three exist,
  // after the first read in write-ahead mode. Files that are not in the file system are not checked.
  explicit SqliteFiles(const std::string& path);

  // Fails permanently once one of them is missing or replaced. Calls statx() three times. Thread-safe. Errors:
  // storage_failed, with the path.
  Result<void> require_in_place();

 private:
  struct File {
    std::string path;
    FilePlace place = {};
  };

  std::array<File, 3> files_;
  bool is_known_ = true;
  std::atomic<const File*> lost_ = nullptr;  // the first missing one
};

// Prevents other processes from acting as the last user of the file and deleting the -wal file. SQLite's own lock does
// the same, but it is a POSIX lock: the process loses it when any of its code opens and closes the file, for example to
// copy it. This is an open-file-description lock of the same range, held until it is released. On systems without such
// locks it does nothing.
class SqliteFileLock {
 public:
  SqliteFileLock() = default;
  ~SqliteFileLock();
  SqliteFileLock(const SqliteFileLock&) = delete;
  SqliteFileLock& operator=(const SqliteFileLock&) = delete;

  // Called once, while a connection of SQLite holds the file open in write-ahead mode.
  // Errors: storage_failed, storage_busy.
  Result<void> take(const std::string& path);
  // Called before the last connection is closed, which can then checkpoint and remove the log. The file itself stays
  // open until the end: closing it earlier would drop the locks of open connections.
  void release();
  // Called in a child of fork(): closes the descriptor, which the child shares with its parent, so that the locks end
  // with the parent.
  void abandon() noexcept;

  // Locks a byte far beyond the file's end, which represents the engine, until let_go() or the end of the process.
  // Returns false if the system has no such locks.
  bool hold(const Id& engine) noexcept;
  void let_go(const Id& engine) noexcept;
  // Reports whether no other descriptor holds the engine's byte. Returns false if that cannot be determined.
  bool is_free(const Id& engine) const noexcept;

  // Tries to become the first in the line of writers: locks a byte far beyond the file's end, which a writer holds
  // until its transaction has begun. Without it a process that writes without pause takes SQLite's lock repeatedly
  // while others, which poll for it, find it taken. Returns false if another descriptor holds the byte; true if the
  // system has no such locks, or the file may not be opened for writing.
  bool try_take_front() noexcept;
  void give_up_front() noexcept;

 private:
  int descriptor_ = -1;
};

}  // namespace orlop
