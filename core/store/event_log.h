// The feed of the store in memory. Events are packed in blocks (event_block.h), and unpacked when they are read. The
// indexes by organization, request and subject are built on demand, up to the last event: a store without such queries
// pays nothing. Not synchronized; the memory store locks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <unordered_map>
#include <vector>

#include "base/shared.h"
#include "store/event_block.h"
#include "store/store.h"

namespace orlop {

class EventLog {
 public:
  // Returns the number of the last event; 0 if none.
  std::uint64_t last() const { return end_.sequence; }
  FeedEnd end() const { return last() == removed_ ? FeedEnd() : end_; }

  // The event gets the next number. Changes nothing if memory runs out.
  void append(const Event& event);
  // Sets the next number. The log must be empty.
  void begin_at(std::uint64_t number) { removed_ = end_.sequence = number - 1; }
  // Replaces the events by those of `other`. Blocks are shared; indexes are rebuilt on demand.
  void copy_from(const EventLog& other);
  // Removes the events after `last`; later events reuse their numbers. 0: numbers start again at 1.
  void drop_after(std::uint64_t last);
  // Removes the events up to this number.
  void remove_through(std::uint64_t through);

  // Reads the event of this number, which must exist.
  void read(std::uint64_t number, Event& out) const;

  // Prepares collect() of a range that names an organization, request or subject: indexes some of the events up to
  // `through`. Returns false if more are left to index.
  bool index(std::uint64_t through);
  // Appends up to `limit` numbers of the range, in its order, greater than `after` and less than `before`. A range that
  // needs an index requires index(before - 1) to have returned true.
  void collect(const EventRange& range, std::uint64_t after, std::uint64_t before, std::size_t limit,
               std::vector<std::uint64_t>& out) const;

 private:
  // Numbers ascend. Those of dropped events stay until new events get their numbers; is_of() filters them.
  using Numbers = std::unordered_map<Id, std::vector<std::uint64_t>>;
  static void append(Numbers& numbers, const Id& key, std::uint64_t number);
  static void remove(Numbers& numbers, std::vector<Id>& keys, std::uint64_t through);
  const EventBlock& block_of(std::uint64_t number) const;
  EventBlock::View view(std::uint64_t number) const { return block_of(number).view(number, texts_); }
  bool is_of(const EventRange& range, std::uint64_t number) const;

  // A shared block is not changed. Its events after the last event, or from the next block's first event on, do not
  // belong to this log.
  std::deque<Shared<EventBlock>> blocks_;
  EventBlock::Texts texts_;
  std::uint64_t removed_ = 0;  // the number before the first event
  FeedEnd end_;                // of the last event; only its sequence is set if the log is empty
  std::uint64_t indexed_ = 0;  // the indexes hold all events up to this number
  Numbers authored_;           // organization -> its events with an author
  Numbers of_request_;         // request -> its events
  Numbers of_subject_;         // resource or request -> the events about it
};

}  // namespace orlop
