// Detection of changes of a SQLite file without reading it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace orlop {

// Bytes before each page in the log file: https://sqlite.org/fileformat2.html#walformat
constexpr std::size_t frame_header_size = 24;

// The header of the write-ahead log's index, in memory that the connections of all processes share. Each commit changes
// it before it returns: while it is the same, so are the contents of the file. The layout is SQLite's:
// https://sqlite.org/walformat.html#the_wal_index_header
struct SqliteLogHeader {
  std::array<std::uint32_t, 12> words{};

  // Returns the number of commits.
  std::uint32_t commit_count() const { return words[2]; }
  // Returns the number of the log's last committed page. A log whose pages are all in the file restarts with the next
  // commit.
  std::uint32_t page_count() const { return words[4]; }
  // Returns two numbers that change when the log restarts.
  std::array<std::uint32_t, 2> salts() const { return {words[8], words[9]}; }
  friend bool operator==(const SqliteLogHeader&, const SqliteLogHeader&) = default;
};

}  // namespace orlop
