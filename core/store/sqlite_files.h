// The files of a SQLite store, as the file system shows them. stat() opens nothing, so that it may be asked at any time; opening a file and
// closing it again would drop every POSIX lock that the process holds on it, those of SQLite included.
#pragma once

#include <sys/types.h>

#include <array>
#include <atomic>
#include <string>

#include "base/result.h"

namespace orlop {

// The store's file, its journal, log and index are regular files, as far as they are there: SQLite would wait for ever at a FIFO.
// Errors: storage_failed, with the path.
Result<void> require_regular_files(const std::string& path);

// The file, the log and the index of an open store: are they still where they were? A file that was deleted or moved goes on taking writes
// through the descriptors that SQLite has, and nothing of them is found again.
class SqliteFiles {
 public:
  // `path` as SQLite gives it: absolute, so that the process may change its directory. When all three are there, that is after the first
  // read in write-ahead mode. Files that are not the operating system's are not looked at.
  explicit SqliteFiles(const std::string& path);

  // Once one of them is missing or another, for ever. Three calls of stat(); from any thread.
  // Errors: storage_failed, with the path.
  Result<void> require_in_place();

 private:
  struct File {
    std::string path;
    dev_t device = 0;
    ino_t inode = 0;
  };

  std::array<File, 3> files_;
  bool is_known_ = true;
  std::atomic<const File*> lost_ = nullptr;  // the first that was not there
};

// Keeps other processes from taking themselves for the last one on the file, and from deleting the -wal file under this one. SQLite's own
// lock says so too, but it is a POSIX lock: the process loses it when any of its code opens the file and closes it, say to copy it. This is
// an open-file-description lock of the same range; it stays until it is released. On systems without such locks it does nothing.
class SqliteFileLock {
 public:
  SqliteFileLock() = default;
  ~SqliteFileLock();
  SqliteFileLock(const SqliteFileLock&) = delete;
  SqliteFileLock& operator=(const SqliteFileLock&) = delete;

  // Once, while a connection of SQLite holds the file open in write-ahead mode.
  // Errors: storage_failed, storage_busy.
  Result<void> take(const std::string& path);
  // Before the last connection is closed, which then can checkpoint and remove the log. The file itself stays open until the end: closing it
  // earlier would drop the locks of connections that are still open.
  void release();

 private:
  int descriptor_ = -1;
};

}  // namespace orlop
