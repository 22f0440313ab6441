#include "store/sqlite/log/process_files.h"

#include <sqlite3.h>

#include <array>
#include <mutex>
#include <optional>

#include "store/fork.h"
#include "store/sqlite/log/private_copy.h"

namespace orlop {
namespace {

// Constant initialization and no destructor: a fork may happen before and after those of static objects.
struct ProcessFiles {
  std::mutex mutex;  // guards the members below, and every listed SqliteProcessFile
  SqliteProcessFile* first = nullptr;
  bool is_used = false;  // SQLite has been used by this process
};
constinit ProcessFiles files;

// SQLite's own locks in the order in which it takes them: OPEN around MAIN when it opens a shared cache, PRNG around
// MAIN when it seeds its random numbers. If a child inherits one that another thread holds, its first use of SQLite
// never returns.
constexpr std::array static_mutexes{SQLITE_MUTEX_STATIC_OPEN, SQLITE_MUTEX_STATIC_VFS1, SQLITE_MUTEX_STATIC_VFS2,
                                    SQLITE_MUTEX_STATIC_VFS3, SQLITE_MUTEX_STATIC_PRNG, SQLITE_MUTEX_STATIC_MAIN,
                                    SQLITE_MUTEX_STATIC_LRU,  SQLITE_MUTEX_STATIC_PMEM, SQLITE_MUTEX_STATIC_MEM};

}  // namespace

SqliteProcessFile::~SqliteProcessFile() {
  const std::lock_guard lock(files.mutex);
  if (!is_listed_) return;
  SqliteProcessFile** at = &files.first;
  while (*at != this) at = &(*at)->next_;
  *at = next_;
}

Result<void> SqliteProcessFile::open(const std::string& path, const std::function<void()>& act) {
  const std::lock_guard lock(files.mutex);
  if (const std::optional<FilePlace> found = place_of_file(path)) {
    for (const SqliteProcessFile* file = files.first; file != nullptr; file = file->next_) {
      if (!file->is_inherited_ || file->place_ != *found) continue;
      return make_error(ErrorCode::misuse,
                        "\"" + path +
                            "\" was open when this process was forked, and SQLite cannot use a file across fork(): "
                            "fork before the store is opened, or "
                            "start a new program, as multiprocessing does with \"spawn\" or \"forkserver\"");
    }
  }
  files.is_used = true;
  act();
  const std::optional<FilePlace> opened = place_of_file(path);
  if (!opened) return {};  // SQLite's VFS may not use files of the operating system
  place_ = *opened;
  next_ = files.first;
  files.first = this;
  is_listed_ = true;
  return {};
}

void before_store_fork() noexcept {
  files.mutex.lock();
  if (!files.is_used) return;
  for (const int number : static_mutexes) sqlite3_mutex_enter(sqlite3_mutex_alloc(number));
  before_fork_beside_other_copies();
}

void after_store_fork(bool is_child) noexcept {
  if (files.is_used) {
    after_fork_beside_other_copies(is_child);
    for (auto number = static_mutexes.rbegin(); number != static_mutexes.rend(); ++number)
      sqlite3_mutex_leave(sqlite3_mutex_alloc(*number));
  }
  for (SqliteProcessFile* file = files.first; is_child && file != nullptr; file = file->next_) {
    file->is_inherited_ = true;
    file->lock_.abandon();
  }
  files.mutex.unlock();
}

}  // namespace orlop
