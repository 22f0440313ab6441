#include "store/copies.h"

#include "store/open.h"
#include "store/sqlite/copies/copy_file.h"

namespace orlop {
namespace {

Result<std::string> file_of(std::string_view url) {
  ORLOP_TRY(path, sqlite_path_of(url));
  if (!path.empty()) return std::move(path);
  return make_error(ErrorCode::invalid,
                    "only a store in an SQLite file is copied: a store in PostgreSQL has the tools of its server, such "
                    "as pg_dump, and every store has snapshots");
}

Result<std::string> copy_at(std::string_view file) {
  if (file.empty() || file.find('\0') != std::string_view::npos)
    return make_error(ErrorCode::misuse, "the file of the copy must not be empty, and have no zero byte");
  return sqlite_file_name(file);
}

}  // namespace

Result<void> back_up_store(std::string_view url, std::string_view file) {
  ORLOP_TRY(store, file_of(url));
  ORLOP_TRY(copy, copy_at(file));
  return back_up_sqlite(store, copy);
}

Result<std::string> restore_store(std::string_view url, std::string_view file) {
  ORLOP_TRY(store, file_of(url));
  ORLOP_TRY(copy, copy_at(file));
  return restore_sqlite(store, copy);
}

}  // namespace orlop
