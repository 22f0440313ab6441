// Files for SQLite whose writes a test watches: those of the operating system.
#pragma once

#include <sqlite3.h>

#include <functional>
#include <utility>

namespace orlop {

// Replaces SQLite's default files while it lives; at most one at a time. `at_write` is called before each write to a
// file of this kind (SQLITE_OPEN_MAIN_DB, SQLITE_OPEN_WAL) with the number of bytes; the write is made if it returns
// SQLITE_OK.
class WatchedWrites {
 public:
  WatchedWrites(int kind, std::function<int(int)> at_write) {
    kind_ = kind;
    at_write_ = std::move(at_write);
    real_ = sqlite3_vfs_find(nullptr);
    vfs_ = *real_;
    vfs_.zName = "watched-writes";
    vfs_.xOpen = open;
    sqlite3_vfs_register(&vfs_, 1);
  }
  ~WatchedWrites() {
    sqlite3_vfs_unregister(&vfs_);
    sqlite3_vfs_register(real_, 1);
    at_write_ = nullptr;
    methods_ = nullptr;
  }
  WatchedWrites(const WatchedWrites&) = delete;
  WatchedWrites& operator=(const WatchedWrites&) = delete;

 private:
  static int open(sqlite3_vfs*, const char* name, sqlite3_file* file, int flags, int* out_flags) {
    const int code = real_->xOpen(real_, name, file, flags, out_flags);
    if (code != SQLITE_OK || (flags & kind_) == 0) return code;
    if (methods_ == nullptr) {
      methods_ = file->pMethods;
      ours_ = *methods_;
      ours_.xWrite = write;
    }
    if (file->pMethods == methods_) file->pMethods = &ours_;
    return code;
  }
  static int write(sqlite3_file* file, const void* bytes, int size, sqlite3_int64 offset) {
    const int code = at_write_ ? at_write_(size) : SQLITE_OK;
    return code != SQLITE_OK ? code : methods_->xWrite(file, bytes, size, offset);
  }

  inline static int kind_ = 0;
  inline static std::function<int(int)> at_write_;
  inline static sqlite3_vfs* real_ = nullptr;
  inline static const sqlite3_io_methods* methods_ = nullptr;
  inline static sqlite3_io_methods ours_ = {};

  sqlite3_vfs vfs_ = {};
};

}  // namespace orlop
