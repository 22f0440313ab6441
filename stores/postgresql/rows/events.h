// Events as blocks. A row holds those of one commit, 128 at most: the server takes as long to write one event as to
// write a block, for all that it does once for each row and each entry of an index. By whom or what an event is found
// stands beside it, once for each block (event_key).
//
// A block is `ids`, each at most once in each part of the list: organizations of events with an author, requests,
// subjects, and others; and `events`: for each a head of 41 bytes, its numbers with the highest byte first, then the
// texts of all.
//
//   at 8, revision 8, id_count 4, end of the author 4, end of the detail 4 (both from the first text on), family 2,
//   kind 1, from 1, to 1, subject 2, owner 2, organization 2, request 2 (places in `ids` from 1; 0: none)
//
// Numbers that the server assigns stand beside them: the number of the first, and the least time and count of ids of
// those behind the event before.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "server/status.h"
#include "server/values.h"

namespace orlop::postgresql {

// Of insert_event_block, numbered from `first`, or of insert_next_event_block, for the first of these events. How many
// that are, from 1.
std::size_t put_event_block(Parameters& parameters, std::span<const orlop_event* const> events,
                            std::optional<std::uint64_t> first);

// A row that a statement with ORLOP_BLOCK has answered. It and the texts of its events live as long as `rows`.
class EventBlock {
 public:
  // STORAGE_CORRUPT: the library never wrote such a row.
  static Status read(const Rows& rows, int row, EventBlock& block);

  // The events that are left of it. The first number that it ever held, and the last.
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
