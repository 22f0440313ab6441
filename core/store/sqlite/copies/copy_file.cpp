#include "store/sqlite/copies/copy_file.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <memory>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "store/sqlite/layout/objects.h"
#include "store/sqlite/layout/schema.h"
#include "store/sqlite/log/files.h"
#include "store/sqlite/log/log_mark.h"
#include "store/sqlite/log/private_copy.h"
#include "store/sqlite/sqlite_connection.h"

namespace orlop {
namespace {

constexpr std::string_view part_ending = ".part";
constexpr std::string_view before_ending = ".before-restore";
constexpr std::array<std::string_view, 3> endings_beside = {"-wal", "-shm", "-journal"};

Error failed(const std::string& what, const std::string& path) {
  return make_error(ErrorCode::storage_failed, what + " \"" + path + "\": " + std::generic_category().message(errno));
}

bool is_there(const std::string& path) {
  struct stat found = {};
  return ::stat(path.c_str(), &found) == 0;
}

std::string joined(const std::string& path, std::string_view ending) { return path + std::string(ending); }

// Fails if both names are one file, or if the copy is one of SQLite's files of the store.
Result<void> require_apart(const std::string& store, const std::string& copy) {
  struct stat at_store = {};
  struct stat at_copy = {};
  for (const std::string_view ending : {std::string_view(), endings_beside[0], endings_beside[1], endings_beside[2]}) {
    const std::string file = joined(store, ending);
    const bool are_there = ::stat(file.c_str(), &at_store) == 0 && ::stat(copy.c_str(), &at_copy) == 0;
    const bool are_one = are_there && at_store.st_dev == at_copy.st_dev && at_store.st_ino == at_copy.st_ino;
    if (are_one || file == copy)
      return make_error(ErrorCode::misuse,
                        "the copy must be a file of its own, not \"" + copy + "\", which is that of the store");
  }
  return {};
}

// Also removes SQLite's files beside it: the journal of an earlier try would be rolled back into the next file of that
// name.
void remove_part(const std::string& part) {
  for (const std::string_view ending : endings_beside) (void)::unlink(joined(part, ending).c_str());
  (void)::unlink(part.c_str());
}

// Creates a file with the permissions of the one whose contents it will hold.
Result<void> make_like(const std::string& path, const std::string& other) {
  struct stat found = {};
  if (::stat(other.c_str(), &found) != 0) return failed("cannot look at", other);
  remove_part(path);
  const int descriptor = ::open(path.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, S_IRUSR | S_IWUSR);
  if (descriptor < 0) return failed("cannot write", path);
  const bool has_permissions = ::fchmod(descriptor, found.st_mode & (S_IRWXU | S_IRWXG | S_IRWXO)) == 0;
  ::close(descriptor);
  return has_permissions ? Result<void>() : failed("cannot give permissions to", path);
}

// Makes the names in the folder durable.
Result<void> sync_folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  const std::string folder = slash == std::string::npos ? "." : path.substr(0, slash + 1);
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return failed("cannot open", folder);
  const bool is_synced = ::fsync(descriptor) == 0 || errno == EINVAL;  // EINVAL: the file system cannot sync a folder
  ::close(descriptor);
  return is_synced ? Result<void>() : failed("cannot make durable", folder);
}

Result<void> move_file(const std::string& from, const std::string& to) {
  if (std::rename(from.c_str(), to.c_str()) == 0 || errno == ENOENT) return {};
  return failed("cannot rename", from);
}

// Copies all committed pages, through SQLite, into a file without a log, and gives it a new mark.
Result<void> copy_pages(SqliteConnection& from, const std::string& to) {
  SqliteConnection copy(to, true);
  sqlite3_backup* const backup =
      sqlite3_backup_init(copy.database().getHandle(), "main", from.database().getHandle(), "main");
  if (backup == nullptr) throw SQLite::Exception(copy.database().getHandle());
  constexpr int all_pages = -1;
  const int code = sqlite3_backup_step(backup, all_pages);
  sqlite3_backup_finish(backup);
  if (code != SQLITE_DONE) throw SQLite::Exception(copy.database().getHandle(), code);
  SQLite::Database& database = copy.database();
  database.exec("PRAGMA synchronous = EXTRA");
  (void)database.execAndGet("PRAGMA journal_mode = DELETE");
  if (database.tableExists("log_mark")) renew_log_mark(database);
  return {};
}

// Opens a file of this library, with its log if it has one.
Result<std::unique_ptr<SqliteConnection>> open_copied(const std::string& path) {
  ORLOP_CHECK(require_regular_files(path));
  if (!is_there(path)) return make_error(ErrorCode::storage_failed, "there is no file \"" + path + "\"");
  auto connection = std::make_unique<SqliteConnection>(path, false);
  ORLOP_CHECK(require_own_file(*connection, path));
  ORLOP_CHECK(require_log_of_file(*connection, path));
  return connection;
}

// Runs `act`, which writes `part` and renames it to `to`. Removes `part` after an error.
template <typename Act>
Result<void> with_part(const std::string& part, const std::string& to, const Act& act) {
  Result<void> done = fenced(act);
  if (done) return done;
  remove_part(part);
  const std::string& message = done.error().message;
  if (done.error().code != ErrorCode::storage_failed || message.find('"') != std::string::npos) return done;
  return make_error(ErrorCode::storage_failed, "\"" + to + "\" cannot be written: " + message);
}

// A copy that other processes would refuse to open must not replace a store.
Result<void> require_whole(const std::string& path, const std::string& shown) {
  SqliteConnection copy(path, false);
  const std::string found = copy.database().execAndGet("PRAGMA integrity_check(1)").getString();
  if (found != "ok")
    return make_error(ErrorCode::storage_corrupt, "\"" + shown + "\" is damaged: " + found.substr(0, found.find('\n')));
  const auto version = static_cast<std::uint32_t>(copy.database().execAndGet("PRAGMA user_version").getInt64());
  ORLOP_CHECK(require_own_objects(copy, shown, version));
  return {};
}

// Locks the file exclusively, without reading it: it may be damaged.
class LockedStore {
 public:
  static Result<LockedStore> lock(const std::string& path) {
    LockedStore locked;
    if (!is_there(path)) return locked;
    locked.connection_ = std::make_unique<SqliteConnection>(path, false);
    sqlite3_file_control(locked.connection_->database().getHandle(), "main", SQLITE_FCNTL_FILE_POINTER, &locked.file_);
    for (const int level : {SQLITE_LOCK_SHARED, SQLITE_LOCK_EXCLUSIVE}) {
      if (locked.file_->pMethods->xLock(locked.file_, level) == SQLITE_OK) continue;
      return make_error(ErrorCode::storage_busy,
                        "\"" + path + "\" is in use: end the processes that have it open, and try again");
    }
    return locked;
  }
  LockedStore(LockedStore&& other) noexcept
      : connection_(std::move(other.connection_)), file_(std::exchange(other.file_, nullptr)) {}
  LockedStore& operator=(LockedStore&&) = delete;
  ~LockedStore() {
    if (file_ != nullptr) file_->pMethods->xUnlock(file_, SQLITE_LOCK_NONE);
  }

