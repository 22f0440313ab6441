// Blocks of events. A row holds the events of one commit, at most 128: the server's work per row and per index entry
// makes a block as fast to write as one event. The keys of its events are stored once per block (event_key).
//
// A block consists of `ids`, each at most once in each part of the list: organizations of events with an author,
// requests, subjects, and others; and of `events`: for each a head of 41 bytes, its numbers with the highest byte
// first, then the texts of all.
//
//   at 8, revision 8, id_count 4, end of the author 4, end of the detail 4 (both from the first text on), family 2,
//   kind 1, from 1, to 1, subject 2, owner 2, organization 2, request 2 (positions in `ids` from 1; 0: none)
//
// Numbers that the server assigns are separate columns: the number of the first event, and lower bounds of time and
// count of ids, from the last event before the block.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "server/status.h"
#include "server/values.h"

namespace orlop::postgresql {

// Adds the parameters of insert_event_block, numbered from `first`, or of insert_next_event_block if that is nullopt,
// for the first of these events. Returns their number, at least 1.
std::size_t put_event_block(Parameters& parameters, std::span<const orlop_event* const> events,
                            std::optional<std::uint64_t> first);

// A row returned by a statement with ORLOP_BLOCK. The block and the texts of its events are valid as long as `rows`.
class EventBlock {
 public:
  // Error STORAGE_CORRUPT: the library never writes such a row.
  static Status read(const Rows& rows, int row, EventBlock& block);

  // size(): number of events left in the block. first() and last(): numbers of the first and last event it was written
  // with.
  std::size_t size() const { return count_ - forgotten_; }
  std::uint64_t first() const { return first_; }
  std::uint64_t last() const { return first_ + count_ - 1; }
  // `place`: less than size().
  orlop_event event(std::size_t place) const;

 private:
  bool is_sound() const;
  orlop_id id(std::uint64_t place) const;

  std::uint64_t first_ = 0;
  std::size_t count_ = 0;
  std::size_t forgotten_ = 0;
  std::int64_t at_ = 0;
  std::uint32_t id_count_ = 0;
  std::string_view ids_;
  std::string_view events_;
};

}  // namespace orlop::postgresql
