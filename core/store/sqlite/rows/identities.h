// The numbers that stand for ids in the rows of a SQLite file: 16 bytes lie in the file once, and one to four wherever
// they are named.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>

#include "base/id.h"

namespace orlop {

class SqliteConnection;

// What one connection knows of the table `identity`. A number that was committed never stands for another id, so that
// what is known stays true until the connection's own transaction is rolled back. May throw SQLite::Exception.
class SqliteIdentities {
 public:
  // The id behind a number that a row holds; nil for 0.
  Id id_of(SqliteConnection& connection, std::int64_t number);
  // The number of an id; 0 for nil; nothing for one that the file has never named.
  std::optional<std::int64_t> number_of(SqliteConnection& connection, const Id& id);
  // The same of one that this connection has met lately, without a look into the file; nothing for others.
  std::optional<std::int64_t> known_number(const Id& id) const;
  // As number_of(); one that was never named gets the next number.
  std::int64_t make_number(SqliteConnection& connection, const Id& id);
  // The same of an id that is most likely new.
  std::int64_t make_new_number(SqliteConnection& connection, const Id& id);
  // A pair that a row says.
  void know(std::int64_t number, const Id& id) { remember(number, id); }
  // After a transaction that was rolled back.
  void forget() noexcept;

 private:
  struct Known {
    std::int64_t number = 0;
    Id id;
  };
  static constexpr std::size_t known_count = 4096;  // a power of two

  // The first of the two places of an id, by the upper bits of the hash, a product: the lower ones hardly depend on
  // what tells ids apart.
  static std::size_t place_of(const Id& id) {
    return (static_cast<std::uint64_t>(std::hash<Id>()(id)) >> 52) % known_count & ~std::size_t{1};
  }
  // What there is no memory for is looked up again.
  void remember(std::int64_t number, const Id& id) noexcept;

  struct Tables {
    Known by_number[known_count];
    Known by_id[known_count];
  };
  struct Free {
    void operator()(Tables* tables) const noexcept { std::free(tables); }
  };
  // Nullptr until there is something to know: most of a connection's memory, of which many use little.
  std::unique_ptr<Tables, Free> known_;
};

}  // namespace orlop
