// Numbers that replace ids in the rows of a SQLite file: the 16 bytes are stored once, and each use takes one to four.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>

#include "base/id.h"

namespace orlop {

class SqliteConnection;

// One connection's cache of the table `identity`. A committed number never refers to another id, so the cache is valid
// until the connection's own transaction is rolled back. May throw SQLite::Exception.
class SqliteIdentities {
 public:
  // Returns the id of a number in a row; nil for 0.
  Id id_of(SqliteConnection& connection, std::int64_t number);
  // Returns the number of an id; 0 for nil; nullopt if the file has never used the id.
  std::optional<std::int64_t> number_of(SqliteConnection& connection, const Id& id);
  // Like number_of(), without reading the file; nullopt if the id is not in the cache.
  std::optional<std::int64_t> known_number(const Id& id) const;
  // Like number_of(), but assigns the next number to an unknown id.
  std::int64_t make_number(SqliteConnection& connection, const Id& id);
  // Like make_number(), for an id that is most likely new.
  std::int64_t make_new_number(SqliteConnection& connection, const Id& id);
  // Adds a pair that a row contains.
  void know(std::int64_t number, const Id& id) { remember(number, id); }
  // Called after a rollback.
  void forget() noexcept;

 private:
  struct Known {
    std::int64_t number = 0;
    Id id;
  };
  static constexpr std::size_t known_count = 4096;  // a power of two

  // Returns the first of the two indices of an id, from the upper bits of the hash, a product: its lower bits hardly
  // differ between ids.
  static std::size_t place_of(const Id& id) {
    return (static_cast<std::uint64_t>(std::hash<Id>()(id)) >> 52) % known_count & ~std::size_t{1};
  }
  // Skips the pair if memory runs out; it is looked up again.
  void remember(std::int64_t number, const Id& id) noexcept;

  struct Tables {
    Known by_number[known_count];
    Known by_id[known_count];
  };
  struct Free {
    void operator()(Tables* tables) const noexcept { std::free(tables); }
  };
  // Null until the first pair: the tables are most of a connection's memory, and many connections use little of it.
  std::unique_ptr<Tables, Free> known_;
};

}  // namespace orlop
