// Some of the feed's events, packed: what an event has in common with the one before it, and what many have in common,
// is written once. An event is found by its place, without reading those before it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/flat_map.h"
#include "store/store.h"

namespace orlop {

// Short texts that come again and again, under numbers. Those that come when it is full are not kept.
class KnownTexts {
 public:
  std::optional<std::uint8_t> number_of(std::string_view text);
  std::string_view text(std::uint8_t number) const { return texts_[number]; }

  static constexpr std::size_t count_max = 255;  // so that a byte has a value that is no number

 private:
  static constexpr std::size_t size_max = 64;  // bytes of one

  // Which one a text of this size may be, with this letter in its middle: most often it is.
  std::uint8_t& guess_of(std::string_view text) {
    return guesses_[(text.size() * 5 + static_cast<std::uint8_t>(text.empty() ? 0 : text[text.size() / 2])) %
                    guesses_.size()];
  }

  std::vector<std::string> texts_;
  FlatMap<std::string, std::uint8_t, HashText> numbers_;
  std::array<std::uint8_t, 64> guesses_ = {};
};

class EventBlock {
 public:
  // What the blocks of a feed share.
  struct Texts {
    KnownTexts authors;
    KnownTexts endings;  // how the texts of steps end behind the id
  };
  // What events after each other often have in common.
  struct Context {
    Id owner;
    Id organization;
    Id request;
    bool operator==(const Event& event) const {
      return owner == event.owner && organization == event.organization && request == event.request;
    }
  };
  // An event, read. Views are into the block and the texts.
  struct View {
    Context context;
    Instant at;
    std::uint64_t revision = 0;
    Id subject;
    std::uint32_t id_count = 0;
    FamilyNumber family = 0;
    EventKind kind = EventKind::created;
    std::uint8_t from = 0;
    std::uint8_t to = 0;
    std::string_view author;
    std::string_view detail;  // of a step that is packed: what stands behind its id
    bool has_step = false;
    Id step;
  };

  // For events from number `first` on, of which this is the first one.
  EventBlock(std::uint64_t first, const Event& event);

  std::uint64_t first() const { return first_; }
  std::uint64_t end() const { return first_ + places_.size(); }  // the number behind its last event
  // Whether another event has room. Behind one that is larger than usual there is none, so that 16 bits hold the place
  // of each.
  bool takes(const Event& event) const { return used_ + bytes_at_most(event) <= size_; }
  // There is room. Memory that runs out leaves all as it was.
  void append(const Event& event, Texts& texts);
  // Those from this number on are gone.
  void drop_from(std::uint64_t number);

  // The event of this number, which is there.
  View view(std::uint64_t number, const Texts& texts) const;
  // The same, with its number and its texts.
  void read(std::uint64_t number, const Texts& texts, Event& out) const;

 private:
  // The last event that names its subject, its time and its context itself. Those behind it that have the same refer to
  // it.
  struct Named {
    std::size_t at = 0;  // which event it is
    Id subject;
    Instant time;
  };
  // A few values under numbers, with room for them from the beginning.
  template <std::uint8_t max>
  class Few {
   public:
    static constexpr std::uint8_t full = max;  // in place of a number: the value follows
    std::uint8_t number_of(std::uint64_t value);
    std::uint64_t operator[](std::uint8_t number) const { return values_[number]; }

   private:
    static constexpr std::size_t guess_count = 64;

    std::array<std::uint64_t, max> values_ = {};
    std::array<std::uint8_t, guess_count> guesses_ = {};  // which of them a value may be, by its bits: most often it is
    std::uint8_t count_ = 0;
  };

  static std::size_t bytes_at_most(const Event& event);
  char* put_shape(char* to, const Event& event);
  char* put_id(char* to, const Id& id);
  Id take_id(const char*& from) const;
  void take_shape(const char*& from, View& view) const;
  void take_name(const char*& from, View& view) const;
  Context context_at(std::uint16_t place) const;

  std::uint64_t first_;
  Instant at_;  // of the first event
  std::size_t size_;
  std::size_t used_ = 0;
  std::unique_ptr<char[]> bytes_;
  std::vector<std::uint16_t> places_;     // of the events
  Few<32> shapes_;                        // family, kind, from and to
  Few<16> made_;                          // what ids say of the time when they were made
  Named named_;                           // where there is a context_
  std::optional<std::uint16_t> context_;  // the place of the last one that was written
};

}  // namespace orlop