 private:
  LockedStore() = default;
  std::unique_ptr<SqliteConnection> connection_;
  sqlite3_file* file_ = nullptr;
};

// A backup may replace an earlier backup, and no other file.
Result<void> require_replaceable(const std::string& path) {
  struct stat found = {};
  if (::lstat(path.c_str(), &found) != 0) return {};
  if (!S_ISREG(found.st_mode))
    return make_error(ErrorCode::misuse,
                      "\"" + path + "\" is not a regular file, and a backup is written into regular files only");
  SqliteConnection earlier(path, false);
  if (!require_own_file(earlier, path))
    return make_error(
        ErrorCode::misuse,
        "\"" + path +
            "\" is a file that is not a backup of a store, and is left as it is; give the backup another name");
  // The header of a store says that it is written through a log (https://sqlite.org/fileformat2.html); that of a copy
  // does not.
  constexpr std::size_t write_version_at = 18;
  constexpr unsigned char through_log = 2;
  std::array<unsigned char, write_version_at + 1> header{};
  ORLOP_TRY(size, earlier.read_file(header));
  if (size != header.size() || header[write_version_at] != through_log) return {};
  return make_error(ErrorCode::misuse, "\"" + path +
                                           "\" is a store that was in use, and no backup that may be replaced; are the "
                                           "arguments in their order, the store first?");
}

// Copies that earlier restores have kept are not overwritten.
std::string free_name_before(const std::string& store) {
  const std::string first = joined(store, before_ending);
  std::string name = first;
  for (int number = 2; is_there(name); ++number) name = first + "-" + std::to_string(number);
  return name;
}

// Moves the file first: a log without its file does no harm, and a log beside another file is refused when that is
// opened.
Result<std::string> exchange_files(const std::string& store, const std::string& part) {
  const std::string beside = free_name_before(store);
  const std::string before = is_there(store) ? beside : "";
  for (const std::string_view ending : endings_beside) (void)::unlink(joined(beside, ending).c_str());
  if (!before.empty()) ORLOP_CHECK(move_file(store, before));
  for (const std::string_view ending : {endings_beside[0], endings_beside[2]})
    ORLOP_CHECK(move_file(joined(store, ending), joined(beside, ending)));
  (void)::unlink(joined(store, endings_beside[1]).c_str());  // the index of the log, which SQLite rebuilds
  ORLOP_CHECK(move_file(part, store));
  ORLOP_CHECK(sync_folder_of(store));
  return before;
}

}  // namespace

Result<void> back_up_sqlite(const std::string& store, const std::string& to) {
  lock_beside_other_copies();
  ORLOP_CHECK(require_apart(store, to));
  for (const std::string_view ending : endings_beside) {
    if (is_there(joined(to, ending)))
      return make_error(ErrorCode::misuse,
                        "\"" + to + "\" must not be a store: \"" + joined(to, ending) + "\" lies in the same folder");
  }
  const std::string part = joined(to, part_ending);
  return with_part(part, to, [&]() -> Result<void> {
    ORLOP_CHECK(require_replaceable(to));
    ORLOP_TRY(opened, open_copied(store));
    ORLOP_CHECK(make_like(part, store));
    ORLOP_CHECK(copy_pages(*opened, part));
    ORLOP_CHECK(move_file(part, to));
    return sync_folder_of(to);
  });
}

Result<std::string> restore_sqlite(const std::string& store, const std::string& from) {
  lock_beside_other_copies();
  ORLOP_CHECK(require_apart(store, from));
  const std::string part = joined(store, part_ending);
  std::string before;
  ORLOP_CHECK(with_part(part, store, [&]() -> Result<void> {
    ORLOP_TRY(locked, LockedStore::lock(store));
    (void)locked;  // held until the end of this block
    ORLOP_TRY(opened, open_copied(from));
    ORLOP_CHECK(make_like(part, is_there(store) ? store : from));
    ORLOP_CHECK(copy_pages(*opened, part));
    ORLOP_CHECK(require_whole(part, from));
    ORLOP_TRY(kept, exchange_files(store, part));
    before = std::move(kept);
    return {};
  }));
  return before;
}

}  // namespace orlop
