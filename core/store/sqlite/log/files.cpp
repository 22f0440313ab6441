#include "store/sqlite/log/files.h"

#include <fcntl.h>
#include <sys/stat.h>
#ifdef STATX_INO
#include <sys/sysmacros.h>
#endif
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "store/sqlite/log/private_copy.h"

namespace orlop {
namespace {

#ifdef F_OFD_SETLK
// Range that SQLite locks for reading while a file is open, and for writing when the last user closes it: see "pending
// byte" in the documentation of its file format.
constexpr off_t shared_first = 0x40000000 + 2;
constexpr off_t shared_size = 510;

bool set_lock(int descriptor, short type) {
  struct flock lock = {};
  lock.l_type = type;
  lock.l_whence = SEEK_SET;
  lock.l_start = shared_first;
  lock.l_len = shared_size;
  return ::fcntl(descriptor, F_OFD_SETLK, &lock) == 0;
}

// Beyond the largest possible SQLite file.
constexpr std::uint64_t first_engine_byte = std::uint64_t{1} << 62;
constexpr std::uint64_t front_byte = first_engine_byte - 1;

struct flock byte_lock(std::uint64_t byte, short type) {
  struct flock lock = {};
  lock.l_type = type;
  lock.l_whence = SEEK_SET;
  lock.l_start = static_cast<off_t>(byte);
  lock.l_len = 1;
  return lock;
}

// Returns a lock on the byte of an engine, a hash of its id.
struct flock engine_lock(const Id& engine, short type) {
  std::uint64_t place = 0xCBF29CE484222325U;
  for (const std::uint8_t byte : engine.bytes) place = (place ^ byte) * 0x100000001B3U;
  return byte_lock(first_engine_byte | (place >> 3), type);
}
#endif

std::string reason(int number) { return std::generic_category().message(number); }

}  // namespace

// After a fine-grained read of a file's times, Linux stamps it at the next write, and each commit would wait for the
// stamp, too. So only the inode number is read.
std::optional<FilePlace> place_of_file(const std::string& path) {
#ifdef STATX_INO
  struct statx found = {};
  if (::statx(AT_FDCWD, path.c_str(), AT_STATX_DONT_SYNC, STATX_INO, &found) == 0) {
    return FilePlace{makedev(found.stx_dev_major, found.stx_dev_minor), found.stx_ino};
  }
  if (errno != ENOSYS && errno != EPERM) return std::nullopt;  // the kernel or a sandbox does not support it
#endif
  struct stat plain = {};
  if (::stat(path.c_str(), &plain) != 0) return std::nullopt;
  return FilePlace{plain.st_dev, plain.st_ino};
}

Result<void> require_regular_files(const std::string& path) {
  for (const char* ending : {"", "-journal", "-wal", "-shm"}) {
    struct stat found = {};
    const std::string file = path + ending;
    if (::stat(file.c_str(), &found) != 0 || S_ISREG(found.st_mode)) continue;
    return make_error(ErrorCode::storage_failed,
                      "\"" + file + "\" is not a regular file, and a store is kept in regular files only");
  }
  return {};
}

SqliteFiles::SqliteFiles(const std::string& path) : files_{File{path}, File{path + "-wal"}, File{path + "-shm"}} {
  for (File& file : files_) {
    const std::optional<FilePlace> found = place_of_file(file.path);
    is_known_ = is_known_ && found;
    file.place = found.value_or(FilePlace());
  }
}

Result<void> SqliteFiles::require_in_place() {
  if (!is_known_) return {};
  for (const File& file : files_) {
    if (lost_ != nullptr) break;
    if (const std::optional<FilePlace> found = place_of_file(file.path)) {
      if (*found != file.place) lost_ = &file;
    } else if (errno == ENOENT || errno == ENOTDIR) {
      lost_ = &file;
    } else {
      return make_error(ErrorCode::storage_failed, "\"" + file.path + "\" cannot be looked at: " + reason(errno));
    }
  }
  const File* lost = lost_;
  if (lost == nullptr) return {};
  return make_error(ErrorCode::storage_failed,
                    "\"" + lost->path +
                        "\" was deleted, moved or replaced while the store was open; close the store, put the "
                        "file back and open it again");
}

SqliteFileLock::~SqliteFileLock() {
  if (descriptor_ >= 0) close_store_file(descriptor_);
}

Result<void> SqliteFileLock::take([[maybe_unused]] const std::string& path) {
#ifdef F_OFD_SETLK
  descriptor_ = ::open(path.c_str(), O_RDWR | O_CLOEXEC);  // for writing, because the front of the line is a write lock
  if (descriptor_ < 0 && errno != ENOENT) descriptor_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  // SQLite's VFS may not use files of the operating system; then there is nothing to lock.
  if (descriptor_ < 0 && errno == ENOENT) return {};
  if (descriptor_ < 0)
    return make_error(ErrorCode::storage_failed, "\"" + path + "\" cannot be opened: " + reason(errno));
  if (set_lock(descriptor_, F_RDLCK)) return {};
  if (errno == EAGAIN || errno == EACCES)
    return make_error(ErrorCode::storage_busy, "another process locks \"" + path + "\"");
    // The kernel or the file system lacks such locks: only SQLite's locks remain.
#endif
  return {};
}

void SqliteFileLock::release() {
#ifdef F_OFD_SETLK
  if (descriptor_ >= 0) (void)set_lock(descriptor_, F_UNLCK);
#endif
}

void SqliteFileLock::abandon() noexcept {
  if (descriptor_ >= 0) ::close(descriptor_);
  descriptor_ = -1;
}

#ifdef F_OFD_SETLK
bool SqliteFileLock::hold(const Id& engine) noexcept {
  struct flock lock = engine_lock(engine, F_RDLCK);  // for reading, because the descriptor may be read-only
  return descriptor_ >= 0 && ::fcntl(descriptor_, F_OFD_SETLK, &lock) == 0;
}

void SqliteFileLock::let_go(const Id& engine) noexcept {
  struct flock lock = engine_lock(engine, F_UNLCK);
  if (descriptor_ >= 0) (void)::fcntl(descriptor_, F_OFD_SETLK, &lock);
}

bool SqliteFileLock::is_free(const Id& engine) const noexcept {
  struct flock lock = engine_lock(engine, F_WRLCK);
  return descriptor_ >= 0 && ::fcntl(descriptor_, F_OFD_GETLK, &lock) == 0 && lock.l_type == F_UNLCK;
}

bool SqliteFileLock::try_take_front() noexcept {
  struct flock lock = byte_lock(front_byte, F_WRLCK);
  return descriptor_ < 0 || ::fcntl(descriptor_, F_OFD_SETLK, &lock) == 0 || (errno != EAGAIN && errno != EACCES);
}

void SqliteFileLock::give_up_front() noexcept {
  struct flock lock = byte_lock(front_byte, F_UNLCK);
  if (descriptor_ >= 0) (void)::fcntl(descriptor_, F_OFD_SETLK, &lock);
}
#else
bool SqliteFileLock::hold(const Id&) noexcept { return false; }
void SqliteFileLock::let_go(const Id&) noexcept {}
bool SqliteFileLock::is_free(const Id&) const noexcept { return false; }
bool SqliteFileLock::try_take_front() noexcept { return true; }
void SqliteFileLock::give_up_front() noexcept {}
#endif

}  // namespace orlop
