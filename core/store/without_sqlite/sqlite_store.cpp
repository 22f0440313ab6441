// Functions of store/sqlite in a build without SQLite.
#include <memory>
#include <string>
#include <string_view>

#include "store/fork.h"
#include "store/open.h"
#include "store/sqlite/copies/copy_file.h"

namespace orlop {
namespace {

Error no_copies() {
  return make_error(ErrorCode::invalid,
                    "only a store in an SQLite file is copied, and this library was built without SQLite "
                    "(ORLOP_SQLITE=OFF); every store has snapshots");
}

}  // namespace

bool has_sqlite() { return false; }

Result<std::unique_ptr<Store>> open_sqlite_store(std::string_view path, Durability, std::uint64_t, LogWrites) {
  return no_such_store(path);
}

Result<void> back_up_sqlite(const std::string&, const std::string&) { return no_copies(); }

Result<std::string> restore_sqlite(const std::string&, const std::string&) { return no_copies(); }

// Only files have locks that a child would inherit.
void before_store_fork() noexcept {}
void after_store_fork(bool) noexcept {}

}  // namespace orlop
