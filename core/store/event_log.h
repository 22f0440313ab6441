// The feed of the store in memory. Events lie packed in blocks (event_block.h), and are made again when they are read.
// What finds them by organization, request or subject is made when it is asked for, up to the last event: a store that
// is never asked pays nothing. Not synchronized; the memory store locks.
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
  // The number of the last event; 0: there is none.
  std::uint64_t last() const { return end_.sequence; }
  FeedEnd end() const { return last() == removed_ ? FeedEnd() : end_; }

  // Its number is the next one. Memory that runs out leaves all as it was.
  void append(const Event& event);
  // Of a log without events: the next number.
  void begin_at(std::uint64_t number) { removed_ = end_.sequence = number - 1; }
  // Takes the events of `other` in the place of its own. Blocks are shared, and what finds events is made when it is
  // asked for.
  void copy_from(const EventLog& other);
  // Those after `last` are gone; later events take their numbers. 0: numbers begin anew.
  void drop_after(std::uint64_t last);
  // Frees those up to this one.
  void remove_through(std::uint64_t through);

  // The event of this number, which is there.
  void read(std::uint64_t number, Event& out) const;

  // Prepares for collect() of a range that names an organization, request or subject: goes on with what finds events,
  // for some of them. False: there is more to do.
  bool index(std::uint64_t through);
  // Appends up to `limit` numbers of the range, in its order, which lie between `after` and `before`. All events up to
  // before - 1 have been prepared for, if need be.
  void collect(const EventRange& range, std::uint64_t after, std::uint64_t before, std::size_t limit,
               std::vector<std::uint64_t>& out) const;

 private:
  // Ascending. Those of events that were dropped are in them, too, until later ones have their numbers: is_of() says
  // which count.
  using Numbers = std::unordered_map<Id, std::vector<std::uint64_t>>;
  static void append(Numbers& numbers, const Id& key, std::uint64_t number);
  static void remove(Numbers& numbers, std::vector<Id>& keys, std::uint64_t through);
  const EventBlock& block_of(std::uint64_t number) const;
  EventBlock::View view(std::uint64_t number) const { return block_of(number).view(number, texts_); }
  bool is_of(const EventRange& range, std::uint64_t number) const;

  // One that is shared does not change; what lies in it behind the first event of the next one, or the last event, is
  // not of this log.
  std::deque<Shared<EventBlock>> blocks_;
  EventBlock::Texts texts_;
  std::uint64_t removed_ = 0;  // the number before the first event
  FeedEnd end_;                // of the last event; its sequence alone where there is none
  std::uint64_t indexed_ = 0;  // up to this number the indexes hold all events
  Numbers authored_;           // organization -> its events with an author
  Numbers of_request_;         // request -> its events
  Numbers of_subject_;         // resource or request -> the events about it
};

}  // namespace orlop
