// Files for SQLite whose reads can fail: those of the operating system, except for one read.
#pragma once

#include <sqlite3.h>

#include <cstddef>
#include <cstring>

namespace orlop::tests {

enum class ReadFailure { device, short_read };

// The methods of a kind of file, and a copy with another xRead. SQLite has few kinds.
struct KindOfFile {
  const sqlite3_io_methods* real = nullptr;
  sqlite3_io_methods ours = {};
};

// Replaces SQLite's default files while it lives; at most one at a time, for one thread.
class FailingReads {
 public:
  explicit FailingReads(ReadFailure failure) : failure_(failure) {
    one_ = this;
    real_ = sqlite3_vfs_find(nullptr);
    vfs_ = *real_;
    vfs_.zName = "failing-reads";
    vfs_.xOpen = open;
    sqlite3_vfs_register(&vfs_, 1);
  }
  ~FailingReads() {
    sqlite3_vfs_unregister(&vfs_);
    sqlite3_vfs_register(real_, 1);
    one_ = nullptr;
  }
  FailingReads(const FailingReads&) = delete;
  FailingReads& operator=(const FailingReads&) = delete;

  // The read of this number (from 1, counted from here) fails. 0: none.
  void fail_at(std::size_t number) {
    count_ = 0;
    failing_ = number;
  }
  std::size_t reads() const { return count_; }

 private:
  static int open(sqlite3_vfs*, const char* name, sqlite3_file* file, int flags, int* out_flags) {
    const int code = one_->real_->xOpen(one_->real_, name, file, flags, out_flags);
    if (code != SQLITE_OK || file->pMethods == nullptr) return code;
    for (KindOfFile& kind : kinds_) {
      if (kind.real != nullptr && kind.real != file->pMethods) continue;
      if (kind.real == nullptr) {
        kind.real = file->pMethods;
        kind.ours = *kind.real;
        kind.ours.xRead = read;
      }
      file->pMethods = &kind.ours;
      break;
    }
    return code;
  }

  static int read(sqlite3_file* file, void* out, int size, sqlite3_int64 offset) {
    if (one_ != nullptr && ++one_->count_ == one_->failing_) {
      if (one_->failure_ == ReadFailure::device)
        return SQLITE_IOERR_CORRUPTFS;  // the result of SQLite's unix files
                                        // for EIO
      std::memset(out, 0, static_cast<std::size_t>(size));
      return SQLITE_IOERR_SHORT_READ;
    }
    for (const KindOfFile& kind : kinds_) {
      if (file->pMethods == &kind.ours) return kind.real->xRead(file, out, size, offset);
    }
    return SQLITE_IOERR_READ;
  }

  inline static FailingReads* one_ = nullptr;
  inline static KindOfFile kinds_[8];

  ReadFailure failure_;
  sqlite3_vfs* real_ = nullptr;
  sqlite3_vfs vfs_ = {};
  std::size_t count_ = 0;
  std::size_t failing_ = 0;
};

}  // namespace orlop::tests
