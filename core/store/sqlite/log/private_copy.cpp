#include "store/sqlite/log/private_copy.h"

#include <fcntl.h>
#include <unistd.h>

#if defined(ORLOP_PRIVATE_SQLITE) && defined(F_OFD_SETLK)

#include <sqlite3.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstdarg>
#include <map>
#include <mutex>
#include <new>
#include <string>
#include <utility>
#include <vector>

namespace orlop {
namespace {

using Inode = std::pair<dev_t, ino_t>;

// A file that this copy has locked. All locks are taken through one description: SQLite counts the connections to a
// file and may unlock through another descriptor than it locked with.
struct LockedFile {
  int lock = -1;            // used only for locks
  std::vector<int> unused;  // descriptors that SQLite has closed
};

struct LockedFiles {
  std::mutex mutex;
  std::map<Inode, LockedFile> by_inode;
};

// Never destroyed: connections may be closed while the process ends.
LockedFiles& locked_files() {
  static LockedFiles& all = *new LockedFiles;
  return all;
}

bool is_regular(const struct stat& found) { return S_ISREG(found.st_mode); }

Inode inode_of(const struct stat& found) { return {found.st_dev, found.st_ino}; }

// Opens the same file again. For writing if allowed: a write lock needs it, and the first descriptor may be read-only.
int describe_again(int descriptor) {
  const std::string path = "/proc/self/fd/" + std::to_string(descriptor);
  int found = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
  if (found < 0) found = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  return found < 0 ? ::fcntl(descriptor, F_DUPFD_CLOEXEC, 3) : found;
}

void close_all(const LockedFile& file) {
  for (const int descriptor : file.unused) ::close(descriptor);
  ::close(file.lock);
}

// Closes the descriptors of files that no longer exist. The mutex is held.
void forget_deleted(LockedFiles& files) {
  std::erase_if(files.by_inode, [](auto& entry) {
    struct stat found = {};
    if (::fstat(entry.second.lock, &found) == 0 && found.st_nlink != 0) return false;
    close_all(entry.second);
    return true;
  });
}

// Returns the descriptor that holds the locks of a file; -1 with errno after an error.
int lock_of(int descriptor) {
  struct stat found = {};
  if (::fstat(descriptor, &found) != 0) return -1;
  LockedFiles& files = locked_files();
  const std::lock_guard lock(files.mutex);
  LockedFile& file = files.by_inode[inode_of(found)];
  if (file.lock < 0) file.lock = describe_again(descriptor);
  return file.lock;
}

int lock_by_description(int descriptor, int command, struct flock& lock) {
  const int description = lock_of(descriptor);
  if (description < 0) return -1;
  lock.l_pid = 0;  // the kernel refuses any other value
  return ::fcntl(description, command, &lock);
}

// The signatures are those of the system calls that SQLite's VFS "unix" makes through xSetSystemCall().
int call_fcntl(int descriptor, int command, ...) try {
  va_list arguments;
  va_start(arguments, command);
  void* const argument = va_arg(arguments, void*);
  va_end(arguments);
  switch (command) {
    case F_SETLK: return lock_by_description(descriptor, F_OFD_SETLK, *static_cast<struct flock*>(argument));
    case F_SETLKW: return lock_by_description(descriptor, F_OFD_SETLKW, *static_cast<struct flock*>(argument));
    case F_GETLK: return lock_by_description(descriptor, F_OFD_GETLK, *static_cast<struct flock*>(argument));
    default: return ::fcntl(descriptor, command, argument);
  }
} catch (const std::bad_alloc&) {
  errno = ENOLCK;
  return -1;
}

// Returns an unused descriptor of the file with the same access; -1 if none.
int take_unused(const char* path, int flags) {
  struct stat found = {};
  if ((flags & (O_EXCL | O_TRUNC)) != 0 || ::stat(path, &found) != 0 || !is_regular(found)) return -1;
  LockedFiles& files = locked_files();
  const std::lock_guard lock(files.mutex);
  const auto known = files.by_inode.find(inode_of(found));
  if (known == files.by_inode.end()) return -1;
  std::vector<int>& unused = known->second.unused;
  const auto fits = [&](int descriptor) { return (::fcntl(descriptor, F_GETFL) & O_ACCMODE) == (flags & O_ACCMODE); };
  const auto taken = std::find_if(unused.begin(), unused.end(), fits);
  if (taken == unused.end()) return -1;
  const int descriptor = *taken;
  unused.erase(taken);
  return descriptor;
}

int call_open(const char* path, int flags, int mode) {
  const int kept = take_unused(path, flags);
  return kept >= 0 ? kept : ::open(path, flags, mode);
}

int call_close(int descriptor) try {
  struct stat found = {};
  if (::fstat(descriptor, &found) != 0 || !is_regular(found)) return ::close(descriptor);
  LockedFiles& files = locked_files();
  const std::lock_guard lock(files.mutex);
  forget_deleted(files);
  const auto known = files.by_inode.find(inode_of(found));
  if (known == files.by_inode.end()) return ::close(descriptor);
  known->second.unused.push_back(descriptor);
  return 0;
} catch (const std::bad_alloc&) {
  return 0;  // stays open: a leaked descriptor is better than lost locks
}

bool install() {
  sqlite3_vfs* const files = sqlite3_vfs_find("unix");
  if (files == nullptr || files->iVersion < 3 || files->xSetSystemCall == nullptr) return false;
  files->xSetSystemCall(files, "fcntl", reinterpret_cast<sqlite3_syscall_ptr>(call_fcntl));
  files->xSetSystemCall(files, "open", reinterpret_cast<sqlite3_syscall_ptr>(call_open));
  files->xSetSystemCall(files, "close", reinterpret_cast<sqlite3_syscall_ptr>(call_close));
  return true;
}

}  // namespace

void lock_beside_other_copies() {
  static const bool is_installed = install();
  (void)is_installed;
}

void close_store_file(int descriptor) noexcept { (void)call_close(descriptor); }

void before_fork_beside_other_copies() noexcept { locked_files().mutex.lock(); }

void after_fork_beside_other_copies(bool is_child) noexcept {
  LockedFiles& files = locked_files();
  if (is_child) {
    for (auto& entry : files.by_inode) close_all(entry.second);
    files.by_inode.clear();
  }
  files.mutex.unlock();
}

}  // namespace orlop

#else

namespace orlop {

void lock_beside_other_copies() {}

void close_store_file(int descriptor) noexcept { ::close(descriptor); }

void before_fork_beside_other_copies() noexcept {}
void after_fork_beside_other_copies(bool) noexcept {}

}  // namespace orlop

#endif
