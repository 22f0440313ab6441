// What tells whether a SQLite file has changed, without a look into it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace orlop {

// Bytes before each page in the file of the log: https://sqlite.org/fileformat2.html#walformat
constexpr std::size_t frame_header_size = 24;

// The header of the write-ahead log's index, in the memory that all connections to a file share, of every process. Each
// commit writes another one before it returns: while it is the same, so is what the file holds. Its layout is SQLite's:
// https://sqlite.org/walformat.html#the_wal_index_header
struct SqliteLogHeader {
  std::array<std::uint32_t, 12> words{};

  // Counts the commits.
  std::uint32_t commit_count() const { return words[2]; }
  // The last page of the log that belongs to a commit. A log whose pages all lie in the file begins anew with the next
  // commit.
  std::uint32_t page_count() const { return words[4]; }
  // Two numbers that are others once the log has begun anew.
  std::array<std::uint32_t, 2> salts() const { return {words[8], words[9]}; }
  friend bool operator==(const SqliteLogHeader&, const SqliteLogHeader&) = default;
};

}  // namespace orlop
