// The bare side: SQLite by its C interface, writing the same rows, bytes and indexes as the store, with cached
// statements.
#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "opened_platform.h"

namespace bench {

class RawSqlite {
 public:
  // `file` already has the store's schema, or is ":memory:" and gets it from `schema_file`.
  RawSqlite(const std::string& file, const char* synchronous, const std::string& schema_file = "");
  ~RawSqlite();
  RawSqlite(const RawSqlite&) = delete;
  RawSqlite& operator=(const RawSqlite&) = delete;

  // Inserts a record under `parent` with a name key, and its event, in one transaction.
  void create(std::string_view body, const orlop::Id& parent);
  // Reads by id the `index`-th record that create() made; returns the size of its body.
  std::size_t read(std::uint64_t index);
  // Concatenates the bodies under `parent`; returns their size.
  std::size_t list(const orlop::Id& parent);
  // The same below each of `parents`, for one family and in one transaction.
  std::size_t list(std::span<const orlop::Id> parents, orlop::FamilyNumber family);
  // Writes the rows that queueing every service of the environment for a deployment writes: machine rows and one event
  // each, in one transaction.
  void queue_services(const orlop::Id& environment);

  // Moves the write-ahead log into the file.
  void checkpoint();
  double text_bytes();
  std::int64_t records();
  // Returns the id, as text, of the first record of a family.
  std::string an_id_of(orlop::FamilyNumber family);

 private:
  sqlite3_stmt* prepare(const char* text);
  std::size_t list_below(const orlop::Id& parent, orlop::FamilyNumber family);
  void step(sqlite3_stmt* statement);
  void execute(const std::string& text);
  std::int64_t number(const char* text);
  orlop::Id id_of(std::uint64_t index);
  // Assigns the number that represents an id in the store's rows.
  std::int64_t make_number(const orlop::Id& id);
  std::int64_t number_of(const orlop::Id& id);
  void add_run(int way, std::int64_t key, std::int64_t first, std::int64_t last);

  sqlite3* database_ = nullptr;
  MixingRandomSource random_source_;
  sqlite3_stmt* begin_ = nullptr;
  sqlite3_stmt* commit_ = nullptr;
  sqlite3_stmt* identity_ = nullptr;
  sqlite3_stmt* number_ = nullptr;
  sqlite3_stmt* insert_ = nullptr;
  sqlite3_stmt* child_ = nullptr;
  sqlite3_stmt* event_ = nullptr;
  sqlite3_stmt* run_ = nullptr;
  sqlite3_stmt* read_ = nullptr;
  sqlite3_stmt* list_ = nullptr;
  std::uint64_t count_ = 0;
  orlop::Id last_parent_;
  std::int64_t parent_number_ = 0;
};

}  // namespace bench
