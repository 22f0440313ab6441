#include "store/sqlite/rows/identities.h"

#include <sqlite3.h>

#include <type_traits>

#include "store/sqlite/sqlite_connection.h"

namespace orlop {

Id SqliteIdentities::id_of(SqliteConnection& connection, std::int64_t number) {
  if (number == 0) return {};
  if (known_ != nullptr) {
    const Known& known = known_->by_number[static_cast<std::size_t>(number) % known_count];
    if (known.number == number) return known.id;
  }
  StatementRun run = connection.run(SqliteQuery::id_of_number);
  run.integer(number);
  if (!run.step()) throw SQLite::Exception("a row names an id that is not there", SQLITE_CORRUPT);
  const Id id = run.id_at(0);
  remember(number, id);
  return id;
}

std::optional<std::int64_t> SqliteIdentities::number_of(SqliteConnection& connection, const Id& id) {
  if (id.is_nil()) return 0;
  if (const std::optional<std::int64_t> known = known_number(id)) return known;
  StatementRun run = connection.run(SqliteQuery::number_of_id);
  run.id(id);
  if (!run.step()) return std::nullopt;
  const std::int64_t number = run.integer_at(0);
  remember(number, id);
  return number;
}

std::optional<std::int64_t> SqliteIdentities::known_number(const Id& id) const {
  if (known_ == nullptr) return std::nullopt;
  const Known* const known = &known_->by_id[place_of(id)];
  for (const Known* one : {known, known + 1}) {
    if (one->number != 0 && one->id == id) return one->number;
  }
  return std::nullopt;
}

std::int64_t SqliteIdentities::make_number(SqliteConnection& connection, const Id& id) {
  if (const std::optional<std::int64_t> number = number_of(connection, id)) return *number;
  return make_new_number(connection, id);
}

std::int64_t SqliteIdentities::make_new_number(SqliteConnection& connection, const Id& id) {
  if (connection.run(SqliteQuery::insert_identity).id(id).change() == 0) return number_of(connection, id).value();
  const std::int64_t number = connection.last_number();
  remember(number, id);
  return number;
}

void SqliteIdentities::remember(std::int64_t number, const Id& id) noexcept {
  // Zeros mean no pair. calloc's pages are not touched before they are used.
  static_assert(std::is_trivially_copyable_v<Tables>);
  if (known_ == nullptr) known_.reset(static_cast<Tables*>(std::calloc(1, sizeof(Tables))));
  if (known_ == nullptr) return;
  known_->by_number[static_cast<std::size_t>(number) % known_count] = {number, id};
  // The newest pair comes first, and replaces the second one.
  Known* const known = &known_->by_id[place_of(id)];
  if (known[0].number != number) known[1] = known[0];
  known[0] = {number, id};
}

void SqliteIdentities::forget() noexcept { known_.reset(); }

}  // namespace orlop
